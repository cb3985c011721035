#include "command/report_inlined.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <variant>

#include "command/report.h"

namespace kinst::command {
namespace {

// More are not looked for: each takes a walk through the unit that it is in.
constexpr std::size_t most_functions = 100;

// Where the function of a probe at its entry or its return begins.
KernelAddress entered_function(const provider::Probe& probe) {
  if (const auto* function = std::get_if<provider::KernelFunction>(&probe.site)) {
    return function->address;
  }
  const auto* one = std::get_if<provider::KernelInstruction>(&probe.site);
  return one != nullptr && one->is_entry ? one->function : KernelAddress{};
}

// By address, a probe of each function.
std::map<KernelAddress, const provider::Probe*> entered_functions(
    const compile::Matches& matches) {
  std::map<KernelAddress, const provider::Probe*> functions;
  for (const provider::Probe& probe : matches.probes.all()) {
    const KernelAddress function = entered_function(probe);
    if (function != KernelAddress{}) {
      functions.emplace(function, &probe);
    }
    if (functions.size() == most_functions) {
      break;
    }
  }
  return functions;
}

const kernel::DebugInformation* debug_of(std::string_view module, bool may_open,
                                         kernel::LazyDebugInformation& debug) {
  if (!may_open) {
    return debug.opened(module);
  }
  const auto opened = debug.get(module);
  return opened ? *opened : nullptr;
}

}  // namespace

void tell_inlined(const compile::Matches& matches, kernel::LazyDebugInformation& debug,
                  const CommandLine& line) {
  if (line.settings.output.quiet) {
    return;
  }
  std::string first;
  std::size_t functions = 0;
  for (const auto& [address, probe] : entered_functions(matches)) {
    const auto* known = debug_of(probe->module, line.is_verbose, debug);
    const auto copies = known == nullptr
                            ? kernel::DebugInformation::NearCopies{}
                            : known->copies_beside(address, probe->function);
    if (copies.count != 0 && functions++ == 0) {
      first = fmt::format(
          "{} is also inlined in {}{} place{}, where no probe of its own fires; {}",
          probe->function, copies.may_be_more ? "at least " : "", copies.count,
          copies.count == 1 ? "" : "s",
          fmt::format("kinst:{}:{}:inlined means those", probe->module,
                      probe->function));
    }
  }
  if (functions == 1) {
    say(line, first);
  } else if (functions > 1) {
    say(line, fmt::format("{}; so are {} other functions", first, functions - 1));
  }
}

}  // namespace kinst::command
