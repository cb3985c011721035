#include "kernel/code/probeable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/system/read_file.h"
#include "kernel/code/reference_text.h"

namespace kinst::kernel {
namespace {

// A hexadecimal number and what follows it.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  if (!text.starts_with("0x")) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  const auto [end, problem] =
      std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  if (problem != std::errc{}) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::optional<AddressRange> parse_range(std::string_view line) {
  const auto begin = take_number(line);
  if (!begin || !line.starts_with('-')) {
    return std::nullopt;
  }
  line.remove_prefix(1);
  const auto end = take_number(line);
  if (!end) {
    return std::nullopt;
  }
  return AddressRange{.begin = KernelAddress{*begin}, .end = KernelAddress{*end}};
}

// From one symbol of the kernel image to another; nothing when they are missing.
std::optional<AddressRange> range_between(const Symbols& symbols,
                                          std::string_view begin,
                                          std::string_view end) {
  const auto first = symbols.address_of(begin);
  const auto last = symbols.address_of(end);
  if (!first || !last || !(*first < *last)) {
    return std::nullopt;
  }
  return AddressRange{.begin = *first, .end = *last};
}

// What populate_kprobe_blacklist() takes as a whole.
std::vector<AddressRange> blacklisted_sections(const Symbols& symbols) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> sections = {
      {{"__kprobes_text_start", "__kprobes_text_end"},
       {"__noinstr_text_start", "__noinstr_text_end"},
       {"__entry_text_start", "__entry_text_end"}}};
  std::vector<AddressRange> out;
  for (const auto& [begin, end] : sections) {
    if (const auto range = range_between(symbols, begin, end)) {
      out.push_back(*range);
    }
  }
  return out;
}

bool contains(const std::vector<AddressRange>& ranges, KernelAddress address) {
  return std::ranges::any_of(
      ranges, [&](const AddressRange& one) { return one.contains(address); });
}

bool has(const std::vector<KernelAddress>& sorted, KernelAddress address) {
  return std::ranges::binary_search(sorted, address);
}

// "14 (je vfs_read+0x13)", for pointing at other places in the function.
std::string place(const isa::Instruction& instruction, const Symbols& symbols,
                  const isa::Isa& isa) {
  const isa::Symbolize symbolize = [&](KernelAddress address) {
    return reference_text(instruction, address, symbols, isa);
  };
  return fmt::format("{} ({})", number(instruction.offset),
                     isa.text(instruction, isa::Syntax::Att, symbolize));
}

std::optional<Refused> patched_site_refusal(const isa::Instruction& instruction,
                                            const PatchedSites& sites,
                                            const isa::Isa& isa) {
  if (has(sites.jump_labels, instruction.address)) {
    return Refused{Refusal::JumpLabel,
                   "the kernel switches it between a nop and a jump (static key)"};
  }
  if (has(sites.static_calls, instruction.address)) {
    return Refused{Refusal::StaticCall,
                   "the kernel switches the target of this call (static call)"};
  }
  if (has(sites.bugs, instruction.address)) {
    // Newer kernels note the call that prints a warning, or what stands before it.
    return Refused{Refusal::Bug,
                   isa.is_trap(instruction)
                       ? "it is the trap of a WARN or BUG"
                       : "the kernel looks up by this address which WARN or BUG it is"};
  }
  return std::nullopt;
}

// Why kprobes of this machine and kernel cannot run the instruction; empty if they can.
std::string_view machine_refusal(const Function& function,
                                 const isa::Instruction& instruction,
                                 const ProbeRules& rules, const isa::Isa& isa) {
  for (std::size_t fault = 0; fault < isa.emulation_faults.size(); ++fault) {
    const bool is_right = fault < rules.emulated_right.size() &&
                          rules.emulated_right[fault].value_or(false);
    if (!is_right && isa.emulation_faults[fault].concerns(instruction)) {
      return isa.emulation_faults[fault].reason;
    }
  }
  return isa.unprobeable_reason(function.instructions, function.index_of(instruction));
}

}  // namespace

Result<std::vector<AddressRange>> parse_blacklist(std::string_view text) {
  std::vector<AddressRange> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const auto range = parse_range(line);
    if (!range) {
      return error("cannot understand the kprobe blacklist: '{}'", line);
    }
    out.push_back(*range);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::ranges::sort(out, {}, &AddressRange::begin);
  return out;
}

Result<ProbeRules> read_probe_rules(const Memory& memory, const Symbols& symbols) {
  ProbeRules out;
  const auto listed =
      read_file("/sys/kernel/debug/kprobes/blacklist").and_then(parse_blacklist);
  out.blacklist = listed ? *listed : blacklisted_sections(symbols);
  out.boot_text =
      range_between(symbols, "_sinittext", "_einittext").value_or(AddressRange{});
  out.sites = KINST_TRY(read_patched_sites(memory, symbols));
  return out;
}

std::optional<Symbol> whole_of_part(const Symbols& symbols, const Symbol& part) {
  const std::size_t dot = part.name.find('.');
  auto whole = dot == std::string::npos ? std::nullopt
                                        : symbols.find({}, part.name.substr(0, dot));
  return whole && whole->is_function() ? whole : std::nullopt;
}

std::optional<Refused> function_refusal(const Function& function, const Function* base,
                                        const ProbeRules& rules) {
  const KernelAddress address = function.address;
  if (rules.boot_text.contains(address)) {
    return Refused{Refusal::BootOnly,
                   "it ran while the kernel booted, and its memory has been freed"};
  }
  const bool blacklisted =
      contains(rules.blacklist, address) ||
      (base != nullptr && contains(rules.blacklist, base->address));
  if (blacklisted) {
    return Refused{Refusal::Blacklisted,
                   "the function is on the kernel's kprobe blacklist (entry and "
                   "exception code, and what kprobes themselves run through)"};
  }
  const bool traceable =
      function.has_tracer_call || (base != nullptr && base->has_tracer_call);
  if (rules.needs_tracer_call && !traceable) {
    return Refused{Refusal::NotTraceable,
                   "the kernel refuses probes in functions without a call to the "
                   "function tracer (notrace, assembly)"};
  }
  if (function.kernel_decodes_past_its_page) {
    return Refused{
        Refusal::EndOfModule,
        "it is the last of its module's text, and the kernel could read past "
        "the mapped memory and crash when it prepares a probe there"};
  }
  return std::nullopt;
}

std::optional<Refused> instruction_refusal(const Function& function,
                                           const isa::Instruction& instruction,
                                           const ProbeRules& rules,
                                           const PatchedSites& sites,
                                           const isa::Isa& isa) {
  if (!instruction.boundary_certain) {
    return Refused{Refusal::Undecodable,
                   "bytes before it in the function are no instruction that this "
                   "command knows, so where instructions begin is uncertain"};
  }
  if (instruction.decoding == isa::Decoding::Undecodable) {
    return Refused{Refusal::Undecodable,
                   "these bytes are no instruction that this command knows"};
  }
  if (number(instruction.offset) < function.landing_pad_bytes) {
    return Refused{Refusal::LandingPad,
                   fmt::format("it marks where indirect calls may land, and the kernel "
                               "moves a probe here to the next instruction, at {}; "
                               "entry means that one on every kernel",
                               function.landing_pad_bytes)};
  }
  if (contains(rules.blacklist, instruction.address)) {
    return Refused{Refusal::Blacklisted, "it is on the kernel's kprobe blacklist"};
  }
  if (auto refused = patched_site_refusal(instruction, sites, isa)) {
    return refused;
  }
  if (instruction.decoding == isa::Decoding::Breakpoint) {
    return Refused{Refusal::CannotStep, "it is a breakpoint instruction"};
  }
  const std::string_view reason = machine_refusal(function, instruction, rules, isa);
  return reason.empty()
             ? std::nullopt
             : std::optional(Refused{Refusal::CannotStep, std::string(reason)});
}

std::optional<Refused> offset_refusal(const Function& function, FunctionOffset offset,
                                      const Symbols& symbols, const isa::Isa& isa) {
  const isa::Instruction* instruction = function.at(offset);
  if (instruction == nullptr) {
    if (function.instructions.empty()) {
      return Refused{Refusal::PastEnd, "the function is empty"};
    }
    return Refused{
        Refusal::PastEnd,
        fmt::format("the function has {} bytes; its last instruction is at {}",
                    function.size_bytes,
                    place(function.instructions.back(), symbols, isa))};
  }
  if (instruction->offset == offset) {
    return std::nullopt;
  }
  const isa::Instruction* next = function.at(instruction->end());
  return Refused{
      Refusal::InsideInstruction,
      fmt::format(
          "it is inside the instruction at {}{}", place(*instruction, symbols, isa),
          next == nullptr
              ? std::string(", the last one")
              : fmt::format("; the next one is at {}", place(*next, symbols, isa)))};
}

}  // namespace kinst::kernel
