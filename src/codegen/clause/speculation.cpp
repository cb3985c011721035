#include "codegen/clause/speculation.h"

#include "codegen/expression/expression.h"

namespace kinst::codegen {
namespace {

// A record of DTrace has 16 bytes before its data, which count against specsize.
constexpr std::uint32_t dtrace_header_bytes = 16;

bool ends_speculation(const record::Action& action) {
  return action.kind == record::ActionKind::Commit ||
         action.kind == record::ActionKind::Discard;
}

std::uint32_t number_offset(const record::Action& action, const Scope& scope) {
  return scope.storage.record_offset + action.fields.front().offset;
}

void load_number(const record::Action& action, const Scope& scope, Emitter& out) {
  out.load_state(size_of_bytes(action.fields.front().size_bytes), Register::R1,
                 number_offset(action, scope));
}

void call_for_each_ended(std::string_view function, const record::Layout& layout,
                         const Scope& scope, Emitter& out) {
  for (const record::Action& action : layout.actions) {
    if (ends_speculation(action)) {
      load_number(action, scope, out);
      out.code().call(function);
    }
  }
}

}  // namespace

void generate_speculate(const d::typed::ActionCall& call, const Scope& scope,
                        Emitter& out) {
  const std::uint32_t bytes =
      scope.storage.records_of_clauses[scope.clause].size_bytes -
      static_cast<std::uint32_t>(sizeof(kinst_record_header)) + dtrace_header_bytes;
  generate_value(*call.arguments.front(), scope, out);
  const Temporary number = out.saved(Register::R0);
  out.code().emit(bpf::mov(Register::R1, Register::R0));
  out.code().emit(bpf::mov(Register::R2, static_cast<std::int32_t>(bytes)));
  out.code().load_constant(Register::R3, scope.storage.options.speculation_size);
  out.code().call("kinst_speculate");
  out.leave_if_zero(Register::R0);
  out.load(Register::R0, number);
  out.store_state(Size::Word, scope.storage.speculation_offset, Register::R0);
}

void generate_end_of_speculation(const record::Action& recorded, const Scope& scope,
                                 Emitter& out) {
  load_number(recorded, scope, out);
  out.code().call("kinst_end_speculation");
  out.leave_if_faulted();
}

void clear_ended_speculations(const record::Layout& layout, const Scope& scope,
                              Emitter& out) {
  for (const record::Action& action : layout.actions) {
    if (ends_speculation(action)) {
      out.store_state(size_of_bytes(action.fields.front().size_bytes),
                      number_offset(action, scope), 0);
    }
  }
}

void free_ended_speculations(const record::Layout& layout, const Scope& scope,
                             Emitter& out) {
  call_for_each_ended("kinst_free_speculation", layout, scope, out);
}

void resume_ended_speculations(const record::Layout& layout, const Scope& scope,
                               Emitter& out) {
  call_for_each_ended("kinst_resume_speculation", layout, scope, out);
}

}  // namespace kinst::codegen
