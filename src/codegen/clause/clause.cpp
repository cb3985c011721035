// A clause is its statements in order, then its record. A clause that faults sends an
// error record instead, as in DTrace.
#include "codegen/clause/clause.h"

#include <cstddef>
#include <variant>

#include "base/overloaded.h"
#include "codegen/clause/action_code.h"
#include "codegen/clause/aggregation_code.h"
#include "codegen/clause/speculation.h"
#include "codegen/expression/expression.h"
#include "codegen/plan/record_layout.h"

namespace kinst::codegen {
namespace {

// Generates the statements. It walks them as record_layout.cpp does, so that the nth
// recording action here is the nth of the layout.
class Statements {
 public:
  /// recorded: where to continue when the record is complete.
  Statements(const Scope& scope, Label recorded, Emitter& out)
      : scope_(&scope),
        layout_(&scope.storage.records_of_clauses[scope.clause]),
        recorded_(recorded),
        out_(&out) {}

  void generate(const std::vector<d::typed::Statement>& statements) {
    for (const d::typed::Statement& statement : statements) {
      out_->at(statement.span);
      std::visit(Overloaded{[&](const d::typed::ExpressionStatement& node) {
                              generate_value(*node.expression, *scope_, *out_);
                            },
                            [&](const d::typed::If& node) { generate(node); },
                            [&](const d::typed::ActionCall& node) { generate(node); },
                            [&](const d::typed::Aggregate& node) {
                              generate_aggregate(node, *scope_, *out_);
                            }},
                 statement.node);
    }
  }

 private:
  // In DTrace, the statements in an `if` and those behind it are separate clauses, and
  // no clause runs after exit() was called.
  void generate(const d::typed::If& node) {
    leave_if_exited();
    const Label otherwise = out_->code().label();
    const Label done = out_->code().label();
    generate_condition(*node.condition, *scope_, *out_, otherwise);
    generate(node.then_branch);
    out_->code().jump(done);
    out_->code().bind(otherwise);
    generate(node.else_branch);
    out_->code().bind(done);
    leave_if_exited();
  }

  void leave_if_exited() {
    if (has_exited_ && !runs_after_exit(*scope_)) {
      leave_if_exiting(*scope_, recorded_, *out_);
    }
  }

  void generate(const d::typed::ActionCall& node) {
    has_exited_ = has_exited_ || ends_run(node);
    const record::Action* recorded =
        recorded_as(node.action) ? &layout_->actions[next_++] : nullptr;
    generate_action(node, recorded, *scope_, *out_);
  }

  const Scope* scope_;
  const record::Layout* layout_;
  Label recorded_;
  bool has_exited_ = false;
  Emitter* out_;
  std::size_t next_ = 0;
};

// Fills in the record's header and sends `bytes` of it.
void send_record(std::uint32_t clause, std::uint32_t bytes, const Scope& scope,
                 Emitter& out) {
  const std::uint32_t record = scope.storage.record_offset;
  out.store_state(Size::Word, record + offsetof(kinst_record_header, clause),
                  static_cast<std::int32_t>(clause));
  out.code().call(Helper::GetSmpProcessorId);
  out.store_state(Size::Word, record + offsetof(kinst_record_header, cpu),
                  Register::R0);
  out.load_state(Size::Word, Register::R0, scope.storage.speculation_offset);
  out.store_state(Size::Word, record + offsetof(kinst_record_header, speculation),
                  Register::R0);
  out.code().call(Helper::GetCurrentPidTgid);
  out.store_state(Size::Word, record + offsetof(kinst_record_header, tid),
                  Register::R0);
  out.load_state(Size::Double, Register::R0, offsetof(kinst_state, probe));
  out.store_state(Size::Double, record + offsetof(kinst_record_header, probe),
                  Register::R0);
  const Label sent = out.code().label();
  out.code().load_map(Register::R1, scope.storage.records);
  out.address_of_state(Register::R2, record);
  out.code().emit(bpf::mov(Register::R3, static_cast<std::int32_t>(bytes)));
  out.code().emit(bpf::mov(Register::R4, 0));
  out.code().call(Helper::RingbufOutput);
  out.code().jump_if(Register::R0, Condition::Equal, 0, sent);
  out.count(offsetof(kinst_counters, record_drops));
  out.code().bind(sent);
}

void copy_state(std::uint32_t to, std::uint32_t from, Emitter& out) {
  out.load_state(Size::Double, Register::R0, from);
  out.store_state(Size::Double, to, Register::R0);
}

// Turns the fault into an error record and into ERROR's arguments (arg1 the enabling,
// arg2 the action, arg3 the place in the clause, arg4 the fault, arg5 the address), and
// clears it.
void generate_fault(const Scope& scope, const ErrorExit* errors, Emitter& out) {
  const std::uint32_t record = scope.storage.record_offset;
  out.count(offsetof(kinst_counters, errors));
  out.store_state(Size::Word, record + offsetof(kinst_error_record, clause),
                  static_cast<std::int32_t>(scope.clause));
  out.store_state(Size::Word, record + offsetof(kinst_error_record, action), 1);
  copy_state(record + offsetof(kinst_error_record, place),
             offsetof(kinst_state, fault_place), out);
  copy_state(record + offsetof(kinst_error_record, fault), offsetof(kinst_state, fault),
             out);
  copy_state(record + offsetof(kinst_error_record, address),
             offsetof(kinst_state, fault_address), out);
  out.store_state(Size::Word, scope.storage.speculation_offset, 0);
  send_record(KINST_RECORD_ERROR, sizeof(kinst_error_record), scope, out);
  if (errors != nullptr) {
    constexpr std::uint32_t arguments = offsetof(kinst_state, args);
    out.store_state(Size::Double, arguments + 8,
                    static_cast<std::int32_t>(scope.clause + 1));
    out.store_state(Size::Double, arguments + 16, 1);
    copy_state(arguments + 24, offsetof(kinst_state, fault_place), out);
    copy_state(arguments + 32, offsetof(kinst_state, fault), out);
    copy_state(arguments + 40, offsetof(kinst_state, fault_address), out);
  }
  out.store_state(Size::Double, offsetof(kinst_state, fault), 0);
  out.store_state(Size::Double, offsetof(kinst_state, fault_address), 0);
  if (errors != nullptr) {
    out.code().emit(bpf::mov(failed_clause_register, errors->number));
    out.code().jump(errors->error_clauses);
    out.code().bind(errors->resumed);
  }
}

}  // namespace

bool runs_after_exit(const Scope& scope) {
  const auto* own = scope.only_probe == nullptr
                        ? nullptr
                        : std::get_if<provider::DtraceProbe>(&scope.only_probe->site);
  return scope.is_error_clause ||
         (own != nullptr && *own == provider::DtraceProbe::End);
}

void leave_if_exiting(const Scope& scope, Label over, Emitter& out) {
  out.code().load_map_value(Register::R1, scope.storage.control, 0);
  out.code().emit(bpf::load(Size::Double, Register::R1, Register::R1,
                            offsetof(kinst_control, exiting)));
  out.code().jump_if(Register::R1, Condition::NotEqual, 0, over);
}

void generate_clause(const Scope& scope, const ErrorExit* errors, Emitter& out) {
  const d::typed::Clause& clause = scope.program.clauses[scope.clause];
  const record::Layout& layout = scope.storage.records_of_clauses[scope.clause];
  const Label failed = out.code().label();
  const Label done = out.code().label();
  out.begin_clause(failed, done);
  // scratchsize limits each clause. Memory that a clause was given stays valid for
  // later clauses of the same firing.
  out.store_state(Size::Double, offsetof(kinst_state, allocated), 0);
  out.store_state(Size::Word, scope.storage.speculation_offset, 0);
  for (const record::Action& action : layout.actions) {
    if (action.guard_offset) {
      out.store_state(Size::Byte, scope.storage.record_offset + *action.guard_offset,
                      0);
    }
  }
  clear_ended_speculations(layout, scope, out);
  if (clause.predicate != nullptr) {
    generate_condition(*clause.predicate, scope, out, done);
  }
  const Label recorded = out.code().label();
  Statements(scope, recorded, out).generate(clause.statements);
  out.code().bind(recorded);
  if (makes_record(clause)) {
    send_record(scope.clause, layout.size_bytes, scope, out);
  }
  free_ended_speculations(layout, scope, out);
  out.code().jump(done);
  out.code().bind(failed);
  resume_ended_speculations(layout, scope, out);
  generate_fault(scope, errors, out);
  out.code().bind(done);
}

}  // namespace kinst::codegen
