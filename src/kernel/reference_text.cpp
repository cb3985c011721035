#include "kernel/reference_text.h"

namespace kinst::kernel {

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
  return symbol_text(symbols, address);
}

}  // namespace kinst::kernel
