// What the machine of fake_machine_for_tests.h does with its instructions: a second
// description of them, with which tests compare what is made of the first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/fake_machine_for_tests.h"

namespace kinst::isa::testing::fake {

/// struct pt_regs.
struct SavedRegisters {
  std::uint64_t flags = 0;
  std::uint64_t program_counter = 0;
  std::array<std::uint64_t, 8> from_r7_to_r0{};

  [[nodiscard]] std::uint64_t& r(unsigned number) {
    return from_r7_to_r0.at(7 - number);
  }
  [[nodiscard]] std::uint64_t r(unsigned number) const {
    return from_r7_to_r0.at(7 - number);
  }
};

struct Execution {
  std::optional<std::uint64_t> address;  ///< of the memory that is used
  bool jumps = false;
  SavedRegisters after;  ///< what is loaded from memory is left out
};

/// Executes the instruction `word`, which stands at before.program_counter.
Execution execute(std::uint32_t word, const SavedRegisters& before);

}  // namespace kinst::isa::testing::fake
