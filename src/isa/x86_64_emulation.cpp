// What some kernels emulate wrongly though kprobes take it.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "isa/x86_64_internal.h"

namespace kinst::isa::x86 {
namespace {

// Whether the instruction itself is a call through a register, and no call of a thunk.
bool is_register_call(const Instruction& instruction) {
  return instruction.is(InstructionClass::Call) &&
         instruction.branch.target == TargetKind::Register &&
         decode(instruction.encoding(), instruction.address).front().branch.target ==
             TargetKind::Register;
}

// Where a function reads single bytes of what a register points to: of a struct kprobe,
// its first argument, these are the length and other numbers of its instruction.
// Compilers copy the argument to another register, but not to the stack pointer.
std::vector<std::int64_t> bytes_read(std::span<const std::byte> text) {
  const RegisterId stack_pointer = x86_64().stack_pointer;
  std::vector<std::int64_t> out;
  for (const Instruction& one : decode(text, KernelAddress{})) {
    for (const MemoryOperand& operand : one.memory) {
      if (operand.read && operand.size_bytes == 1 && operand.base != RegisterId::None &&
          operand.base != stack_pointer && operand.index == RegisterId::None) {
        out.push_back(operand.displacement);
      }
    }
  }
  return out;
}

// Whether the emulation of calls reads a byte that the emulation of jumps reads as
// well, which is the instruction's length.
std::optional<bool> reads_length(std::span<const std::byte> of_calls,
                                 std::span<const std::byte> of_jumps) {
  const std::vector<std::int64_t> for_jumps = bytes_read(of_jumps);
  const std::vector<std::int64_t> for_calls = bytes_read(of_calls);
  if (for_jumps.empty() || for_calls.empty()) {
    return std::nullopt;  // neither the length nor the register's number, so not seen
  }
  return std::ranges::any_of(for_jumps, [&](std::int64_t displacement) {
    return std::ranges::find(for_calls, displacement) != for_calls.end();
  });
}

}  // namespace

// Linux before 6.7 takes a `call *register` for five bytes long and makes the function
// return there, unless it got "x86/kprobes: fix incorrect return address calculation in
// kprobe_emulate_call_indirect", as 5.15.147, 6.1.72 and 6.6.11 did.
constexpr std::array<EmulationFault, 1> emulation_faults = {{
    {.reason = "this kernel emulates it wrongly, and would return to the wrong place; "
               "Linux 6.7 does not",
     .concerns = is_register_call,
     .emulator = "kprobe_emulate_call_indirect",
     .comparison = "kprobe_emulate_jmp",
     .is_right = reads_length,
     .right_since = {6, 7}},
}};

}  // namespace kinst::isa::x86
