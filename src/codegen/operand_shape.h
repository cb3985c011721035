// What of an instruction the code of its program depends on. Probes whose instructions
// have one shape share a program, which looks the rest up.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "d/builtin.h"
#include "d/typed_program.h"
#include "isa/instruction.h"
#include "kernel/debug_information.h"

namespace kinst::codegen {

/// How much of a register is a kernel function's result: of an int the lower half, and
/// what is above is left over from other work (System V ABI, AMD64 supplement, 3.2.3).
struct ResultType {
  std::uint64_t size_bytes = 8;
  bool is_signed = true;

  auto operator<=>(const ResultType&) const = default;
};
/// By the keys of probes at kernel functions' returns. What is not there is a whole
/// register.
using ResultTypes = std::map<std::uint64_t, ResultType>;

/// What clauses compute from the instruction at a probe.
struct OperandUse {
  std::uint64_t facts = 0;  ///< a bit for each built-in
  std::vector<d::typed::LocalId> locals;
  bool result = false;  ///< arg1, which is the result where a function returns

  [[nodiscard]] bool has(d::Builtin builtin) const {
    return ((facts >> static_cast<unsigned>(builtin)) & 1U) != 0;
  }
  [[nodiscard]] bool is_empty() const { return facts == 0 && locals.empty(); }
};

/// Whether the built-in depends on the decoded instruction.
bool is_operand_fact(d::Builtin builtin);

/// Adds what a clause uses.
void add_use(const d::typed::Clause& clause, OperandUse& use);

/// Whether a clause uses any.
bool uses_operands(const d::typed::Clause& clause);

/// Whether a clause uses arg1.
bool uses_result(const d::typed::Clause& clause);

/// By a probe's key and the number of a local variable, where that is.
using LocalPlaces =
    std::map<std::pair<std::uint64_t, d::typed::LocalId>, kernel::VariableLocation>;

/// Constants of the instruction that are looked up are 0 in it, and so is what is not
/// used.
struct OperandShape {
  std::optional<isa::MemoryOperand> memory;
  isa::Branch branch;
  /// By LocalId.
  std::vector<kernel::VariableLocation> locals;
  ResultType result;

  auto operator<=>(const OperandShape&) const = default;
};

OperandShape shape_of(const isa::Instruction& instruction, const OperandUse& use);

/// The constants of an instruction that are looked up where they differ within a
/// program.
enum class OperandConstant : std::uint8_t {
  Displacement,
  Target,  ///< of a direct branch
  Next,    ///< the address behind the instruction
  SizeBytes,
  IsRead,
  IsWritten,
  Length,
  Goes,  ///< it always leaves for its target
};

/// A row of the map of operands, by OperandConstant.
using OperandRow = std::array<std::uint64_t, 8>;

OperandRow operand_row(const isa::Instruction& instruction);

constexpr std::size_t index_of(OperandConstant constant) {
  return static_cast<std::size_t>(constant);
}

}  // namespace kinst::codegen
