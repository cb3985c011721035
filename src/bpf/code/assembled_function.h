// A function whose jumps are resolved, but whose calls and maps are still names: what
// generated functions and the compiled runtime have in common before they are linked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bpf/code/bpf_instruction.h"

namespace kinst::bpf {

/// What an instruction refers to by name.
struct Reference {
  enum class Kind : std::uint8_t {
    Call,             ///< of a function
    FunctionAddress,  ///< an ld_imm64 of it
    Map,              ///< an ld_imm64 of the map
    MapValue,         ///< an ld_imm64 of the address of its first value + offset
  };
  Kind kind = Kind::Call;
  std::size_t instruction = 0;  ///< index in its function
  std::string name;
  std::uint32_t offset = 0;  ///< bytes, for MapValue

  bool operator==(const Reference&) const = default;
};

/// How the verifier is to look at a function.
enum class Verification : std::uint8_t {
  /// Once, by itself, for all values of its arguments, which are integers.
  OnItsOwn,
  /// Anew at each call, with what is known of the arguments there. Pointers may be
  /// passed.
  AtEachCall,
};

struct AssembledFunction {
  std::string name;
  Verification verification = Verification::AtEachCall;
  std::uint32_t parameter_count = 0;
  std::vector<Instruction> instructions;
  std::vector<Reference> references;

  bool operator==(const AssembledFunction&) const = default;
};

}  // namespace kinst::bpf
