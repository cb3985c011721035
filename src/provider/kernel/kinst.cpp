// From a description to instructions: find the functions, take them apart, let the
// selector choose, and ask the kernel's rules about what it chose.
#include "provider/kernel/kinst.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/overloaded.h"
#include "base/text/cold_names.h"
#include "base/text/glob.h"
#include "base/text/near_names.h"
#include "kernel/code/function_exits.h"
#include "kernel/symbols/missing_function.h"
#include "provider/coverage.h"
#include "provider/kernel/coming.h"
#include "provider/kernel/function_arguments.h"

namespace kinst::provider {
namespace {

using isa::Instruction;
using kernel::ExaminedFunction;
using kernel::Function;

std::string probe_name(const Function& function, FunctionOffset offset) {
  return fmt::format("kinst:{}:{}:{}", function.module, function.name, number(offset));
}

// The place of the tracer's call is what runs first, and nothing jumps back there.
// Parts that were split off begin in the middle of a function, and have none.
bool is_entry(const Function& function, const Instruction& instruction) {
  return function.has_tracer_call &&
         number(instruction.offset) == function.landing_pad_bytes;
}

Probe make_probe(const Function& function, const Instruction& instruction) {
  return {.id = 0,
          .provider = "kinst",
          .module = function.module,
          .function = function.name,
          .name = fmt::format("{}", number(instruction.offset)),
          .site = KernelInstruction{.address = instruction.address,
                                    .function = function.address,
                                    .instruction = instruction,
                                    .is_entry = is_entry(function, instruction)},
          .key = number(instruction.address)};
}

// All names of the place that control goes to, or of what it lies in.
bool target_matches(const Instruction& instruction, std::string_view pattern,
                    const kernel::Symbols& symbols) {
  if (instruction.branch.target != isa::TargetKind::Direct) {
    return false;
  }
  const auto first = symbols.at(instruction.branch.address);
  return first && std::ranges::any_of(symbols.beginning_at(first->address),
                                      [&](const kernel::Symbol& symbol) {
                                        return glob_matches(pattern, symbol.name);
                                      });
}

// By what instructions are judged.
struct Judging {
  const kernel::Symbols& symbols;
  const kernel::ProbeRules& rules;
  const isa::Isa& isa;
};

// Whether a selector that goes by properties means the instruction. AtOffset and
// FunctionEntry look at the function as a whole and are dealt with where it is.
bool means(const Selector& selector, const Function& function,
           const Instruction& instruction, const kernel::Symbols& symbols,
           const isa::Isa& isa) {
  return std::visit(
      Overloaded{[](const EveryInstruction&) { return true; },
                 [&](const AtOffset& at) { return instruction.offset == at.offset; },
                 [&](const OffsetPattern& by) {
                   return glob_matches(by.pattern,
                                       fmt::format("{}", number(instruction.offset)));
                 },
                 [&](const OfClass& by) {
                   return instruction.is(by.instruction_class) &&
                          (by.target_pattern.empty() ||
                           target_matches(instruction, by.target_pattern, symbols));
                 },
                 [&](const OfMnemonic& by) {
                   return glob_matches(by.pattern, isa.mnemonic(instruction));
                 },
                 [](const FunctionEntry&) { return true; },
                 [](const FunctionInlined&) { return false; },
                 [&](const FunctionReturn&) {
                   return kernel::leaves(function, instruction, symbols);
                 },
                 [](const OfSourceLine&) { return false; },
                 [&](const AtAddresses& at) {
                   return std::ranges::find(at.addresses, instruction.address) !=
                          at.addresses.end();
                 }},
      selector);
}

// An offset that was asked for by number and that begins no instruction.
std::optional<Skipped> missed_offset(const Function& function, const Selector& selector,
                                     const Judging& judging) {
  const auto* at = std::get_if<AtOffset>(&selector);
  const auto refused =
      at == nullptr
          ? std::nullopt
          : kernel::offset_refusal(function, at->offset, judging.symbols, judging.isa);
  if (!refused) {
    return std::nullopt;
  }
  return Skipped{.probe = probe_name(function, at->offset), .reason = refused->reason};
}

// What is selected in one function, instructions, each with a verdict, added to what is
// selected in others.
void select_in(const ExaminedFunction& examined, const Selector& selector,
               const Judging& judging, Match& out) {
  if (auto missed = missed_offset(examined.function, selector, judging)) {
    out.skipped.push_back(*std::move(missed));
  }
  const bool only_first = std::holds_alternative<FunctionEntry>(selector);
  for (const Instruction& instruction : examined.function.instructions) {
    if (!means(selector, examined.function, instruction, judging.symbols,
               judging.isa)) {
      continue;
    }
    const auto refused = examined.refusal(instruction, judging.rules, judging.isa);
    if (!refused) {
      out.probes.push_back(make_probe(examined.function, instruction));
      if (only_first) {
        break;
      }
    } else if (!only_first || examined.refused) {
      out.skipped.push_back({.probe = probe_name(examined.function, instruction.offset),
                             .reason = refused->reason});
      if (only_first) {
        break;
      }
    }
  }
}

// What the function has instead of a mnemonic, as the end of a sentence.
std::string instead_of(const OfMnemonic& wanted, const Function& function,
                       const isa::Isa& isa) {
  const auto without = parse_selector(wanted.pattern);
  if (without && std::holds_alternative<OfClass>(*without)) {
    return fmt::format("; without '=', {} is a class of instructions", wanted.pattern);
  }
  std::set<std::string> mnemonics;
  for (const Instruction& instruction : function.instructions) {
    mnemonics.insert(isa.mnemonic(instruction));
  }
  NearNames near(wanted.pattern);
  for (const std::string& mnemonic : mnemonics) {
    near.offer(mnemonic);
  }
  const std::string question = near.question();
  return question.empty() ? fmt::format("; it has {}", fmt::join(mnemonics, ", "))
                          : "; " + question;
}

// Says why if there are no probes in so many functions, of which this is the first.
Result<Match> concluded(Match found, const Selector& selector, const Function& first,
                        std::size_t functions, const isa::Isa& isa) {
  if (!found.probes.empty()) {
    return found;
  }
  if (!found.skipped.empty()) {
    const Skipped& skipped = found.skipped.front();
    if (std::holds_alternative<AtOffset>(selector) ||
        std::holds_alternative<FunctionEntry>(selector)) {
      return error("cannot trace {}: {}", skipped.probe, skipped.reason);
    }
    found.why_none = fmt::format("nothing that it means can be traced; {}: {}",
                                 skipped.probe, skipped.reason);
  } else if (functions != 0) {
    const auto* mnemonic = std::get_if<OfMnemonic>(&selector);
    found.why_none =
        fmt::format("there is no such instruction in '{}'{}{}", first.name,
                    functions == 1 ? "" : " or the others",
                    mnemonic == nullptr ? "" : instead_of(*mnemonic, first, isa));
  }
  return found;
}

// Whether a function that has no symbol may stand within others. What is a variable is
// no function.
bool may_be_inlined(const d::Description& description, const kernel::Symbols& symbols) {
  if (is_glob(description.function)) {
    return false;
  }
  const std::string& module = description.module;
  const auto symbol = symbols.find({}, description.function);
  return (module.empty() || is_glob(module) || symbols.has_module(module)) &&
         (!symbol || symbol->is_function());
}

}  // namespace

Result<Match> select(std::span<const ExaminedFunction> functions,
                     const Selector& selector, const kernel::Symbols& symbols,
                     const kernel::ProbeRules& rules, const isa::Isa& isa) {
  Match out;
  for (const ExaminedFunction& examined : functions) {
    select_in(examined, selector, {symbols, rules, isa}, out);
  }
  return concluded(std::move(out), selector,
                   functions.empty() ? Function{} : functions.front().function,
                   functions.size(), isa);
}

// A function can have several names. Its instructions are one probe each, however often
// they are described, so all go by the name that was used first.
void KinstProvider::name_by_first_use(Function& function) {
  function.name =
      names_.try_emplace(number(function.address), function.name).first->second;
}

Result<Match> KinstProvider::match_nothing(const d::Description& description,
                                           const Selector& selector,
                                           const kernel::Symbols& symbols) {
  Match out;
  if ((std::holds_alternative<FunctionEntry>(selector) ||
       std::holds_alternative<FunctionReturn>(selector)) &&
      !is_glob(description.function)) {
    out = KINST_TRY(match_inlined(description, selector, symbols));
  }
  if (out.probes.empty()) {
    out.why_none =
        kernel::why_no_function(symbols, description.module, description.function);
    if (!is_glob(description.module) && !coming(description).probes.empty()) {
      out.why_none = with_waiting_offered(std::move(out.why_none));
    }
    if (may_be_inlined(description, symbols) &&
        !kernel_.debug.get(kernel::kernel_module)) {
      out.why_none = with_clause(
          std::move(out.why_none),
          "if it is inlined, only debug information tells where, and there is none");
    }
  }
  return out;
}

// The compiler may have made several functions of one, of which the description names
// one: told once for each. Unlikely parts (f.cold) are nothing that one asks for by the
// function's name, and an offset is one of the function that is named.
void KinstProvider::tell_siblings(const d::Description& description,
                                  const Selector& selector,
                                  const kernel::Symbols& symbols, Match& found) {
  if (found.probes.empty() || is_glob(description.function) ||
      std::holds_alternative<AtOffset>(selector) ||
      !told_siblings_.insert(description.module + ":" + description.function).second) {
    return;
  }
  std::set<std::string> names;
  for (const kernel::Symbol& sibling :
       symbols.functions(description.module, description.function + ".*")) {
    if (whole_of_cold_part(sibling.name).empty()) {
      names.insert(fmt::format("'{}'", sibling.name));
    }
  }
  if (!names.empty()) {
    found.notes.push_back(fmt::format(
        "{} does not mean {}, which the compiler made of {} too", written(description),
        fmt::join(names, ", "), description.function));
  }
}

Result<Match> KinstProvider::match(const d::Description& description) {
  const Selector selector = KINST_TRY(parse_selector(description.name));
  const auto* line = std::get_if<OfSourceLine>(&selector);
  const bool has_file = line != nullptr && !line->file.empty();
  if (description.function.empty() && !has_file) {
    return Match{
        .probes = {},
        .skipped = {},
        .notes = {},
        .why_none = line == nullptr
                        ? "kinst wants a function, as in kinst::vfs_read:"
                        : fmt::format("a line without a function is one of a file, "
                                      "kinst:::\"@FILE:{}\"",
                                      line->line)};
  }
  const auto& read = kernel_.symbols.get();
  if (!read) {
    return tl::unexpected(read.error());
  }
  const kernel::Symbols& symbols = *read;
  if (has_file && (description.function.empty() || is_glob(description.function))) {
    return match_line(description, *line, symbols);
  }
  if (std::holds_alternative<FunctionInlined>(selector)) {
    return match_inlined(description, selector, symbols);
  }
  const auto matching = symbols.functions(description.module, description.function);
  if (matching.empty()) {
    return match_nothing(description, selector, symbols);
  }
  KINST_CHECK(check_limit(description, matching.size(), matching.size()));
  Match found = KINST_TRY(match_functions(description, matching, selector));
  tell_siblings(description, selector, symbols, found);
  return found;
}

// An instruction that nobody has looked at may be one that the kernel is going to patch
// (static calls are, after the kernel has made probes) or that it runs wrongly, which
// would crash it; of the place of the tracer's call neither is true. So that alone is
// left to the kernel to find.
Match KinstProvider::coming(const d::Description& description) {
  Match found;
  const auto& symbols = kernel_.symbols.get();
  const auto selector = parse_selector(description.name);
  if (!symbols || !selector || !names_absent_module(description, *symbols)) {
    return found;
  }
  const bool is_entry = std::holds_alternative<FunctionEntry>(*selector);
  const bool has_source = std::holds_alternative<OfSourceLine>(*selector) ||
                          std::holds_alternative<FunctionInlined>(*selector);
  if (has_source || description.function.empty()) {
    found.why_none = "only instructions of functions are, and not by source lines";
  } else if (is_entry && names_function(description)) {
    found.probes.push_back(
        coming_probe(name(), description, "entry", ComingPlace::Instruction));
  } else {
    found.probes.push_back(
        awaited_probe(name(), description, description.name, ComingPlace::Instruction));
  }
  return found;
}

// One after the other: the code of all of them is more than a machine may have room
// for.
Result<Match> KinstProvider::match_functions(const d::Description& description,
                                             std::span<const kernel::Symbol> matching,
                                             const Selector& selector) {
  const kernel::Symbols& symbols = *kernel_.symbols.get();
  const auto* line = std::get_if<OfSourceLine>(&selector);
  Match out;
  Coverage coverage(matching);
  Function first;
  std::string why_no_line;
  std::size_t functions = 0;
  for (std::size_t number = 0; number < matching.size(); ++number) {
    if (number > 0 && matching[number - 1].address == matching[number].address) {
      continue;
    }
    KINST_CHECK(tell_progress(kernel_.progress, number, matching.size()));
    ExaminedFunction examined =
        KINST_TRY(kernel_.functions.read(symbols, matching[number]));
    name_by_first_use(examined.function);
    const Selector here =
        line == nullptr
            ? selector
            : Selector(KINST_TRY(addresses_in(examined.function, *line, why_no_line)));
    const std::size_t probes = out.probes.size();
    const std::size_t skipped = out.skipped.size();
    select_in(examined, here, {symbols, kernel_.functions.rules(), *isa_}, out);
    coverage.add(matching[number], out.probes.size() > probes,
                 std::span(out.skipped).subspan(skipped));
    if (functions++ == 0) {
      first = std::move(examined.function);
    }
    KINST_CHECK(check_limit(description, out.probes.size(), matching.size()));
  }
  out = KINST_TRY(concluded(std::move(out), selector, first, functions, *isa_));
  if (out.probes.empty() && out.skipped.empty() && !why_no_line.empty()) {
    out.why_none = std::move(why_no_line);
  }
  if (std::string told = coverage.told(description); !told.empty()) {
    out.notes.push_back(std::move(told));
  }
  return out;
}

std::vector<ProbeArgument> KinstProvider::arguments(const Probe& probe) const {
  if (!is_function_entry(probe)) {
    return {};
  }
  const auto prototype = types_->find_function(probe.function, probe.module);
  return prototype && *prototype ? entry_arguments(**prototype)
                                 : std::vector<ProbeArgument>{};
}

Result<void> KinstProvider::check_limit(const d::Description& description,
                                        std::size_t count,
                                        std::size_t functions) const {
  if (most_probes_ == 0 || count <= most_probes_) {
    return {};
  }
  return error(
      "kinst:{}:{}:{} means more than {} instructions, in {} function{}: name fewer, "
      "or set the limit with -x maxprobes=N (0 for none)",
      description.module, description.function, description.name, most_probes_,
      functions, functions == 1 ? "" : "s");
}

}  // namespace kinst::provider
