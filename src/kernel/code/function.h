// A function of the running kernel, taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "isa/isa.h"
#include "kernel/code/live_probes.h"
#include "kernel/memory/memory.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// What runs under one symbol, without the padding behind it.
struct Function {
  std::string module;
  std::string name;
  KernelAddress address{};
  /// Sum of the instructions' lengths.
  std::uint64_t size_bytes = 0;
  /// In address order. Calls and jumps to compiler thunks are described as what the
  /// thunk does; so `class` is return for a jump to the return thunk.
  std::vector<isa::Instruction> instructions;
  /// Whether the function tracer can be called at its entry. Kprobe events are refused
  /// in functions where it cannot (unless CONFIG_KPROBE_EVENTS_ON_NOTRACE is set).
  bool has_tracer_call = false;
  /// Length of what marks the entry as a target of indirect branches, past which the
  /// kernel moves a probe at offset 0; 0 without such a mark.
  std::uint32_t landing_pad_bytes = 0;
  /// Whether the kernel crashes when it prepares an optimized probe in the function:
  /// where Isa::decodes_behind_functions, it decodes up to the next symbol, or behind a
  /// module's last function to the end of the page, and there reads the rest of an
  /// instruction that begins on the last bytes. Seen on 6.12, where no page is mapped
  /// behind a module's text.
  bool kernel_decodes_past_its_page = false;

  [[nodiscard]] bool contains(KernelAddress other) const {
    return address <= other && number(other - address) < size_bytes;
  }
  /// The instruction that begins at `offset`, or that the byte at `offset` is part of;
  /// null past the end.
  [[nodiscard]] const isa::Instruction* at(FunctionOffset offset) const;
  /// The index in `instructions` of one of them.
  [[nodiscard]] std::size_t index_of(const isa::Instruction& instruction) const;
};

/// Takes a function's text apart.
/// text: as in memory, from the symbol's first byte on; kprobes in it have been
/// replaced by the original bytes already. Padding at the end may be part of it.
/// tracer_site: where the kernel says that the function tracer is called, for text of
/// which this cannot be seen. The bytes before it are the landing pad.
Function decode_function(const Symbols& symbols, const Symbol& symbol,
                         std::span<const std::byte> text, const isa::Isa& isa,
                         std::optional<FunctionOffset> tracer_site = std::nullopt);

/// A function's text in the running kernel, with the original bytes in place of
/// kprobes, ours and others'. Errors: memory that cannot be read.
Result<std::vector<std::byte>> read_text(const Memory& memory, const Symbol& symbol,
                                         std::span<const LiveProbe> probes,
                                         const isa::Isa& isa);

/// Reads and takes apart a function of the running kernel.
/// Errors: memory that cannot be read.
Result<Function> read_function(const Memory& memory, const Symbols& symbols,
                               const Symbol& symbol, std::span<const LiveProbe> probes,
                               const isa::Isa& isa);

}  // namespace kinst::kernel
