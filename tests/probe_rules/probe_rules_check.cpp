// Asks the running kernel, for every instruction of many functions, whether it accepts
// a kprobe there, and compares with what kernel/code/probeable.h predicts. To be run as
// root in a guest; nothing is ever enabled.
//
// usage: probe_rules_check EVERY [FUNCTION...]
//   checks every EVERYth function of the kernel and its modules, or the named ones.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "base/system/file_descriptor.h"
#include "kernel/code/emulation_faults.h"
#include "kernel/code/probeable.h"
#include "kernel/memory/core_file.h"

namespace kinst {
namespace {

using kernel::Function;
using kernel::Refusal;

constexpr const char* events_path = "/sys/kernel/tracing/kprobe_events";

bool write_line(const std::string& line) {
  const FileDescriptor file(::open(events_path, O_WRONLY | O_APPEND | O_CLOEXEC));
  return file && ::write(file.get(), line.data(), line.size()) ==
                     static_cast<ssize_t>(line.size());
}

// What the kernel accepts although we refuse it, for a reason that is ours.
bool may_be_stricter(Refusal refusal) {
  return refusal == Refusal::CannotStep || refusal == Refusal::LandingPad ||
         refusal == Refusal::EndOfModule;
}

struct Tally {
  std::size_t functions = 0;
  std::size_t accepted = 0;
  std::size_t refused = 0;
  std::size_t inside = 0;
  std::size_t wrong = 0;
  std::map<std::string, std::size_t> stricter;
  std::map<std::string, std::size_t> reasons;
};

class Checker {
 public:
  Checker(const kernel::Memory& memory, const kernel::Symbols& symbols,
          const kernel::ProbeRules& rules)
      : memory_(memory),
        symbols_(symbols),
        rules_(rules),
        text_(symbols.address_of("_text").value_or(KernelAddress{})) {}

  void check(const kernel::Symbol& symbol) {
    const auto function = read(symbol);
    if (!function) {
      fmt::print("{}: {}\n", symbol.name, function.error().message);
      ++tally.wrong;
      return;
    }
    ++tally.functions;
    const auto whole = whole_refusal(*function);
    const auto sites = kernel::sites_within(
        rules_.sites,
        {.begin = function->address,
         .end = function->address + FunctionOffset{function->size_bytes}});
    for (const isa::Instruction& one : function->instructions) {
      const auto refused = whole ? whole
                                 : kernel::instruction_refusal(*function, one, rules_,
                                                               sites, isa::native());
      compare(*function, one, refused);
      // One place inside each longer instruction must be refused as well.
      if (one.length > 1 && !whole && one.boundary_certain) {
        ++tally.inside;
        if (accepts(*function, FunctionOffset{number(one.offset) + 1})) {
          report(*function, one, "accepted inside", "");
        }
      }
    }
    forget_probes();
  }

  Tally tally;

 private:
  Result<Function> read(const kernel::Symbol& symbol) const {
    return kernel::read_function(memory_, symbols_, symbol, {}, isa::native());
  }

  std::optional<kernel::Refused> whole_refusal(const Function& function) const {
    const auto symbol = symbols_.at(function.address);
    const auto base = kernel::whole_of_part(symbols_, *symbol);
    const auto base_function = base ? read(*base) : Result<Function>{};
    return kernel::function_refusal(
        function, base && base_function ? &*base_function : nullptr, rules_);
  }

  bool accepts(const Function& function, FunctionOffset offset) {
    const KernelAddress address = function.address + offset;
    const std::string place =
        function.module == kernel::kernel_module
            ? fmt::format("_text+{}", number(address - text_))
            : fmt::format("{}:{}+{}", function.module, function.name, number(offset));
    return write_line(
        fmt::format("p:kinst_check/probe{} {}\n", asked_++ / in_one_event, place));
  }

  // Adding a probe to an event takes the longer the more it has; removing one event
  // takes as long as removing a probe.
  static constexpr std::size_t in_one_event = 64;

  void forget_probes() {
    for (std::size_t i = 0; i <= asked_ / in_one_event; ++i) {
      write_line(fmt::format("-:kinst_check/probe{}\n", i));
    }
    asked_ = 0;
  }

  void compare(const Function& function, const isa::Instruction& one,
               const std::optional<kernel::Refused>& refused) {
    const bool accepted = accepts(function, one.offset);
    accepted ? ++tally.accepted : ++tally.refused;
    if (refused) {
      ++tally.reasons[refused->reason];
    }
    if (refused && accepted && may_be_stricter(refused->refusal)) {
      ++tally.stricter[refused->reason];
    } else if (refused && accepted) {
      report(function, one, "accepted", refused->reason);
    } else if (!refused && !accepted) {
      report(function, one, "refused", std::strerror(errno));
    }
  }

  void report(const Function& function, const isa::Instruction& one,
              std::string_view what, std::string_view why) {
    ++tally.wrong;
    fmt::print("{}:{}+{} {}: {} ({})\n", function.module, function.name,
               number(one.offset), isa::native().text(one, isa::Syntax::Att, {}), what,
               why);
  }

  const kernel::Memory& memory_;
  const kernel::Symbols& symbols_;
  const kernel::ProbeRules& rules_;
  KernelAddress text_;
  std::size_t asked_ = 0;
};

Result<bool> run(std::size_t every, std::span<char*> names) {
  const auto symbols = KINST_TRY(kernel::Symbols::read());
  const auto memory = KINST_TRY(kernel::CoreFile::open());
  auto rules = KINST_TRY(kernel::read_probe_rules(*memory, symbols));
  for (const isa::EmulationFault& fault : isa::native().emulation_faults) {
    rules.emulated_right.push_back(
        KINST_TRY(kernel::is_emulated_right(*memory, symbols, fault)));
  }
  KINST_CHECK(kernel::add_module_sites(*memory, symbols, rules.sites));
  Checker checker(*memory, symbols, rules);
  std::size_t number = 0;
  for (const kernel::Symbol& symbol : symbols.functions("", "")) {
    if (names.empty() ? ++number % every == 0 && symbol.size_bytes < 0x4000
                      : std::ranges::find(names, symbol.name) != names.end()) {
      checker.check(symbol);
    }
  }
  const Tally& tally = checker.tally;
  fmt::print("{} functions: {} instructions accepted, {} refused; {} places inside\n",
             tally.functions, tally.accepted, tally.refused, tally.inside);
  for (const auto& [reason, count] : tally.reasons) {
    fmt::print("{:6} predicted: {}\n", count, reason);
  }
  for (const auto& [reason, count] : tally.stricter) {
    fmt::print("{:6} the kernel would accept: {}\n", count, reason);
  }
  fmt::print("{} predictions were wrong\n", tally.wrong);
  return tally.wrong == 0 && tally.functions > 0;
}

}  // namespace
}  // namespace kinst

int main(int argc, char** argv) {
  const std::size_t every = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
  if (every == 0) {
    fmt::print(stderr, "usage: probe_rules_check EVERY [FUNCTION...]\n");
    return 2;
  }
  const auto good =
      kinst::run(every, std::span(argv, static_cast<std::size_t>(argc)).subspan(2));
  if (!good) {
    fmt::print(stderr, "probe_rules_check: {}\n", good.error().message);
    return 1;
  }
  return *good ? 0 : 1;
}
