// A breakpoint at an instruction is cheaper for the kernel to set than a probe at the
// tracer's call, for which it walks through all such calls: docs/providers.md has the
// times.
#include "provider/kernel/function_breakpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernel/code/cold_parts.h"
#include "kernel/code/function_exits.h"

namespace kinst::provider {
namespace {

using isa::Instruction;
using isa::InstructionClass;
using kernel::ExaminedFunction;

bool goes_to(const Instruction& instruction, KernelAddress place) {
  return (instruction.is(InstructionClass::Jump) ||
          instruction.is(InstructionClass::Branch)) &&
         instruction.branch.target == isa::TargetKind::Direct &&
         instruction.branch.address == place;
}

// Whether the jump goes through a table, so that it may lead anywhere in the function.
bool goes_by_table(const Instruction& instruction) {
  return instruction.is(InstructionClass::Jump) &&
         instruction.branch.target == isa::TargetKind::Memory &&
         instruction.memory.front().index != isa::RegisterId::None;
}

// The first instruction that the compiler made from the function's source, behind the
// tracer's call.
const Instruction* behind_tracer_call(const kernel::Function& function,
                                      const isa::Isa& isa) {
  const FunctionOffset behind{function.landing_pad_bytes + isa.tracer_nop.size()};
  const Instruction* first = function.has_tracer_call ? function.at(behind) : nullptr;
  return first != nullptr && first->offset == behind ? first : nullptr;
}

// The instruction to trace the entry at. It is executed once for each call only if
// nothing jumps back to it. It must not leave the function as well: two breakpoints
// would be at one address, and the kernel would run the one that was attached last
// first.
std::optional<KernelAddress> entry_of(std::span<const ExaminedFunction> parts,
                                      const kernel::Symbols& symbols,
                                      const kernel::ProbeRules& rules,
                                      const isa::Isa& isa) {
  const ExaminedFunction& whole = parts.front();
  const Instruction* first = behind_tracer_call(whole.function, isa);
  if (first == nullptr || whole.refusal(*first, rules, isa) ||
      kernel::leaves(whole.function, *first, symbols)) {
    return std::nullopt;
  }
  for (const ExaminedFunction& part : parts) {
    for (const Instruction& instruction : part.function.instructions) {
      if (goes_to(instruction, first->address) || goes_by_table(instruction)) {
        return std::nullopt;
      }
    }
  }
  return first->address;
}

// Adds the returns of one part. Returns why they cannot be traced, or an empty string.
std::string add_returns(const ExaminedFunction& part, const kernel::Symbols& symbols,
                        const kernel::ProbeRules& rules, const isa::Isa& isa,
                        std::vector<FunctionBreakpoint>& returns) {
  const kernel::Function& function = part.function;
  for (const Instruction& instruction : function.instructions) {
    if (instruction.decoding == isa::Decoding::Undecodable ||
        !instruction.boundary_certain) {
      return fmt::format("not all of its instructions are understood, from {}+{} on",
                         function.name, number(instruction.offset));
    }
    if (kernel::may_leave(function, instruction, symbols)) {
      return fmt::format("it leaves by a conditional jump, at {}+{}", function.name,
                         number(instruction.offset));
    }
    if (!kernel::leaves(function, instruction, symbols)) {
      continue;
    }
    if (const auto refused = part.refusal(instruction, rules, isa)) {
      return fmt::format("it returns at {}+{}, where the kernel allows no probe: {}",
                         function.name, number(instruction.offset), refused->reason);
    }
    returns.push_back({.address = instruction.address,
                       .has_result = instruction.is(InstructionClass::Return)});
  }
  return {};
}

}  // namespace

bool FunctionBreakpoints::have_results() const {
  return std::ranges::all_of(returns, &FunctionBreakpoint::has_result);
}

FunctionBreakpoints find_breakpoints(std::span<const ExaminedFunction> parts,
                                     const kernel::Symbols& symbols,
                                     const kernel::ProbeRules& rules,
                                     const isa::Isa& isa) {
  FunctionBreakpoints found;
  found.entry = entry_of(parts, symbols, rules, isa);
  for (const ExaminedFunction& part : parts) {
    found.why_no_returns = add_returns(part, symbols, rules, isa, found.returns);
    if (!found.why_no_returns.empty()) {
      found.returns.clear();
      return found;
    }
  }
  if (found.returns.empty()) {
    found.why_no_returns = "it never returns";
  }
  return found;
}

Result<std::vector<ExaminedFunction>> BreakpointFinder::read_parts(
    KernelAddress address, const kernel::Symbols& symbols) {
  std::vector<kernel::Symbol> wanted;
  for (const kernel::Symbol& symbol : symbols.beginning_at(address)) {
    if (symbol.is_function() && wanted.empty()) {
      wanted.push_back(symbol);
    }
  }
  auto parts = KINST_TRY(reader_->read(symbols, wanted));
  KINST_CHECK(kernel::add_cold_parts(parts, symbols, *reader_));
  return parts;
}

Result<const FunctionBreakpoints*> BreakpointFinder::find(KernelAddress address) {
  const auto known = found_.find(number(address));
  if (known != found_.end()) {
    return &known->second;
  }
  const auto& symbols = symbols_->get();
  if (!symbols) {
    return tl::unexpected(symbols.error());
  }
  const auto parts = KINST_TRY(read_parts(address, *symbols));
  FunctionBreakpoints found;
  if (parts.empty()) {
    found.why_no_returns = "it has no symbol";
  } else {
    found = find_breakpoints(parts, *symbols, reader_->rules(), *isa_);
  }
  return &found_.emplace(number(address), std::move(found)).first->second;
}

}  // namespace kinst::provider
