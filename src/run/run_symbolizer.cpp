// Names are looked up when something is printed, never at a hit.
#include "run/run_symbolizer.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "compile/instruction_text.h"

namespace kinst::run {

RunSymbolizer::RunSymbolizer(const std::vector<provider::Probe>& probes,
                             kernel::LazySymbols& symbols,
                             kernel::LazyDebugInformation& debug,
                             user::Processes& processes, const isa::Isa& isa)
    : symbols_(&symbols), debug_(&debug), isa_(&isa), processes_(&processes) {
  for (const provider::Probe& probe : probes) {
    probes_.emplace(probe.key, &probe);
  }
}

std::optional<kernel::Symbol> RunSymbolizer::symbol_at(KernelAddress address) {
  {
    const std::lock_guard<std::mutex> lock(noting_);
    for (const auto& symbols : later_symbols_) {
      const auto& known = symbols->get();
      if (auto symbol = known ? known->at(address) : std::nullopt) {
        return symbol;
      }
    }
  }
  return symbols_->at_run_time(address);
}

std::optional<consumer::SymbolOffset> RunSymbolizer::kernel_place(
    std::uint64_t address) {
  const auto symbol = symbol_at(KernelAddress{address});
  if (!symbol) {
    return std::nullopt;
  }
  return consumer::SymbolOffset{.object = symbol->module,
                                .symbol = symbol->name,
                                .offset = address - number(symbol->address)};
}

std::optional<consumer::SymbolOffset> RunSymbolizer::user_place(std::uint64_t process,
                                                                std::uint64_t address) {
  if (!names_user_addresses_) {
    return std::nullopt;
  }
  // 0: the address came without a process, as a number for %A.
  const pid_t meant = process == 0 ? target_ : static_cast<pid_t>(process);
  if (has_changed(meant)) {
    if (user::Process* known = processes_->find(meant)) {
      known->refresh();
    }
  }
  auto place = processes_->place(meant, address);
  if (!place) {
    return std::nullopt;
  }
  return consumer::SymbolOffset{.object = std::move(place->object),
                                .symbol = std::move(place->symbol),
                                .offset = place->offset};
}

void RunSymbolizer::add(const provider::Probe& probe) {
  const std::lock_guard<std::mutex> lock(noting_);
  probes_.emplace(probe.key, &probe);
}

void RunSymbolizer::add_symbols(std::shared_ptr<kernel::LazySymbols> symbols) {
  constexpr std::size_t most = 8;
  const std::lock_guard<std::mutex> lock(noting_);
  later_symbols_.push_front(std::move(symbols));
  later_symbols_.resize(std::min(later_symbols_.size(), most));
}

void RunSymbolizer::note_change(pid_t process) {
  const std::lock_guard<std::mutex> lock(noting_);
  changed_.insert(process);
}

bool RunSymbolizer::has_changed(pid_t process) {
  const std::lock_guard<std::mutex> lock(noting_);
  return changed_.erase(process) != 0;
}

const provider::Probe* RunSymbolizer::probe(std::uint64_t key) {
  const std::lock_guard<std::mutex> lock(noting_);
  const auto found = probes_.find(key);
  return found == probes_.end() ? nullptr : found->second;
}

// Empty where there is no debug information.
const std::vector<kernel::LineRow>& RunSymbolizer::lines_of(
    const provider::Probe& probe, KernelAddress function) {
  const auto known = lines_.find(number(function));
  if (known != lines_.end()) {
    return known->second;
  }
  std::vector<kernel::LineRow> rows;
  const auto debug = debug_->get(probe.module);
  const auto& symbols = symbols_->get();
  const auto symbol = symbols ? symbols->at(function) : std::nullopt;
  if (debug && symbol) {
    rows = (*debug)->lines(
        {.begin = function, .end = function + FunctionOffset{symbol->size_bytes}});
  }
  return lines_.emplace(number(function), std::move(rows)).first->second;
}

std::string RunSymbolizer::line(record::Meaning what, const provider::Probe& probe,
                                const provider::KernelInstruction& site) {
  const kernel::LineRow* row =
      kernel::line_at(lines_of(probe, site.function), site.address);
  if (what == record::Meaning::SourceFile) {
    return row == nullptr ? std::string() : row->file;
  }
  return row == nullptr ? "0" : std::to_string(row->line);
}

std::string RunSymbolizer::instruction(record::Meaning what, std::uint64_t key) {
  const provider::Probe* known = probe(key);
  if (known == nullptr) {
    return {};
  }
  const auto* site = std::get_if<provider::KernelInstruction>(&known->site);
  const bool is_line =
      what == record::Meaning::SourceFile || what == record::Meaning::SourceLine;
  return site != nullptr && is_line
             ? line(what, *known, *site)
             : compile::instruction_text(*known, what, *isa_, *symbols_);
}

}  // namespace kinst::run
