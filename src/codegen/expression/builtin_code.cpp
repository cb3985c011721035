// Each built-in variable that takes more than a call of a helper has a small function.
#include "codegen/expression/builtin_code.h"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>

#include "codegen/context/context.h"
#include "codegen/expression/expression.h"
#include "codegen/expression/identity.h"
#include "codegen/expression/operand.h"
#include "codegen/expression/register.h"
#include "codegen/expression/stack.h"
#include "codegen/expression/string.h"

namespace kinst::codegen {
namespace {

using d::Builtin;

void generate_zero(Emitter& out) {
  out.code().emit(bpf::mov(Register::R0, 0));
}

// ERROR's arguments are in the state, where they are put before ERROR's clauses run.
void generate_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  const auto argument = context_of(scope.context).argument;
  if (scope.is_error_clause) {
    constexpr std::uint32_t begin = offsetof(kinst_state, args);
    out.load_state(Size::Double, Register::R0, begin + number * 8);
  } else if (argument != nullptr) {
    argument(number, scope, out);
  } else {
    generate_zero(out);
  }
}

// args[N]: argN, truncated to its type, because a register may hold anything in its
// other bits.
void generate_typed_argument(const d::typed::Expression& index, types::TypeId type,
                             const Scope& scope, Emitter& out) {
  const auto& number = std::get<d::typed::IntegerValue>(index.node);
  generate_argument(static_cast<std::uint32_t>(number.value), scope, out);
  if (!scope.types.is_by_reference(type)) {
    extend(out, Register::R0, scope.types.size_of(type).value_or(8),
           scope.types.is_signed(type));
  }
}

void generate_error_number(const Scope& scope, Emitter& out) {
  const auto error_number = context_of(scope.context).error_number;
  if (error_number != nullptr && !scope.is_error_clause) {
    error_number(scope, out);
  } else {
    generate_zero(out);
  }
}

void generate_parent(const Scope& scope, const Span& span, Emitter& out) {
  const KernelOffsets& kernel = scope.platform.kernel;
  if (!kernel.task_parent || !kernel.task_process) {
    out.refuse(span, "D_UNKNOWN",
               "ppid needs the kernel's types, /sys/kernel/btf/vmlinux "
               "(CONFIG_DEBUG_INFO_BTF)");
    return;
  }
  read_task_member(*kernel.task_parent, 8, out);
  generate_process_of_task(scope, out);
}

void generate_virtual_time(const Scope& scope, const Span& span, Emitter& out) {
  const auto& offset = scope.platform.kernel.task_time_on_cpu_ns;
  if (!offset) {
    out.refuse(span, "D_UNKNOWN",
               "vtimestamp needs the kernel's types, /sys/kernel/btf/vmlinux "
               "(CONFIG_DEBUG_INFO_BTF)");
    return;
  }
  read_task_member(*offset, 8, out);
}

void generate_name_of_program(const Scope& scope, Emitter& out) {
  out.address_of_state(Register::R1, scope.storage.name_offset);
  out.code().emit(bpf::mov(Register::R2, 16));
  out.code().call(Helper::GetCurrentComm);
  out.load_state(Size::Double, Register::R0, offsetof(kinst_state, self));
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R0,
                           static_cast<std::int32_t>(scope.storage.name_offset)));
}

// The offset of a built-in variable in the probe's row (storage.h, ProbeRow).
std::uint32_t row_offset(Builtin builtin) {
  switch (builtin) {
    case Builtin::ProbeProvider:
      return offsetof(ProbeRow, provider);
    case Builtin::ProbeModule:
      return offsetof(ProbeRow, module);
    case Builtin::ProbeFunction:
      return offsetof(ProbeRow, function);
    case Builtin::ProbeName:
      return offsetof(ProbeRow, name);
    case Builtin::Instruction:
      return offsetof(ProbeRow, instruction);
    case Builtin::Mnemonic:
      return offsetof(ProbeRow, mnemonic);
    default:
      return offsetof(ProbeRow, id);
  }
}

// The probe's id, or one of its names, for an expression that computes with it. If it
// is only recorded, the record carries the probe's key instead.
void generate_probe_fact(Builtin builtin, const Scope& scope, Emitter& out) {
  if (scope.only_probe != nullptr) {
    if (builtin == Builtin::Id) {
      out.code().load_constant(Register::R0, scope.only_probe->id);
    } else {
      literal_string(probe_text(*scope.only_probe, builtin, scope.platform), scope,
                     out);
    }
    return;
  }
  out.find_row_of_probe(scope.storage.probes.value());
  out.code().emit(bpf::load(Size::Word, Register::R0, Register::R0,
                            static_cast<std::int16_t>(row_offset(builtin))));
  if (builtin != Builtin::Id) {
    out.code().load_map_value(Register::R1, scope.storage.constants, 0);
    out.pointer_to_number(Register::R1);
    out.code().emit(bpf::alu(Arithmetic::Add, Register::R0, Register::R1));
  }
}

enum class Half : std::uint8_t { Upper, Lower };

// R0 = that half of R0.
void take_half(Half half, Emitter& out) {
  if (half == Half::Upper) {
    out.code().emit(bpf::alu(Arithmetic::ShiftRight, Register::R0, 32));
  } else {
    out.code().emit(bpf::mov32(Register::R0, Register::R0));
  }
}

// Generates built-in variables about the current thread and the time; false for any
// other.
bool generate_thread_fact(Builtin builtin, const Scope& scope, const Span& span,
                          Emitter& out) {
  switch (builtin) {
    case Builtin::Cpu:
      out.code().call(Helper::GetSmpProcessorId);
      return true;
    case Builtin::CurrentThread:
      out.code().call(Helper::GetCurrentTask);
      return true;
    case Builtin::ExecName:
      generate_name_of_program(scope, out);
      return true;
    case Builtin::Pid:
      generate_current_numbers(scope, out);
      take_half(Half::Upper, out);
      return true;
    case Builtin::Tid:
      generate_current_numbers(scope, out);
      take_half(Half::Lower, out);
      return true;
    case Builtin::Gid:
      out.code().call(Helper::GetCurrentUidGid);
      take_half(Half::Upper, out);
      return true;
    case Builtin::Uid:
      out.code().call(Helper::GetCurrentUidGid);
      take_half(Half::Lower, out);
      return true;
    case Builtin::ParentPid:
      generate_parent(scope, span, out);
      return true;
    case Builtin::Timestamp:
      out.load_state(Size::Double, Register::R0, offsetof(kinst_state, timestamp));
      return true;
    case Builtin::WallTimestamp:
      // DTrace reads it anew each time, unlike timestamp.
      out.code().call(Helper::KtimeGetNs);
      out.code().load_constant(Register::R1, scope.platform.wall_clock_offset_ns);
      out.code().emit(bpf::alu(Arithmetic::Add, Register::R0, Register::R1));
      return true;
    case Builtin::VirtualTimestamp:
      generate_virtual_time(scope, span, out);
      return true;
    default:
      return false;
  }
}

// Generates built-in variables about the place of the probe; false for any other.
bool generate_place_fact(Builtin builtin, const Scope& scope, Emitter& out) {
  switch (builtin) {
    case Builtin::Caller:
      generate_frame(StackOf::Kernel, 1, scope, out);
      return true;
    case Builtin::UserCaller:
      generate_frame(StackOf::User, 1, scope, out);
      return true;
    case Builtin::Epid:
      // Each clause is an enabling of its own, so its number serves as the enabling's
      // id.
      out.code().load_constant(Register::R0, scope.clause + 1);
      return true;
    case Builtin::Id:
    case Builtin::ProbeProvider:
    case Builtin::ProbeModule:
    case Builtin::ProbeFunction:
    case Builtin::ProbeName:
    case Builtin::Instruction:
    case Builtin::Mnemonic:
      generate_probe_fact(builtin, scope, out);
      return true;
    default:
      return false;
  }
}

// The node's index is the option maxframes; D has no index here.
void generate_stack_depth(const d::typed::BuiltinValue& node, const Scope& scope,
                          Emitter& out) {
  const auto& most = std::get<d::typed::IntegerValue>(node.index->node);
  generate_depth(
      node.builtin == Builtin::UserStackDepth ? StackOf::User : StackOf::Kernel,
      static_cast<std::uint32_t>(most.value), scope, out);
}

}  // namespace

void generate_probe_key(Emitter& out) {
  out.load_state(Size::Double, Register::R0, offsetof(kinst_state, probe));
}

void generate_builtin(const d::typed::BuiltinValue& node,
                      const d::typed::Expression& expression, const Scope& scope,
                      Emitter& out) {
  const Builtin builtin = node.builtin;
  if (builtin >= Builtin::Arg0 && builtin <= Builtin::Arg9) {
    generate_argument(
        static_cast<std::uint32_t>(builtin) - static_cast<std::uint32_t>(Builtin::Arg0),
        scope, out);
  } else if (builtin == Builtin::Args) {
    generate_typed_argument(*node.index, expression.type, scope, out);
  } else if (builtin == Builtin::ErrorNumber) {
    generate_error_number(scope, out);
  } else if (builtin == Builtin::Regs) {
    generate_register(*node.index, expression.span, scope, out);
  } else if (builtin == Builtin::Uregs) {
    generate_user_register(*node.index, expression.span, scope, out);
  } else if (builtin == Builtin::StackDepth || builtin == Builtin::UserStackDepth) {
    generate_stack_depth(node, scope, out);
  } else if (is_operand_fact(builtin)) {
    generate_operand_fact(builtin, expression.span, scope, out);
  } else if (builtin == Builtin::Ipl) {
    generate_zero(out);  // Linux has no such level; DTrace for it gives 0 as well
  } else if (!generate_thread_fact(builtin, scope, expression.span, out) &&
             !generate_place_fact(builtin, scope, out)) {
    out.refuse(expression.span, "D_UNKNOWN",
               fmt::format("{} can be recorded and be a key, but not computed with",
                           d::builtin_info(builtin).name));
  }
}

}  // namespace kinst::codegen
