#include "kernel/code/register_calls.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace kinst::kernel {
namespace {

// Where a function reads single bytes of what a register points to: of a struct kprobe,
// its first argument, these are the length and other numbers of its instruction.
// Compilers copy the argument to another register, but not to the stack pointer.
Result<std::vector<std::int64_t>> bytes_read(const Memory& memory, const Symbol& symbol,
                                             const isa::Isa& isa) {
  const std::vector<std::byte> text =
      KINST_TRY(memory.bytes(symbol.address, symbol.size_bytes));
  std::vector<std::int64_t> out;
  for (const isa::Instruction& one : isa.decode(text, symbol.address)) {
    for (const isa::MemoryOperand& operand : one.memory) {
      if (operand.read && operand.size_bytes == 1 &&
          operand.base != isa::RegisterId::None && operand.base != isa.stack_pointer &&
          operand.base != isa.program_counter &&
          operand.index == isa::RegisterId::None) {
        out.push_back(operand.displacement);
      }
    }
  }
  return out;
}

}  // namespace

Result<std::optional<bool>> emulates_register_calls(const Memory& memory,
                                                    const Symbols& symbols,
                                                    const isa::Isa& isa) {
  const auto call = symbols.find(kernel_module, "kprobe_emulate_call_indirect");
  const auto jump = symbols.find(kernel_module, "kprobe_emulate_jmp");
  if (!call) {
    return true;
  }
  if (!jump) {
    return std::nullopt;
  }
  const auto read_for_jumps = KINST_TRY(bytes_read(memory, *jump, isa));
  const auto read_for_calls = KINST_TRY(bytes_read(memory, *call, isa));
  if (read_for_jumps.empty() || read_for_calls.empty()) {
    return std::nullopt;  // neither the length nor the register's number, so not seen
  }
  return std::ranges::any_of(read_for_jumps, [&](std::int64_t displacement) {
    return std::ranges::find(read_for_calls, displacement) != read_for_calls.end();
  });
}

bool is_since_register_calls_are_right(std::string_view release) {
  constexpr std::pair<unsigned, unsigned> first = {6, 7};
  std::pair<unsigned, unsigned> version;
  const char* end = release.data() + release.size();
  const auto [dot, problem] = std::from_chars(release.data(), end, version.first);
  if (problem != std::errc() || dot == end || *dot != '.') {
    return false;
  }
  const auto minor = std::from_chars(dot + 1, end, version.second);
  return minor.ec == std::errc() && version >= first;
}

bool is_register_call(const isa::Instruction& instruction, const isa::Isa& isa) {
  return instruction.is(isa::InstructionClass::Call) &&
         instruction.branch.target == isa::TargetKind::Register &&
         isa.decode(instruction.encoding(), instruction.address)
                 .front()
                 .branch.target == isa::TargetKind::Register;
}

}  // namespace kinst::kernel
