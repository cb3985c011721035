// A function for each built-in variable generates its value; the table at the end says
// which. Facts of the probe's instruction are operand.cpp's.
#include "codegen/expression/builtin_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
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
using d::typed::BuiltinValue;
using d::typed::Expression;

// Generates R0 = the value of the built-in variable that `expression` is.
using Generate = void (*)(const Expression& expression, const Scope& scope,
                          Emitter& out);

const BuiltinValue& builtin_of(const Expression& expression) {
  return std::get<BuiltinValue>(expression.node);
}

// The constant that stands as the index of a built-in variable.
std::uint64_t index_number(const Expression& expression) {
  return std::get<d::typed::IntegerValue>(builtin_of(expression).index->node).value;
}

// ---------------------------------------------------------------- arguments

// ERROR's arguments are in the state, where they are put before ERROR's clauses run.
void generate_argument(std::uint32_t number, const Scope& scope, Emitter& out) {
  const auto argument = context_of(scope.context).argument;
  if (scope.is_error_clause) {
    constexpr std::uint32_t begin = offsetof(kinst_state, args);
    out.load_state(Size::Double, Register::R0, begin + number * 8);
  } else if (argument != nullptr) {
    argument(number, scope, out);
  } else {
    out.code().emit(bpf::mov(Register::R0, 0));
  }
}

// args[N]: argN, truncated to its type, because a register may hold anything in its
// other bits.
void typed_argument(const Expression& expression, const Scope& scope, Emitter& out) {
  generate_argument(static_cast<std::uint32_t>(index_number(expression)), scope, out);
  if (!scope.types.is_by_reference(expression.type)) {
    extend(out, Register::R0, scope.types.size_of(expression.type).value_or(8),
           scope.types.is_signed(expression.type));
  }
}

void error_number(const Expression& /*expression*/, const Scope& scope, Emitter& out) {
  const auto generate = context_of(scope.context).error_number;
  if (generate != nullptr && !scope.is_error_clause) {
    generate(scope, out);
  } else {
    out.code().emit(bpf::mov(Register::R0, 0));
  }
}

// ---------------------------------------------------------------- the thread

enum class Half : std::uint8_t { Upper, Lower };

// R0 = that half of R0.
void take_half(Half half, Emitter& out) {
  if (half == Half::Upper) {
    out.code().emit(bpf::alu(Arithmetic::ShiftRight, Register::R0, 32));
  } else {
    out.code().emit(bpf::mov32(Register::R0, Register::R0));
  }
}

// pid and tid.
template <Half half>
void number_of_thread(const Expression& /*expression*/, const Scope& scope,
                      Emitter& out) {
  generate_current_numbers(scope, out);
  take_half(half, out);
}

// gid and uid.
template <Half half>
void number_of_owner(const Expression& /*expression*/, const Scope& /*scope*/,
                     Emitter& out) {
  out.code().call(Helper::GetCurrentUidGid);
  take_half(half, out);
}

// What one call of a helper gives.
template <Helper helper>
void result_of(const Expression& /*expression*/, const Scope& /*scope*/, Emitter& out) {
  out.code().call(helper);
}

void parent(const Expression& expression, const Scope& scope, Emitter& out) {
  const KernelOffsets& kernel = scope.platform.kernel;
  if (!kernel.task_parent || !kernel.task_process) {
    out.refuse(expression.span, "D_UNKNOWN",
               "ppid needs the kernel's types, /sys/kernel/btf/vmlinux "
               "(CONFIG_DEBUG_INFO_BTF)");
    return;
  }
  read_task_member(*kernel.task_parent, 8, out);
  generate_process_of_task(scope, out);
}

void name_of_program(const Expression& /*expression*/, const Scope& scope,
                     Emitter& out) {
  out.address_of_state(Register::R1, scope.storage.name_offset);
  out.code().emit(bpf::mov(Register::R2, 16));
  out.code().call(Helper::GetCurrentComm);
  out.load_state(Size::Double, Register::R0, offsetof(kinst_state, self));
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R0,
                           static_cast<std::int32_t>(scope.storage.name_offset)));
}

void register_at_probe(const Expression& expression, const Scope& scope, Emitter& out) {
  generate_register(*builtin_of(expression).index, expression.span, scope, out);
}

void register_of_thread(const Expression& expression, const Scope& scope,
                        Emitter& out) {
  generate_user_register(*builtin_of(expression).index, expression.span, scope, out);
}

// caller and ucaller.
template <StackOf whose>
void caller(const Expression& /*expression*/, const Scope& scope, Emitter& out) {
  generate_frame(whose, 1, scope, out);
}

template <StackOf whose>
void depth(const Expression& expression, const Scope& scope, Emitter& out) {
  generate_depth(whose, static_cast<std::uint32_t>(index_number(expression)), scope,
                 out);
}

// ---------------------------------------------------------------- the time

void time_of_firing(const Expression& /*expression*/, const Scope& /*scope*/,
                    Emitter& out) {
  out.load_state(Size::Double, Register::R0, offsetof(kinst_state, timestamp));
}

// DTrace reads it anew each time, unlike timestamp.
void time_of_day(const Expression& /*expression*/, const Scope& scope, Emitter& out) {
  out.code().call(Helper::KtimeGetNs);
  out.code().load_constant(Register::R1, scope.platform.wall_clock_offset_ns);
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R0, Register::R1));
}

void time_on_cpu(const Expression& expression, const Scope& scope, Emitter& out) {
  const auto& offset = scope.platform.kernel.task_time_on_cpu_ns;
  if (!offset) {
    out.refuse(expression.span, "D_UNKNOWN",
               "vtimestamp needs the kernel's types, /sys/kernel/btf/vmlinux "
               "(CONFIG_DEBUG_INFO_BTF)");
    return;
  }
  read_task_member(*offset, 8, out);
}

// ---------------------------------------------------------------- the probe

// Each clause is an enabling of its own, so its number serves as the enabling's id.
void enabled_probe(const Expression& /*expression*/, const Scope& scope, Emitter& out) {
  out.code().load_constant(Register::R0, scope.clause + 1);
}

// For an expression that computes with the probe's id. If it is only recorded, the
// record carries the probe's key instead.
void probe_id(const Expression& /*expression*/, const Scope& scope, Emitter& out) {
  if (scope.only_probe != nullptr) {
    out.code().load_constant(Register::R0, scope.only_probe->id);
    return;
  }
  out.find_row_of_probe(scope.storage.probes.value());
  out.code().emit(
      bpf::load(Size::Word, Register::R0, Register::R0, offsetof(ProbeRow, id)));
}

// The same for a text about the probe.
void text_of_probe(const Expression& expression, const Scope& scope, Emitter& out) {
  const record::Meaning meaning =
      d::builtin_info(builtin_of(expression).builtin).meaning;
  const auto* const text = std::ranges::find(probe_texts, meaning, &ProbeText::meaning);
  assert(text != probe_texts.end());
  if (scope.only_probe != nullptr) {
    literal_string(text_of(*scope.only_probe, *text, scope.platform), scope, out);
    return;
  }
  out.find_row_of_probe(scope.storage.probes.value());
  out.code().emit(bpf::load(Size::Word, Register::R0, Register::R0,
                            static_cast<std::int16_t>(text->offset)));
  out.code().load_map_value(Register::R1, scope.storage.constants, 0);
  out.pointer_to_number(Register::R1);
  out.code().emit(bpf::alu(Arithmetic::Add, Register::R0, Register::R1));
}

// Only the consumer knows it, when the run is over.
void refuse_computing(const Expression& expression, const Scope& /*scope*/,
                      Emitter& out) {
  out.refuse(expression.span, "D_UNKNOWN",
             fmt::format("{} can be recorded and be a key, but not computed with",
                         d::builtin_info(builtin_of(expression).builtin).name));
}

// Linux has no interrupt priority level; DTrace for it gives 0 as well.
void no_level(const Expression& /*expression*/, const Scope& /*scope*/, Emitter& out) {
  out.code().emit(bpf::mov(Register::R0, 0));
}

// ---------------------------------------------------------------- which is which

struct BuiltinCode {
  Builtin builtin{};
  Generate generate = nullptr;
};

// All but numbered arguments and the facts of operand.cpp, which their rows tell.
constexpr auto generators = std::to_array<BuiltinCode>({
    {Builtin::Args, typed_argument},
    {Builtin::Caller, caller<StackOf::Kernel>},
    {Builtin::Cpu, result_of<Helper::GetSmpProcessorId>},
    {Builtin::CurrentThread, result_of<Helper::GetCurrentTask>},
    {Builtin::Epid, enabled_probe},
    {Builtin::ErrorNumber, error_number},
    {Builtin::ExecName, name_of_program},
    {Builtin::Gid, number_of_owner<Half::Upper>},
    {Builtin::Id, probe_id},
    {Builtin::Ipl, no_level},
    {Builtin::Pid, number_of_thread<Half::Upper>},
    {Builtin::ParentPid, parent},
    {Builtin::ProbeProvider, text_of_probe},
    {Builtin::ProbeModule, text_of_probe},
    {Builtin::ProbeFunction, text_of_probe},
    {Builtin::ProbeName, text_of_probe},
    {Builtin::Regs, register_at_probe},
    {Builtin::Uregs, register_of_thread},
    {Builtin::StackDepth, depth<StackOf::Kernel>},
    {Builtin::UserStackDepth, depth<StackOf::User>},
    {Builtin::UserCaller, caller<StackOf::User>},
    {Builtin::Tid, number_of_thread<Half::Lower>},
    {Builtin::Timestamp, time_of_firing},
    {Builtin::VirtualTimestamp, time_on_cpu},
    {Builtin::WallTimestamp, time_of_day},
    {Builtin::Uid, number_of_owner<Half::Lower>},
    {Builtin::Instruction, text_of_probe},
    {Builtin::Mnemonic, text_of_probe},
    {Builtin::SourceFile, refuse_computing},
    {Builtin::SourceLine, refuse_computing},
});

}  // namespace

void generate_probe_key(Emitter& out) {
  out.load_state(Size::Double, Register::R0, offsetof(kinst_state, probe));
}

void generate_builtin(const Expression& expression, const Scope& scope, Emitter& out) {
  const d::BuiltinInfo& info = d::builtin_info(builtin_of(expression).builtin);
  if (info.argument) {
    generate_argument(*info.argument, scope, out);
    return;
  }
  if (info.needs.has(d::Need::Operands)) {
    generate_operand_fact(info.builtin, expression.span, scope, out);
    return;
  }
  const auto* const code =
      std::ranges::find(generators, info.builtin, &BuiltinCode::builtin);
  assert(code != generators.end());
  code->generate(expression, scope, out);
}

}  // namespace kinst::codegen
