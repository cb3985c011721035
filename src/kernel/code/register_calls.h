// Whether kprobes of this kernel get calls through registers right.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "isa/isa.h"
#include "kernel/memory/memory.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

/// Whether the kernel, when it emulates a probed `call *register`, makes the function
/// return behind it. Linux before 6.7 takes the call for five bytes long, unless it got
/// "x86/kprobes: fix incorrect return address calculation in
/// kprobe_emulate_call_indirect", as 5.15.147, 6.1.72 and 6.6.11 did. So this looks
/// whether that function reads the instruction's length, as the emulation of jumps
/// does. True if the function does not exist; nothing if the code does not show it.
/// Errors: memory that cannot be read.
Result<std::optional<bool>> emulates_register_calls(const Memory& memory,
                                                    const Symbols& symbols,
                                                    const isa::Isa& isa);

/// The same by the kernel's release, for a kernel where emulates_register_calls()
/// returns nothing: true for "6.7.2".
bool is_since_register_calls_are_right(std::string_view release);

/// Whether the instruction itself is a call through a register, not a call of a thunk.
bool is_register_call(const isa::Instruction& instruction, const isa::Isa& isa);

}  // namespace kinst::kernel
