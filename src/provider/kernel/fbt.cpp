// Names come from ftrace's list, addresses from the kernel's symbols. To list probes
// the names suffice, which spares reading the symbols.
#include "provider/kernel/fbt.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text/glob.h"
#include "base/text/near_names.h"
#include "kernel/symbols/missing_function.h"
#include "provider/coverage.h"
#include "provider/kernel/coming.h"
#include "provider/kernel/function_arguments.h"
#include "types/function_names.h"

namespace kinst::provider {
namespace {

using kernel::TraceableFunction;

bool field_covers(std::string_view pattern, std::string_view text) {
  return pattern.empty() || glob_matches(pattern, text);
}

bool covers_function(const d::Description& description, std::string_view module,
                     std::string_view function) {
  return field_covers(description.module, module) &&
         field_covers(description.function, function);
}

void add_probes(const d::Description& description, std::string_view module,
                std::string_view function, KernelAddress address, Match& found) {
  for (const Edge edge : {Edge::Entry, Edge::Return}) {
    const bool is_entry = edge == Edge::Entry;
    const char* name = is_entry ? "entry" : "return";
    if (!field_covers(description.name, name)) {
      continue;
    }
    found.probes.push_back(
        {.id = 0,
         .provider = "fbt",
         .module = std::string(module),
         .function = std::string(function),
         .name = name,
         .site = KernelFunction{.address = address, .edge = edge},
         .key = key_in(is_entry ? KeySpace::FunctionEntry : KeySpace::FunctionReturn,
                       number(address))});
  }
}

// Whether it is one of them, all with addresses or all without. ftrace is called from
// a function's first bytes, behind what marks it as the target of calls.
bool is_wanted(const std::vector<TraceableFunction>& wanted,
               const kernel::Symbol& symbol) {
  constexpr std::uint64_t longest_mark = 16;
  auto one = std::ranges::lower_bound(
      wanted, TraceableFunction{.name = symbol.name, .module = symbol.module});
  for (;
       one != wanted.end() && one->name == symbol.name && one->module == symbol.module;
       ++one) {
    if (one->site == 0 || one->site - number(symbol.address) <= longest_mark) {
      return true;
    }
  }
  return false;
}

// What the description may mean in modules that are not loaded.
std::vector<Probe> coming_probes(const d::Description& description,
                                 const kernel::Symbols& symbols) {
  std::vector<Probe> probes;
  if (!names_absent_module(description, symbols)) {
    return probes;
  }
  for (const ComingPlace place : {ComingPlace::Entry, ComingPlace::Return}) {
    const char* name = place == ComingPlace::Entry ? "entry" : "return";
    if (!field_covers(description.name, name)) {
      continue;
    }
    probes.push_back(names_function(description)
                         ? coming_probe("fbt", description, name, place)
                         : awaited_probe("fbt", description, name, place));
  }
  return probes;
}

Result<kernel::TraceableFunctions> functions_to_trace() {
  return kernel::TraceableFunctions::read(kernel::Sites::Wanted);
}

// Who may not read tracefs may read BTF, which names most of the functions, and a few
// that cannot be traced.
Result<kernel::TraceableFunctions> functions_to_list() {
  auto functions = kernel::TraceableFunctions::read(kernel::Sites::NotWanted);
  if (functions) {
    return functions;
  }
  const auto named = types::function_names();
  if (!named || named->empty()) {
    return functions;
  }
  std::string text;
  for (const types::FunctionName& one : *named) {
    fmt::format_to(std::back_inserter(text), "{} [{}]\n", one.name, one.module);
  }
  return kernel::TraceableFunctions::parse(std::move(text));
}

}  // namespace

// Why the tracer cannot be called in the function, as far as kprobes share the reason.
std::string FbtProvider::why_not(const kernel::Symbol& function) const {
  const auto examined = reader_->read(*symbols_->get(), function);
  if (!examined) {
    return examined.error().message;
  }
  return examined->refused
             ? examined->refused->reason
             : fmt::format(
                   "the function tracer does not list it; kinst:{}:{}:entry may do",
                   function.module, function.name);
}

std::string FbtProvider::why_none(const d::Description& description,
                                  const kernel::TraceableFunctions& functions) const {
  NearNames near(description.function);
  bool is_known = false;
  for (const TraceableFunction& function : functions.all()) {
    is_known = is_known || covers_function(description, function.module, function.name);
    near.offer(function.name);
  }
  if (is_known) {
    return "fbt's probes are named entry and return";
  }
  const auto& symbols = symbols_->get();
  if (!symbols) {
    return near.question();
  }
  if (description.function.empty()) {
    return kernel::why_no_module(*symbols, description.module);
  }
  const auto all = symbols->functions(description.module, description.function);
  if (all.empty()) {
    std::string reason =
        kernel::why_no_function(*symbols, description.module, description.function);
    const bool would_come = purpose_ == Purpose::Tracing &&
                            !is_glob(description.module) &&
                            !coming_probes(description, *symbols).empty();
    return would_come ? with_waiting_offered(std::move(reason)) : reason;
  }
  return fmt::format(
      "cannot trace fbt:{}:{}{}: {}", all.front().module, all.front().name,
      all.size() == 1 ? std::string()
                      : fmt::format(", the first of {} functions", all.size()),
      why_not(all.front()));
}

Match FbtProvider::coming(const d::Description& description) {
  Match found;
  if (description.provider.empty()) {
    return found;  // another's, which has its own probes
  }
  if (const auto& symbols = symbols_->get()) {
    found.probes = coming_probes(description, *symbols);
  }
  return found;
}

Result<Match> FbtProvider::match(const d::Description& description) {
  // Another provider's probe names, such as "tick-1s" without a provider, are not worth
  // reading tens of thousands of functions for.
  if (!field_covers(description.name, "entry") &&
      !field_covers(description.name, "return") && description.provider.empty()) {
    return Match{};
  }
  if (!functions_) {
    functions_ =
        purpose_ == Purpose::Listing ? functions_to_list() : functions_to_trace();
  }
  if (!*functions_) {
    return tl::unexpected(functions_->error());
  }
  const kernel::TraceableFunctions& functions = **functions_;
  Match found =
      KINST_TRY(purpose_ == Purpose::Listing ? match_names(description, functions)
                                             : match_symbols(description, functions));
  if (found.probes.empty()) {
    found.why_none = why_none(description, functions);
  }
  return found;
}

Result<Match> FbtProvider::match_names(const d::Description& description,
                                       const kernel::TraceableFunctions& functions) {
  Match found;
  if (description.function.empty()) {
    found.probes.reserve(2 * functions.all().size());
  }
  for (const TraceableFunction& function : functions.all()) {
    if (covers_function(description, function.module, function.name)) {
      add_probes(description, function.module, function.name, KernelAddress{}, found);
    }
  }
  return found;
}

// A name that several functions have is on both lists as often as there are functions,
// unless some cannot be traced: those the kernel refuses, when it is asked to.
Result<Match> FbtProvider::match_symbols(
    const d::Description& description,
    const kernel::TraceableFunctions& functions) const {
  std::vector<TraceableFunction> wanted;
  std::ranges::copy_if(functions.all(), std::back_inserter(wanted),
                       [&](const TraceableFunction& function) {
                         return covers_function(description, function.module,
                                                function.name);
                       });
  Match found;
  if (wanted.empty()) {
    return found;
  }
  std::ranges::sort(wanted);
  const auto& symbols = symbols_->get();
  if (!symbols) {
    return tl::unexpected(symbols.error());
  }
  const auto all = symbols->functions(description.module, description.function);
  for (const kernel::Symbol& symbol : all) {
    if (is_wanted(wanted, symbol)) {
      add_probes(description, symbol.module, symbol.name, symbol.address, found);
    }
  }
  if (!description.function.empty() && !is_glob(description.function)) {
    tell_others(description, all, found);
  }
  return found;
}

// Of functions that share the name that was given, those that cannot be traced.
void FbtProvider::tell_others(const d::Description& description,
                              std::span<const kernel::Symbol> all, Match& found) const {
  Coverage coverage(all);
  for (const kernel::Symbol& symbol : all) {
    const bool has_probe = std::ranges::any_of(found.probes, [&](const Probe& probe) {
      return std::get<KernelFunction>(probe.site).address == symbol.address;
    });
    const std::size_t skipped = found.skipped.size();
    if (!has_probe) {
      found.skipped.push_back({.probe = fmt::format("fbt:{}:{}:{}", symbol.module,
                                                    symbol.name, description.name),
                               .reason = why_not(symbol)});
    }
    coverage.add(symbol, has_probe, std::span(found.skipped).subspan(skipped));
  }
  if (std::string told = coverage.told(description); !told.empty()) {
    found.notes.push_back(std::move(told));
  }
}

std::vector<ProbeArgument> FbtProvider::arguments(const Probe& probe) const {
  const auto prototype = types_->find_function(probe.function, probe.module);
  if (!prototype || !*prototype) {
    return {};
  }
  if (is_function_entry(probe)) {
    return entry_arguments(**prototype);
  }
  std::vector<ProbeArgument> arguments;
  if (!std::holds_alternative<types::Void>(table_->resolved((*prototype)->result))) {
    arguments.push_back({.name = "offset", .type = table_->int64_type()});
    arguments.push_back({.name = "result", .type = (*prototype)->result});
  }
  return arguments;
}

}  // namespace kinst::provider
