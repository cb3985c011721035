// Whether kprobes of this kernel get calls through registers right.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "isa/isa.h"
#include "kernel/memory.h"
#include "kernel/symbols.h"

namespace kinst::kernel {

/// Whether the kernel, when it emulates a probed `call *register`, makes the function
/// return behind it. Linux before 6.7 takes the call for five bytes long, unless it got
/// "x86/kprobes: fix incorrect return address calculation in
/// kprobe_emulate_call_indirect", as 5.15.147, 6.1.72 and 6.6.11 did. So it is looked
/// at whether that function reads an instruction's length as the emulation of jumps
/// does. True where no such function exists; nothing where it cannot be seen.
/// Errors: memory that cannot be read.
Result<std::optional<bool>> emulates_register_calls(const Memory& memory,
                                                    const Symbols& symbols,
                                                    const isa::Isa& isa);

/// What its release tells of a kernel of which that cannot be seen: "6.7.2" does.
bool is_since_register_calls_are_right(std::string_view release);

/// Whether it is a call through a register by itself, not by a thunk.
bool is_register_call(const isa::Instruction& instruction, const isa::Isa& isa);

}  // namespace kinst::kernel
