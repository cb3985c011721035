// The runtime's subroutines take numbers and addresses in R1 to R5 and return one in
// R0. The few subroutines that need no loop are generated in place.
#include "codegen/expression/subroutine_code.h"

#include <fmt/format.h>

#include <climits>
#include <optional>
#include <vector>

#include "codegen/expression/expression.h"
#include "codegen/expression/identity.h"
#include "d/tables/prototype.h"
#include "d/tables/subroutine.h"

namespace kinst::codegen {
namespace {

using d::Subroutine;

std::size_t parameters(Subroutine subroutine) {
  return d::parse_prototype(d::subroutine_info(subroutine).prototype).parameters.size();
}

// The default of the argument that may be left out.
std::optional<std::int32_t> default_argument(Subroutine subroutine,
                                             const Scope& scope) {
  switch (subroutine) {
    case Subroutine::Copyinstr:
      return KINST_STRING_MAX;  // cut off at strsize in any case
    case Subroutine::Index:
    case Subroutine::InetNtoa6:
      return 0;
    case Subroutine::Rindex:
      return INT_MAX;
    case Subroutine::Substr:
      // An index this far before the beginning gives an empty string: DIF_SUBR_SUBSTR.
      return static_cast<std::int32_t>(
          scope.types.size_of(scope.types.string_type()).value_or(1) - 1);
    case Subroutine::Lltostr:
    case Subroutine::Strtoll:
      return 10;
    default:
      return std::nullopt;
  }
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
  const auto value = default_argument(call.subroutine, scope);
  if (value && call.arguments.size() < parameters(call.subroutine)) {
    out.code().emit(bpf::mov(next, *value));
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

void swap_bytes(std::int32_t bits, Emitter& out) {
  out.code().emit(bpf::mov(Register::R0, Register::R1));
  out.code().emit(bpf::to_big_endian(Register::R0, bits));
}

// A device number has 12 bits of major and 20 of minor: include/linux/kdev_t.h.
void device_part(bool is_major, Emitter& out) {
  out.code().emit(bpf::mov32(Register::R0, Register::R1));
  if (is_major) {
    out.code().emit(bpf::alu(Arithmetic::ShiftRight, Register::R0, 20));
  } else {
    out.code().emit(bpf::alu(Arithmetic::And, Register::R0, 0xfffff));
  }
}

// Generates a subroutine that needs no call of the runtime; false for any other.
bool generate_inline(Subroutine subroutine, Emitter& out) {
  switch (subroutine) {
    case Subroutine::Rand:
      out.code().call(Helper::GetPrandomU32);
      return true;
    case Subroutine::Htons:
    case Subroutine::Ntohs:
      swap_bytes(16, out);
      return true;
    case Subroutine::Htonl:
    case Subroutine::Ntohl:
      swap_bytes(32, out);
      return true;
    case Subroutine::Htonll:
    case Subroutine::Ntohll:
      swap_bytes(64, out);
      return true;
    case Subroutine::Getmajor:
      device_part(true, out);
      return true;
    case Subroutine::Getminor:
      device_part(false, out);
      return true;
    // Linux has no mutex that only ever spins.
    case Subroutine::MutexTypeAdaptive:
      out.code().emit(bpf::mov(Register::R0, 1));
      return true;
    case Subroutine::MutexTypeSpin:
      out.code().emit(bpf::mov(Register::R0, 0));
      return true;
    default:
      return false;
  }
}

}  // namespace

void generate_subroutine(const d::typed::SubroutineCall& call,
                         const d::typed::Expression& expression, const Scope& scope,
                         Emitter& out) {
  const Register next = generate_arguments(call, scope, out);
  if (generate_inline(call.subroutine, out)) {
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
