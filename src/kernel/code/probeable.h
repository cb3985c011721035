// Which instructions of the running kernel cannot be traced, and why: the kernel's own
// rules, asked in advance, so that the answer is a sentence and not EINVAL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "isa/isa.h"
#include "kernel/code/function.h"
#include "kernel/code/patched_sites.h"
#include "kernel/memory/address_range.h"
#include "kernel/memory/memory.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// The kinds of reasons. For some of them the function must be known, not only the
/// instruction.
enum class Refusal : std::uint8_t {
  InsideInstruction,
  PastEnd,
  Undecodable,   ///< no instruction, or an instruction behind undecodable bytes
  Blacklisted,   ///< kprobes themselves run through it, or could not come back
  BootOnly,      ///< its memory was given back after boot
  NotTraceable,  ///< kprobe events refuse functions that the tracer cannot trace
  EndOfModule,   ///< the kernel would crash: Function::kernel_decodes_past_its_page
  LandingPad,    ///< the kernel moves the probe to the next instruction
  JumpLabel,
  StaticCall,
  Bug,
  CannotStep,  ///< by what the instruction is, or what surrounds it
};

/// A reason, as the end of "cannot trace kinst::f:4: …".
struct Refused {
  Refusal refusal = Refusal::CannotStep;
  std::string reason;

  bool operator==(const Refused&) const = default;
};

/// What the rules depend on in this kernel.
struct ProbeRules {
  /// By `begin`; text in which kprobes are refused.
  std::vector<AddressRange> blacklist;
  AddressRange boot_text;
  PatchedSites sites;  ///< of all functions
  /// The results of is_emulated_right() (kernel/code/emulation_faults.h) for each of
  /// Isa::emulation_faults, each found out when a function has an instruction that the
  /// fault concerns. Missing and nothing count as false.
  std::vector<std::optional<bool>> emulated_right;
  /// Functions without a tracer call are refused: CONFIG_DYNAMIC_FTRACE without
  /// CONFIG_KPROBE_EVENTS_ON_NOTRACE.
  bool needs_tracer_call = true;
};

/// The ranges of /sys/kernel/debug/kprobes/blacklist, whose lines are
/// "0xffffffff81c00990-0xffffffff81c009b0\tasm_exc_divide_error".
/// Errors: another form.
Result<std::vector<AddressRange>> parse_blacklist(std::string_view text);

/// This kernel's rules, with the sites of the kernel image only, and without
/// emulated_right. If debugfs is not mounted, or its blacklist has another
/// form, the blacklist is made of the text sections that the kernel builds it from; it
/// then lacks single functions of modules. Errors: memory that cannot be read.
Result<ProbeRules> read_probe_rules(const Memory& memory, const Symbols& symbols);

/// The function that a part of a function was split off from: "vfs_read" for
/// "vfs_read.cold" and "vfs_read.isra.0"; nothing if `part` is whole or there is no
/// such function.
std::optional<Symbol> whole_of_part(const Symbols& symbols, const Symbol& part);

/// Why no instruction of the function can be traced; nothing if some can.
/// base: the result of whole_of_part(), or null: a reason that holds for the whole
/// function holds for its parts as well.
/// Source: kernel/kprobes.c, check_kprobe_address_safe and within_kprobe_blacklist;
/// kernel/trace/trace_kprobe.c, within_notrace_func.
std::optional<Refused> function_refusal(const Function& function, const Function* base,
                                        const ProbeRules& rules);

/// Why this instruction of a function that can be traced cannot; nothing if it can.
/// sites: of the function, see sites_within().
/// Source: the same, and the machine's (Isa::unprobeable_reason); on x86
/// arch/x86/kernel/kprobes/core.c, can_probe.
std::optional<Refused> instruction_refusal(const Function& function,
                                           const isa::Instruction& instruction,
                                           const ProbeRules& rules,
                                           const PatchedSites& sites,
                                           const isa::Isa& isa);

/// Why no instruction begins at `offset`; nothing if one does.
/// symbols: for the names of what instructions refer to.
std::optional<Refused> offset_refusal(const Function& function, FunctionOffset offset,
                                      const Symbols& symbols, const isa::Isa& isa);

}  // namespace kinst::kernel
