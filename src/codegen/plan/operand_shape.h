// The shape of an instruction: those of its properties that the code of its program
// depends on. Probes whose instructions have the same shape share a program, which
// looks up the other properties.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "d/tables/builtin.h"
#include "d/typed/typed_program.h"
#include "isa/instruction.h"
#include "kernel/debug/debug_information.h"

namespace kinst::codegen {

/// The part of a register that is a kernel function's result. An int is in the lower
/// half, and the upper half is left over from other work (System V ABI, AMD64
/// supplement, 3.2.3).
struct ResultType {
  std::uint64_t size_bytes = 8;
  bool is_signed = true;

  auto operator<=>(const ResultType&) const = default;
};
/// The result types by the keys of return probes. A function that is missing has a
/// whole register as its result.
using ResultTypes = std::map<std::uint64_t, ResultType>;

/// What clauses use of the instruction at a probe.
struct OperandUse {
  std::set<d::Builtin> facts;  ///< those that are computed from the instruction
  std::vector<d::typed::LocalId> locals;
  bool result = false;  ///< whether arg1 is used, which is the result at a return

  [[nodiscard]] bool has(d::Builtin builtin) const { return facts.contains(builtin); }
};

/// Adds what a clause uses to `use`.
void add_use(const d::typed::Clause& clause, OperandUse& use);

/// Whether a clause uses arg1.
bool uses_result(const d::typed::Clause& clause);

/// The places of local variables, by the probe's key and the variable's number.
using LocalPlaces =
    std::map<std::pair<std::uint64_t, d::typed::LocalId>, kernel::VariableLocation>;

/// The shape of an instruction. Constants that are looked up by probe are 0 here, and
/// so is everything that clauses do not use.
struct OperandShape {
  std::optional<isa::MemoryOperand> memory;
  isa::Branch branch;
  /// By LocalId.
  std::vector<kernel::VariableLocation> locals;
  ResultType result;

  auto operator<=>(const OperandShape&) const = default;
};

OperandShape shape_of(const isa::Instruction& instruction, const OperandUse& use);

/// The operand with those parts only of which its address is made: without what the
/// instruction adds to the base afterwards.
isa::MemoryOperand as_addressed(isa::MemoryOperand operand);

/// The constants of an instruction that are looked up if they differ within a program.
enum class OperandConstant : std::uint8_t {
  Displacement,
  Target,  ///< of a direct branch
  Next,    ///< the address behind the instruction
  SizeBytes,
  IsRead,
  IsWritten,
  Length,
  Goes,  ///< whether it always continues at its target
};

/// A row of the map of operands, by OperandConstant.
using OperandRow = std::array<std::uint64_t, 8>;

OperandRow operand_row(const isa::Instruction& instruction);

constexpr std::size_t index_of(OperandConstant constant) {
  return static_cast<std::size_t>(constant);
}

}  // namespace kinst::codegen
