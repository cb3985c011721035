// System calls at the raw tracepoints sys_enter (registers, number) and sys_exit
// (registers, result), which every call passes: a program must find out first, and
// fast, whether it is one of its own.
#include <algorithm>
#include <vector>

#include "codegen/context/context.h"

namespace kinst::codegen {
namespace {

constexpr std::int16_t registers_argument = 0;
constexpr std::int16_t number_argument = 8;  // of sys_enter
constexpr std::int16_t result_argument = 8;  // of sys_exit
// Results from here to -1 are errors: include/linux/err.h.
constexpr std::int32_t most_negative_error = -4095;

// R0 = a register as it was at the call.
void load_register(std::uint32_t offset, const Scope& /*scope*/, Emitter& out) {
  out.code().emit(
      bpf::load(Size::Double, Register::R3, context_register, registers_argument));
  read_word(types::AddressSpace::Kernel, offset, out);
}

struct Range {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// The numbers of the served calls, neighbours put together.
std::vector<Range> served_ranges(const Scope& scope) {
  std::vector<std::uint32_t> numbers;
  for (const provider::Probe* probe : scope.served) {
    numbers.push_back(std::get<provider::SystemCall>(probe->site).number);
  }
  std::ranges::sort(numbers);
  std::vector<Range> ranges;
  for (const std::uint32_t number : numbers) {
    if (!ranges.empty() && ranges.back().last + 1 >= number) {
      ranges.back().last = number;
    } else {
      ranges.push_back({.first = number, .last = number});
    }
  }
  return ranges;
}

// Goes on if the number in R0 is in one of the ranges, else to `not_ours`: a binary
// search as code.
void require_range(std::span<const Range> ranges, Label found, Label not_ours,
                   Emitter& out) {
  const Range& middle = ranges[ranges.size() / 2];
  const std::span<const Range> below = ranges.first(ranges.size() / 2);
  const std::span<const Range> above = ranges.subspan(ranges.size() / 2 + 1);
  const Label is_below = out.code().label();
  const Label is_above = out.code().label();
  out.code().jump_if(Register::R0, Condition::Less,
                     static_cast<std::int32_t>(middle.first),
                     below.empty() ? not_ours : is_below);
  out.code().jump_if(Register::R0, Condition::Greater,
                     static_cast<std::int32_t>(middle.last),
                     above.empty() ? not_ours : is_above);
  out.code().jump(found);
  if (!below.empty()) {
    out.code().bind(is_below);
    require_range(below, found, not_ours, out);
  }
  if (!above.empty()) {
    out.code().bind(is_above);
    require_range(above, found, not_ours, out);
  }
}

// The calls of a 32-bit program have other numbers.
void refuse_compatible(const Scope& scope, Label not_ours, Emitter& out) {
  const auto& flags = scope.platform.system_calls.compatible_flags_offset;
  if (!flags) {
    return;
  }
  out.code().call(Helper::GetCurrentTask);
  out.code().emit(bpf::mov(Register::R3, Register::R0));
  read_word(types::AddressSpace::Kernel, *flags, out);
  out.code().emit(
      bpf::alu(Arithmetic::And, Register::R0,
               static_cast<std::int32_t>(scope.platform.system_calls.compatible_mask)));
  out.code().jump_if(Register::R0, Condition::NotEqual, 0, not_ours);
}

// R0 holds the number.
void identify_number(provider::KeySpace space, const Scope& scope, Label not_ours,
                     Emitter& out) {
  const Label found = out.code().label();
  require_range(served_ranges(scope), found, not_ours, out);
  out.code().bind(found);
  const Temporary number = out.saved(Register::R0);
  refuse_compatible(scope, not_ours, out);
  out.load(Register::R0, number);
  out.code().load_constant(Register::R1, provider::key_in(space, 0));
  out.code().emit(bpf::alu(Arithmetic::Or, Register::R0, Register::R1));
}

void identify_entry(const Scope& scope, Label not_ours, Emitter& out) {
  out.code().emit(
      bpf::load(Size::Double, Register::R0, context_register, number_argument));
  identify_number(provider::KeySpace::SystemCallEntry, scope, not_ours, out);
}

void identify_return(const Scope& scope, Label not_ours, Emitter& out) {
  load_register(scope.platform.system_calls.number_offset, scope, out);
  identify_number(provider::KeySpace::SystemCallReturn, scope, not_ours, out);
}

void entry_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  const auto& offsets = scope.platform.system_calls.argument_offsets;
  if (number >= offsets.size()) {
    out.code().emit(bpf::mov(Register::R0, 0));
    return;
  }
  load_register(offsets[number], scope, out);
}

// arg0 and arg1 are the result, as DTrace has it.
void return_argument(std::uint32_t number, const Scope& /*scope*/, Emitter& out) {
  if (number > 1) {
    out.code().emit(bpf::mov(Register::R0, 0));
    return;
  }
  out.code().emit(
      bpf::load(Size::Double, Register::R0, context_register, result_argument));
}

void return_error_number(const Scope& scope, Emitter& out) {
  const Label none = out.code().label();
  const Label done = out.code().label();
  return_argument(0, scope, out);
  out.code().jump_if(Register::R0, Condition::SignedGreaterOrEqual, 0, none);
  out.code().jump_if(Register::R0, Condition::SignedLess, most_negative_error, none);
  out.code().emit(bpf::negate(Register::R0));
  out.code().jump(done);
  out.code().bind(none);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().bind(done);
}

}  // namespace

const Context system_call_entry_context = {
    .name = "system call entry",
    .program = bpf::ProgramType::RawTracepoint,
    .serves_many = true,
    .has_own_frames = true,
    .is_called_everywhere = true,
    .identify = identify_entry,
    .argument = entry_argument,
};

const Context system_call_return_context = {
    .name = "system call return",
    .program = bpf::ProgramType::RawTracepoint,
    .serves_many = true,
    .has_own_frames = true,
    .is_called_everywhere = true,
    .identify = identify_return,
    .argument = return_argument,
    .error_number = return_error_number,
};

}  // namespace kinst::codegen
