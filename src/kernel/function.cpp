#include "kernel/function.h"

#include <algorithm>

namespace kinst::kernel {
namespace {

// Whether a call at a function's entry goes to the function tracer: to its own code, or
// to what it and BPF compile at run time, which has no symbol or one of their modules.
bool is_tracer(const Symbols& symbols, KernelAddress target) {
  const Symbol* symbol = symbols.at(target);
  return symbol == nullptr || symbol->module == "__builtin__ftrace" ||
         symbol->module == "bpf" || symbol->name.starts_with("ftrace_") ||
         symbol->name == "__fentry__";
}

// The function is described as it is when nobody traces it, whether or not somebody
// does. Returns whether there is a place for the tracer's call.
bool undo_tracer_call(std::vector<std::byte>& text, const Symbols& symbols,
                      KernelAddress address, const isa::Isa& isa) {
  const std::optional<FunctionOffset> place = isa.tracer_call(text);
  if (!place) {
    return false;
  }
  const auto site = std::span(text).subspan(number(*place), isa.tracer_nop.size());
  const isa::Instruction first = isa.decode(site, address + *place).front();
  if (!first.is(isa::InstructionClass::Call)) {
    return true;
  }
  if (!is_tracer(symbols, first.branch.address)) {
    return false;
  }
  std::ranges::copy(isa.tracer_nop, site.begin());
  return true;
}

// Control does not go on behind it, as far as can be seen. (A call may not return.)
bool can_be_last(const isa::Instruction& instruction) {
  return instruction.is(isa::InstructionClass::Return) ||
         instruction.is(isa::InstructionClass::Jump) ||
         instruction.is(isa::InstructionClass::Call);
}

// Padding up to the next function is not the function's. Sizes by symbols include it.
void drop_padding(std::vector<isa::Instruction>& instructions, const isa::Isa& isa) {
  const auto last =
      std::find_if_not(instructions.rbegin(), instructions.rend(),
                       [&](const isa::Instruction& one) { return isa.is_filler(one); });
  if (last == instructions.rend()) {
    return;
  }
  // A trap, as BUG makes, ends functions too; it is what kprobes refuse to step.
  if (can_be_last(*last) || !isa.unprobeable_reason(*last).empty()) {
    instructions.erase(last.base(), instructions.end());
  }
}

}  // namespace

const isa::Instruction* Function::at(FunctionOffset offset) const {
  const auto behind =
      std::ranges::upper_bound(instructions, offset, {}, &isa::Instruction::offset);
  if (behind == instructions.begin() || number(offset) >= size_bytes) {
    return nullptr;
  }
  return &*std::prev(behind);
}

Function decode_function(const Symbols& symbols, const Symbol& symbol,
                         std::span<const std::byte> text, const isa::Isa& isa) {
  std::vector<std::byte> bytes(text.begin(), text.end());
  Function out{.module = std::string(symbol.module),
               .name = std::string(symbol.name),
               .address = symbol.address};
  out.has_tracer_call = undo_tracer_call(bytes, symbols, symbol.address, isa);
  out.instructions = isa.decode(bytes, symbol.address);
  for (isa::Instruction& one : out.instructions) {
    if (one.branch.target == isa::TargetKind::Direct) {
      const Symbol* target = symbols.at(one.branch.address);
      if (target != nullptr && target->address == one.branch.address) {
        isa.resolve_thunk(one, target->name);
      }
    }
  }
  drop_padding(out.instructions, isa);
  out.size_bytes = out.instructions.empty() ? 0 : number(out.instructions.back().end());
  return out;
}

Result<Function> read_function(const Memory& memory, const Symbols& symbols,
                               const Symbol& symbol, std::span<const LiveProbe> probes,
                               const isa::Isa& isa) {
  auto text = KINST_TRY(memory.bytes(symbol.address, symbol.size_bytes));
  restore_probed_text(text, symbol.address, probes, isa.breakpoint.front());
  return decode_function(symbols, symbol, text, isa);
}

}  // namespace kinst::kernel
