#include "kernel/code/reference_text.h"

namespace kinst::kernel {

KernelAddress behind_prefix(const Symbols& symbols, KernelAddress address) {
  const auto symbol = symbols.at(address);
  return symbol && is_prefix_symbol(symbol->name)
             ? symbol->address + FunctionOffset{symbol->size_bytes}
             : address;
}

std::string reference_text(const isa::Instruction& instruction, KernelAddress address,
                           const Symbols& symbols, const isa::Isa& isa) {
  for (const Symbol& symbol : symbols.beginning_at(address)) {
    isa::Instruction copy = instruction;  // is resolved already
    copy.branch = {.target = isa::TargetKind::Direct, .address = address};
    if (isa.resolve_thunk(copy, symbol.name)) {
      std::string name(symbol.name);
      return name;
    }
  }
  return symbol_text(symbols, behind_prefix(symbols, address));
}

}  // namespace kinst::kernel
