#include "compile/instruction_text.h"

#include <variant>

#include "kernel/code/reference_text.h"

namespace kinst::compile {

std::string instruction_text(const provider::Probe& probe, record::Meaning what,
                             const isa::Isa& isa, kernel::LazySymbols& symbols) {
  const auto* site = std::get_if<provider::KernelInstruction>(&probe.site);
  if (site == nullptr) {
    return {};
  }
  if (what == record::Meaning::Mnemonic) {
    return isa.mnemonic(site->instruction);
  }
  if (what != record::Meaning::Instruction) {
    return {};
  }
  return isa.text(site->instruction, isa::Syntax::Att, [&](KernelAddress address) {
    const auto& known = symbols.get();
    return known ? kernel::reference_text(site->instruction, address, *known, isa)
                 : std::string();
  });
}

}  // namespace kinst::compile
