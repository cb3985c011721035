// What a program that uses a built-in variable or a function of D needs besides its
// probes. The rows of the tables say it; codegen/plan/needs.h adds it up.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace kinst::d {

enum class Need : std::uint8_t {
  KernelOffsets,    ///< where the kernel's structs have their members
  Registers,        ///< the registers at the probe, or the frames that follow from them
  UserStack,        ///< tables to walk the stacks of processes by
  Time,             ///< the time at which the probe fired
  Operands,         ///< facts of the probe's instruction that are computed from it
  ScratchPointers,  ///< pointers into scratch memory that the program computes with
};

/// A set of needs.
class Needs {
 public:
  constexpr Needs() = default;
  constexpr Needs(std::initializer_list<Need> needs) {
    for (const Need need : needs) {
      bits_ |= bit(need);
    }
  }

  [[nodiscard]] constexpr bool has(Need need) const { return (bits_ & bit(need)) != 0; }
  constexpr void add(const Needs& others) { bits_ |= others.bits_; }

  bool operator==(const Needs&) const = default;

 private:
  static constexpr std::uint32_t bit(Need need) {
    return std::uint32_t{1} << static_cast<unsigned>(need);
  }

  std::uint32_t bits_ = 0;
};

}  // namespace kinst::d
