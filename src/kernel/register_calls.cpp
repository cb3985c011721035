#include "kernel/register_calls.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace kinst::kernel {
namespace {

// Where a function reads single bytes of what its first argument points to: of a struct
// kprobe these are the length and other numbers of its instruction.
Result<std::vector<std::int64_t>> bytes_read(const Memory& memory, const Symbol& symbol,
                                             const isa::Isa& isa) {
  const std::vector<std::byte> text =
      KINST_TRY(memory.bytes(symbol.address, symbol.size_bytes));
  std::vector<std::int64_t> out;
  for (const isa::Instruction& one : isa.decode(text, symbol.address)) {
    for (const isa::MemoryOperand& operand : one.memory) {
      if (operand.read && operand.size_bytes == 1 &&
          operand.base == isa.argument_registers.front()) {
        out.push_back(operand.displacement);
      }
    }
  }
  return out;
}

}  // namespace

Result<bool> emulates_register_calls(const Memory& memory, const Symbols& symbols,
                                     const isa::Isa& isa) {
  const auto call = symbols.find(kernel_module, "kprobe_emulate_call_indirect");
  const auto jump = symbols.find(kernel_module, "kprobe_emulate_jmp");
  if (!call) {
    return true;
  }
  if (!jump) {
    return false;
  }
  const auto read_for_jumps = KINST_TRY(bytes_read(memory, *jump, isa));
  const auto read_for_calls = KINST_TRY(bytes_read(memory, *call, isa));
  return std::ranges::any_of(read_for_jumps, [&](std::int64_t displacement) {
    return std::ranges::find(read_for_calls, displacement) != read_for_calls.end();
  });
}

bool is_register_call(const isa::Instruction& instruction, const isa::Isa& isa) {
  return instruction.is(isa::InstructionClass::Call) &&
         instruction.branch.target == isa::TargetKind::Register &&
         isa.decode(instruction.encoding(), instruction.address)
                 .front()
                 .branch.target == isa::TargetKind::Register;
}

}  // namespace kinst::kernel
