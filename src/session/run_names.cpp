// Names are looked up when something is printed, never at a hit.
#include "session/run_names.h"

#include <variant>

namespace kinst::session {

RunNames::RunNames(const std::vector<provider::Probe>& probes,
                   kernel::LazySymbols& symbols, user::Processes& processes,
                   const isa::Isa& isa)
    : symbols_(&symbols), isa_(&isa), processes_(&processes) {
  for (const provider::Probe& probe : probes) {
    probes_.emplace(probe.key, &probe);
  }
}

std::optional<consumer::Place> RunNames::kernel_place(std::uint64_t address) {
  const auto& symbols = symbols_->get();
  if (!symbols) {
    return std::nullopt;
  }
  const kernel::Symbol* symbol = symbols->at(KernelAddress{address});
  if (symbol == nullptr) {
    return std::nullopt;
  }
  return consumer::Place{.object = std::string(symbol->module),
                         .symbol = std::string(symbol->name),
                         .offset = address - number(symbol->address)};
}

std::optional<consumer::Place> RunNames::user_place(std::uint64_t process,
                                                    std::uint64_t address) {
  auto place = processes_->place(static_cast<pid_t>(process), address);
  if (!place) {
    return std::nullopt;
  }
  return consumer::Place{.object = std::move(place->object),
                         .symbol = std::move(place->symbol),
                         .offset = place->offset};
}

const provider::Probe* RunNames::probe(std::uint64_t key) {
  const auto found = probes_.find(key);
  return found == probes_.end() ? nullptr : found->second;
}

std::string RunNames::instruction(record::Meaning what, std::uint64_t key) {
  const provider::Probe* known = probe(key);
  const auto* site = known == nullptr
                         ? nullptr
                         : std::get_if<provider::KernelInstruction>(&known->site);
  if (site == nullptr) {
    return {};
  }
  if (what == record::Meaning::Mnemonic) {
    return isa_->mnemonic(site->instruction);
  }
  if (what != record::Meaning::Instruction) {
    return {};
  }
  return isa_->text(site->instruction, isa::Syntax::Att, [&](KernelAddress address) {
    const auto& symbols = symbols_->get();
    return symbols ? kernel::symbol_text(*symbols, address) : std::string();
  });
}

}  // namespace kinst::session
