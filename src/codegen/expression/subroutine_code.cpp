// The runtime's subroutines take numbers and addresses in R1 to R5 and return one in
// R0. The few subroutines that need no loop are generated in place.
#include "codegen/expression/subroutine_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <vector>

#include "codegen/expression/expression.h"
#include "codegen/expression/identity.h"
#include "d/tables/prototype.h"
#include "d/tables/subroutine.h"

namespace kinst::codegen {
namespace {

using d::Subroutine;

// The value of the argument that may be left out.
std::int32_t left_out_argument(d::LeftOut left_out, const Scope& scope) {
  switch (left_out) {
    case d::LeftOut::Nothing:
    case d::LeftOut::Zero:
      return 0;
    case d::LeftOut::Ten:
      return 10;
    case d::LeftOut::Largest:
      return INT_MAX;
    case d::LeftOut::AllBytes:
      return KINST_STRING_MAX;  // cut off at strsize in any case
    case d::LeftOut::StringLength:
      // An index this far before the beginning gives an empty string: DIF_SUBR_SUBSTR.
      return static_cast<std::int32_t>(
          scope.types.size_of(scope.types.string_type()).value_or(1) - 1);
  }
  return 0;
}

// Evaluates the arguments in order and loads them into R1, R2, …. Returns the next
// register.
Register generate_arguments(const d::typed::SubroutineCall& call, const Scope& scope,
                            Emitter& out) {
  std::vector<Temporary> values;
  for (const d::typed::ExpressionPointer& argument : call.arguments) {
    generate_value(*argument, scope, out);
    values.push_back(out.saved(Register::R0));
  }
  for (std::size_t number = 0; number < values.size(); ++number) {
    out.load(static_cast<Register>(number + 1), values[number]);
  }
  if (values.empty()) {
    // The verifier wants a number in every argument that the runtime declares.
    out.code().emit(bpf::mov(Register::R1, 0));
  }
  return static_cast<Register>(values.size() + 1);
}

// Loads what the runtime's function needs besides the given arguments.
void complete_arguments(const d::typed::SubroutineCall& call, Register next,
                        const d::typed::Expression& expression, const Scope& scope,
                        Emitter& out) {
  const d::SubroutineInfo& info = d::subroutine_info(call.subroutine);
  if (call.arguments.size() < d::parse_prototype(info.prototype).parameters.size()) {
    out.code().emit(bpf::mov(next, left_out_argument(info.left_out, scope)));
  }
  if (call.subroutine == Subroutine::Progenyof) {
    const KernelOffsets& kernel = scope.platform.kernel;
    if (!kernel.task_parent || !kernel.task_process) {
      out.refuse(expression.span, "D_NOTSUP",
                 "progenyof() needs the kernel's types, /sys/kernel/btf/vmlinux "
                 "(CONFIG_DEBUG_INFO_BTF)");
      return;
    }
    out.code().emit(
        bpf::mov(Register::R2, static_cast<std::int32_t>(*kernel.task_parent)));
    if (scope.platform.pid_namespace) {
      load_pid_namespace(scope, Register::R3, out);
    } else {
      out.code().emit(
          bpf::mov(Register::R3, static_cast<std::int32_t>(*kernel.task_process)));
    }
  }
}

// What needs no call of the runtime: R0 = the result for the argument in R1.

template <std::int32_t bits>
void swap_bytes(Emitter& out) {
  out.code().emit(bpf::mov(Register::R0, Register::R1));
  out.code().emit(bpf::to_big_endian(Register::R0, bits));
}

// A device number has 12 bits of major and 20 of minor: include/linux/kdev_t.h.
void device_major(Emitter& out) {
  out.code().emit(bpf::mov32(Register::R0, Register::R1));
  out.code().emit(bpf::alu(Arithmetic::ShiftRight, Register::R0, 20));
}

void device_minor(Emitter& out) {
  out.code().emit(bpf::mov32(Register::R0, Register::R1));
  out.code().emit(bpf::alu(Arithmetic::And, Register::R0, 0xfffff));
}

void random_number(Emitter& out) {
  out.code().call(Helper::GetPrandomU32);
}

template <std::int32_t value>
void constant_result(Emitter& out) {
  out.code().emit(bpf::mov(Register::R0, value));
}

struct SubroutineCode {
  Subroutine subroutine{};
  void (*generate)(Emitter& out) = nullptr;
};

// All others are functions of the runtime.
constexpr auto inline_code = std::to_array<SubroutineCode>({
    {Subroutine::Getmajor, device_major},
    {Subroutine::Getminor, device_minor},
    {Subroutine::Htonl, swap_bytes<32>},
    {Subroutine::Htonll, swap_bytes<64>},
    {Subroutine::Htons, swap_bytes<16>},
    // Linux has no mutex that only ever spins.
    {Subroutine::MutexTypeAdaptive, constant_result<1>},
    {Subroutine::MutexTypeSpin, constant_result<0>},
    {Subroutine::Ntohl, swap_bytes<32>},
    {Subroutine::Ntohll, swap_bytes<64>},
    {Subroutine::Ntohs, swap_bytes<16>},
    {Subroutine::Rand, random_number},
});

}  // namespace

void generate_subroutine(const d::typed::SubroutineCall& call,
                         const d::typed::Expression& expression, const Scope& scope,
                         Emitter& out) {
  const Register next = generate_arguments(call, scope, out);
  const auto* const here =
      std::ranges::find(inline_code, call.subroutine, &SubroutineCode::subroutine);
  if (here != inline_code.end()) {
    here->generate(out);
    return;
  }
  complete_arguments(call, next, expression, scope, out);
  const bool is_in_namespace =
      call.subroutine == Subroutine::Progenyof && scope.platform.pid_namespace;
  out.code().call(fmt::format("kinst_{}{}", d::subroutine_info(call.subroutine).name,
                              is_in_namespace ? "_in_namespace" : ""));
  out.leave_if_faulted();
}

}  // namespace kinst::codegen
