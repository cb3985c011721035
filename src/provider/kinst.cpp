// From a description to instructions: find the functions, take them apart, let the
// selector choose, and ask the kernel's rules about what it chose.
#include "provider/kinst.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/glob.h"
#include "base/overloaded.h"
#include "kernel/function_exits.h"
#include "kernel/missing_function.h"
#include "provider/source_selection.h"

namespace kinst::provider {
namespace {

using isa::Instruction;
using isa::InstructionClass;
using kernel::ExaminedFunction;
using kernel::Function;

std::string probe_name(const Function& function, FunctionOffset offset) {
  return fmt::format("kinst:{}:{}:{}", function.module, function.name, number(offset));
}

Probe make_probe(const Function& function, const Instruction& instruction) {
  return {.id = 0,
          .provider = "kinst",
          .module = function.module,
          .function = function.name,
          .name = fmt::format("{}", number(instruction.offset)),
          .site = KernelInstruction{.address = instruction.address,
                                    .function = function.address,
                                    .instruction = instruction},
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
                                      [&](const kernel::Symbol& one) {
                                        return glob_matches(pattern, one.name);
                                      });
}

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

// What is selected in one function: instructions, each with a verdict.
Match select_in(const ExaminedFunction& examined, const Selector& selector,
                const kernel::Symbols& symbols, const kernel::ProbeRules& rules,
                const isa::Isa& isa) {
  Match out;
  const bool only_first = std::holds_alternative<FunctionEntry>(selector);
  for (const Instruction& one : examined.function.instructions) {
    if (!means(selector, examined.function, one, symbols, isa)) {
      continue;
    }
    const auto refused = examined.refusal(one, rules, isa);
    if (!refused) {
      out.probes.push_back(make_probe(examined.function, one));
      if (only_first) {
        break;
      }
    } else if (!only_first || examined.refused) {
      out.skipped.push_back({.probe = probe_name(examined.function, one.offset),
                             .reason = refused->reason});
      if (only_first) {
        break;
      }
    }
  }
  return out;
}

// The offsets that were asked for by number and that begin no instruction.
std::vector<Skipped> missed_offsets(std::span<const ExaminedFunction> functions,
                                    const Selector& selector, const isa::Isa& isa) {
  std::vector<Skipped> out;
  const auto* at = std::get_if<AtOffset>(&selector);
  if (at == nullptr) {
    return out;
  }
  for (const ExaminedFunction& examined : functions) {
    if (const auto refused =
            kernel::offset_refusal(examined.function, at->offset, isa)) {
      out.push_back({.probe = probe_name(examined.function, at->offset),
                     .reason = refused->reason});
    }
  }
  return out;
}

// Whether a function that has no symbol may stand within others.
bool may_be_inlined(const d::Description& description, const kernel::Symbols& symbols) {
  const std::string& module = description.module;
  return !is_glob(description.function) &&
         (module.empty() || is_glob(module) || symbols.has_module(module));
}

}  // namespace

Result<Match> select(std::span<const ExaminedFunction> functions,
                     const Selector& selector, const kernel::Symbols& symbols,
                     const kernel::ProbeRules& rules, const isa::Isa& isa) {
  Match out;
  out.skipped = missed_offsets(functions, selector, isa);
  for (const ExaminedFunction& examined : functions) {
    Match found = select_in(examined, selector, symbols, rules, isa);
    std::ranges::move(found.probes, std::back_inserter(out.probes));
    std::ranges::move(found.skipped, std::back_inserter(out.skipped));
  }
  if (!out.probes.empty()) {
    return out;
  }
  if (!out.skipped.empty()) {
    const Skipped& first = out.skipped.front();
    if (std::holds_alternative<AtOffset>(selector) ||
        std::holds_alternative<FunctionEntry>(selector)) {
      return error("cannot trace {}: {}", first.probe, first.reason);
    }
    out.why_none = fmt::format("nothing that it means can be traced; {}: {}",
                               first.probe, first.reason);
    return out;
  }
  if (!functions.empty()) {
    out.why_none = fmt::format("there is no such instruction in '{}'{}",
                               functions.front().function.name,
                               functions.size() == 1 ? "" : " or the others");
  }
  return out;
}

// A function can have several names. Its instructions are one probe each, however often
// they are described, so all go by the name that was used first.
void KinstProvider::name_by_first_use(std::vector<ExaminedFunction>& functions) {
  for (ExaminedFunction& one : functions) {
    Function& function = one.function;
    function.name =
        names_.try_emplace(number(function.address), function.name).first->second;
  }
}

namespace {

// A function's first line begins with the landing pad, which is nothing to trace.
KernelAddress behind_landing_pad(const Function& function, KernelAddress address,
                                 const isa::Isa& isa) {
  const bool is_pad =
      address == function.address && !function.instructions.empty() &&
      isa.landing_pad_bytes(function.instructions.front().encoding()) != 0;
  return is_pad ? address + function.instructions.front().end() : address;
}

}  // namespace

// The line's addresses in each of the functions. Where it has none is told only if it
// has none in all.
Result<Match> KinstProvider::match_line(std::span<const ExaminedFunction> functions,
                                        const OfSourceLine& wanted,
                                        const kernel::Symbols& symbols) {
  AtAddresses at;
  std::string why_none;
  for (const ExaminedFunction& one : functions) {
    const Function& function = one.function;
    const auto* debug = KINST_TRY(debug_->get(function.module));
    const auto rows =
        debug->lines({.begin = function.address,
                      .end = function.address + FunctionOffset{function.size_bytes}});
    auto addresses = addresses_of_line(rows, wanted);
    for (KernelAddress& address : addresses) {
      address = behind_landing_pad(function, address, *isa_);
    }
    at.addresses.insert(at.addresses.end(), addresses.begin(), addresses.end());
    if (addresses.empty()) {
      why_none = fmt::format("{}: {}", function.name, why_no_line(rows, wanted));
    }
  }
  Match out = KINST_TRY(select(functions, at, symbols, reader_.rules(), *isa_));
  if (at.addresses.empty()) {
    out.why_none = std::move(why_none);
  }
  return out;
}

// Copies of a function that was inlined everywhere, found in debug information.
Result<Match> KinstProvider::match_inlined(const d::Description& description,
                                           const Selector& selector,
                                           const kernel::Symbols& symbols) {
  const std::string_view module =
      description.module.empty() ? kernel::kernel_module : description.module;
  Match out;
  const auto debug = debug_->get(module);
  if (!debug) {
    return out;
  }
  for (const kernel::InlinedCopy& copy :
       (*debug)->inlined_copies(description.function)) {
    const auto within = symbols.at(copy.entry);
    if (!within || !within->is_function()) {
      continue;
    }
    auto examined = KINST_TRY(reader_.read(symbols, std::span(&*within, 1)));
    name_by_first_use(examined);
    const AtAddresses at{
        std::holds_alternative<FunctionEntry>(selector)
            ? entry_of_copy(copy, examined.front(), reader_.rules(), *isa_)
            : exits_of_copy(copy, examined.front().function)};
    Match one = KINST_TRY(select(examined, at, symbols, reader_.rules(), *isa_));
    std::ranges::move(one.probes, std::back_inserter(out.probes));
    std::ranges::move(one.skipped, std::back_inserter(out.skipped));
  }
  return out;
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
    if (may_be_inlined(description, symbols) && !debug_->get(kernel::kernel_module)) {
      out.why_none += out.why_none.ends_with('?') ? " If" : "; if";
      out.why_none +=
          " it is inlined, only debug information tells where, and there is none";
    }
  }
  return out;
}

Result<Match> KinstProvider::match(const d::Description& description) {
  if (description.function.empty()) {
    return Match{.probes = {},
                 .skipped = {},
                 .why_none = "kinst wants a function, as in kinst::vfs_read:"};
  }
  const Selector selector = KINST_TRY(parse_selector(description.name));
  const auto& read = symbols_->get();
  if (!read) {
    return tl::unexpected(read.error());
  }
  const kernel::Symbols& symbols = *read;
  const auto matching = symbols.functions(description.module, description.function);
  if (matching.empty()) {
    return match_nothing(description, selector, symbols);
  }
  KINST_CHECK(check_limit(description, matching.size(), "functions"));
  auto examined = KINST_TRY(reader_.read(symbols, matching));
  name_by_first_use(examined);
  const auto* line = std::get_if<OfSourceLine>(&selector);
  Match out = KINST_TRY(
      line == nullptr ? select(examined, selector, symbols, reader_.rules(), *isa_)
                      : match_line(examined, *line, symbols));
  KINST_CHECK(check_limit(description, out.probes.size(), "instructions"));
  return out;
}

Result<void> KinstProvider::check_limit(const d::Description& description,
                                        std::size_t count,
                                        std::string_view what) const {
  if (most_probes_ == 0 || count <= most_probes_) {
    return {};
  }
  return error(
      "kinst:{}:{}:{} means {} {}, more than {} probes: name fewer, or lift the limit "
      "with -x maxprobes={} (0 for none)",
      description.module, description.function, description.name, count, what,
      most_probes_, count);
}

}  // namespace kinst::provider
