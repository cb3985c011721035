#include "kernel/code/function.h"

#include <algorithm>

#include "kernel/code/reference_text.h"

namespace kinst::kernel {
namespace {

// Whether a call at a function's entry goes to the function tracer: to its own code, or
// to what it and BPF compile at run time, where no symbol or one of their modules
// begins.
bool is_tracer(const Symbols& symbols, KernelAddress target, const isa::Isa& isa) {
  const auto named = symbols.beginning_at(target);
  return named.empty() || std::ranges::any_of(named, [&](const Symbol& symbol) {
           return symbol.module == "__builtin__ftrace" || symbol.module == "bpf" ||
                  symbol.name.starts_with("ftrace_") || symbol.name == isa.tracer_entry;
         });
}

// Whether the entry's instruction belongs to the tracer: a call of the tracer, or the
// nop in its place. Since Linux 7.0 it may also be a jump to code that BPF compiled
// (CONFIG_DYNAMIC_FTRACE_WITH_JMP). A function itself may begin with a jump to a place
// without a symbol as well; only a target outside of all functions is surely the
// tracer's.
bool is_tracers(const isa::Instruction& first, const Symbols& symbols,
                const isa::Isa& isa) {
  if (first.is(isa::InstructionClass::Jump)) {
    return is_tracer(symbols, first.branch.address, isa) &&
           !symbols.at(first.branch.address);
  }
  return !first.is(isa::InstructionClass::Call) ||
         is_tracer(symbols, first.branch.address, isa);
}

// Restores the text that the function has while nobody traces it. Returns whether the
// function has a place for the tracer's call.
bool undo_tracer_call(std::vector<std::byte>& text, const Symbols& symbols,
                      KernelAddress address, const isa::Isa& isa) {
  const std::optional<FunctionOffset> place = isa.tracer_call(text);
  if (!place) {
    return false;
  }
  const auto site = std::span(text).subspan(number(*place), isa.tracer_nop.size());
  const isa::Instruction first = isa.decode(site, address + *place).front();
  if (!is_tracers(first, symbols, isa)) {
    return false;
  }
  std::ranges::copy(isa.tracer_nop, site.begin());
  return true;
}

// The same for a place that the kernel has told. What the kernel writes there is as
// long as the nop.
void put_nop(std::vector<std::byte>& text, FunctionOffset place, const isa::Isa& isa) {
  if (number(place) + isa.tracer_nop.size() <= text.size()) {
    std::ranges::copy(isa.tracer_nop, std::span(text).subspan(number(place)).begin());
  }
}

// Control does not go on behind it, as far as can be seen. (A call may not return.) A
// trap, as BUG makes, ends functions too.
bool can_be_last(const isa::Instruction& instruction, const isa::Isa& isa) {
  return instruction.is(isa::InstructionClass::Return) ||
         instruction.is(isa::InstructionClass::Jump) ||
         instruction.is(isa::InstructionClass::Call) ||
         instruction.decoding != isa::Decoding::Good || isa.is_trap(instruction);
}

// Padding up to the next function is not the function's. Sizes by symbols include it.
void drop_padding(std::vector<isa::Instruction>& instructions, const isa::Isa& isa) {
  const auto last =
      std::find_if_not(instructions.rbegin(), instructions.rend(),
                       [&](const isa::Instruction& one) { return isa.is_filler(one); });
  if (last != instructions.rend() && can_be_last(*last, isa)) {
    instructions.erase(last.base(), instructions.end());
  }
}

// Describes a direct call or jump to code of the compiler's or the kernel's as what
// that stands for.
void resolve_target(isa::Instruction& one, const Symbols& symbols,
                    const isa::Isa& isa) {
  const auto named = symbols.beginning_at(one.branch.address);
  // Some thunks share their address with the name of the table that they begin.
  for (const Symbol& target : named) {
    if (isa.resolve_thunk(one, target.name)) {
      return;
    }
  }
  if (named.empty()) {
    one.branch.address = behind_prefix(symbols, one.branch.address);
  }
}

std::vector<isa::Instruction> decode_instructions(const Symbols& symbols,
                                                  std::span<const std::byte> text,
                                                  KernelAddress address,
                                                  const isa::Isa& isa) {
  std::vector<isa::Instruction> out = isa.decode(text, address);
  for (isa::Instruction& one : out) {
    const KernelAddress target = one.branch.address;
    const bool is_inside = address < target && number(target - address) < text.size();
    if (one.branch.target == isa::TargetKind::Direct && !is_inside) {
      resolve_target(one, symbols, isa);
    }
  }
  drop_padding(out, isa);
  return out;
}

// Sections of the kernel's text are filled up to the next one's place, which can be a
// megabyte away. A long run of one byte at the end is no code, and need not be decoded.
void drop_section_padding(std::vector<std::byte>& text) {
  constexpr std::ptrdiff_t longest_run_bytes = 256;
  if (text.empty()) {
    return;
  }
  const auto last = std::find_if_not(text.rbegin(), text.rend(),
                                     [&](std::byte one) { return one == text.back(); });
  if (last - text.rbegin() > longest_run_bytes) {
    text.erase(last.base() + longest_run_bytes, text.end());
  }
}

// How many bytes there are from `address` to the end of its page.
std::uint64_t bytes_to_page_end(KernelAddress address) {
  constexpr std::uint64_t page_bytes = 4096;
  return (page_bytes - number(address) % page_bytes) % page_bytes;
}

// A function whose end no symbol marks is the last of a module's text, which is filled
// up to the end of a page; what follows there, if anything, is not text.
std::vector<isa::Instruction> decode_up_to_a_page_end(const Symbols& symbols,
                                                      std::span<const std::byte> text,
                                                      KernelAddress address,
                                                      const isa::Isa& isa) {
  constexpr std::uint64_t page_bytes = 4096;
  for (std::uint64_t length = bytes_to_page_end(address); length < text.size();
       length += page_bytes) {
    if (length == 0) {
      continue;
    }
    auto instructions = decode_instructions(symbols, text.first(length), address, isa);
    if (can_be_last(instructions.back(), isa)) {
      return instructions;
    }
  }
  return decode_instructions(symbols, text, address, isa);
}

// Whether an instruction would begin before and end behind the page's end, where what
// stands behind the function is decoded as the kernel does.
bool is_cut_off_by_its_page(const Function& function, std::span<const std::byte> text,
                            const isa::Isa& isa) {
  const KernelAddress end = function.address + FunctionOffset{function.size_bytes};
  const std::uint64_t behind_bytes = bytes_to_page_end(end);
  const auto behind = text.subspan(function.size_bytes);
  if (!isa.decodes_behind_functions || function.module == kernel_module ||
      behind_bytes == 0 || behind.size() < behind_bytes) {
    return false;
  }
  return isa.decode(behind.first(behind_bytes), end).back().decoding ==
         isa::Decoding::Undecodable;
}

}  // namespace

const isa::Instruction* Function::at(FunctionOffset offset) const {
  const auto behind =
      std::ranges::upper_bound(instructions, offset, {}, &isa::Instruction::offset);
  if (behind == instructions.begin() || number(offset) >= size_bytes) {
    return nullptr;
  }
  return &*std::prev(behind);
}

std::size_t Function::index_of(const isa::Instruction& instruction) const {
  const auto found = std::ranges::lower_bound(instructions, instruction.offset, {},
                                              &isa::Instruction::offset);
  return static_cast<std::size_t>(found - instructions.begin());
}

Function decode_function(const Symbols& symbols, const Symbol& symbol,
                         std::span<const std::byte> text, const isa::Isa& isa,
                         std::optional<FunctionOffset> tracer_site) {
  std::vector<std::byte> bytes(text.begin(), text.end());
  Function out{.module = std::string(symbol.module),
               .name = std::string(symbol.name),
               .address = symbol.address};
  if (tracer_site) {
    put_nop(bytes, *tracer_site, isa);
    out.has_tracer_call = true;
    out.landing_pad_bytes = static_cast<std::uint32_t>(number(*tracer_site));
  } else {
    out.has_tracer_call = undo_tracer_call(bytes, symbols, symbol.address, isa);
    out.landing_pad_bytes = isa.landing_pad_bytes(bytes);
  }
  if (symbol.end_is_known) {
    drop_section_padding(bytes);
    out.instructions = decode_instructions(symbols, bytes, symbol.address, isa);
  } else {
    out.instructions = decode_up_to_a_page_end(symbols, bytes, symbol.address, isa);
  }
  out.size_bytes = out.instructions.empty() ? 0 : number(out.instructions.back().end());
  out.kernel_decodes_past_its_page = is_cut_off_by_its_page(out, bytes, isa);
  return out;
}

Result<std::vector<std::byte>> read_text(const Memory& memory, const Symbol& symbol,
                                         std::span<const LiveProbe> probes,
                                         const isa::Isa& isa) {
  auto text = KINST_TRY(memory.bytes(symbol.address, symbol.size_bytes));
  restore_probed_text(text, symbol.address, probes, isa);
  return text;
}

Result<Function> read_function(const Memory& memory, const Symbols& symbols,
                               const Symbol& symbol, std::span<const LiveProbe> probes,
                               const isa::Isa& isa) {
  const auto text = KINST_TRY(read_text(memory, symbol, probes, isa));
  return decode_function(symbols, symbol, text, isa);
}

}  // namespace kinst::kernel
