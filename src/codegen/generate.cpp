// Generates one program for each group of probes: it finds this CPU's memory and then
// runs clause after clause.
#include "codegen/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "codegen/clause/clause.h"
#include "codegen/context/context.h"
#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "codegen/expression/string.h"
#include "codegen/plan/record_layout.h"
#include "codegen/plan/walk.h"
#include "provider/provider.h"

namespace kinst::codegen {
namespace {

// Jumps to `give_up` if tracing has not begun or is over.
void require_active(const Scope& scope, Label give_up, Emitter& out) {
  auto& code = out.code();
  if (!context_of(scope.context).is_run_by_kinst) {
    code.load_map_value(Register::R1, scope.storage.control, 0);
    code.emit(bpf::load(Size::Double, Register::R1, Register::R1,
                        offsetof(kinst_control, active)));
    code.jump_if(Register::R1, Condition::Equal, 0, give_up);
  }
}

// R0 = the key of the probe that fired. Jumps to `not_ours` if the program does not
// serve that probe.
void generate_key(const Scope& scope, Label not_ours, Emitter& out) {
  if (scope.only_probe != nullptr) {
    out.code().load_constant(Register::R0, scope.only_probe->key);
  } else {
    context_of(scope.context).identify(scope, not_ours, out);
  }
}

// R7 = this CPU's state.
void find_state(const Scope& scope, Label give_up, Emitter& out) {
  auto& code = out.code();
  const Temporary cpu = out.temporary();
  code.call(Helper::GetSmpProcessorId);
  out.store(cpu, Register::R0);
  code.load_map(Register::R1, scope.storage.state);
  out.address_of(Register::R2, cpu);
  code.call(Helper::MapLookup);
  code.jump_if(Register::R0, Condition::Equal, 0, give_up);
  code.emit(bpf::mov(state_register, Register::R0));
}

// Jumps to `give_up` on other CPUs than the one that the option cpu names.
void require_cpu(const Scope& scope, Label give_up, Emitter& out) {
  if (scope.platform.only_cpu) {
    out.code().call(Helper::GetSmpProcessorId);
    out.code().jump_if(Register::R0, Condition::NotEqual,
                       static_cast<std::int32_t>(*scope.platform.only_cpu), give_up);
  }
}

// Jumps to `give_up` if another program of kinst is running on this CPU, and counts
// this.
void begin_hit(const Scope& scope, Label give_up, Emitter& out) {
  auto& code = out.code();
  const Label alone = code.label();
  out.load_state(Size::Double, Register::R1, offsetof(kinst_state, busy));
  code.jump_if(Register::R1, Condition::Equal, 0, alone);
  out.count(offsetof(kinst_counters, nested));
  code.jump(give_up);
  code.bind(alone);
  out.store_state(Size::Double, offsetof(kinst_state, busy), 1);
  if (!provider::fires_by_itself(*scope.served.front())) {
    out.count(offsetof(kinst_counters, hits));
  }
  out.store_state(Size::Double, offsetof(kinst_state, self), state_register);
}

bool calls_exit(const d::typed::Clause& clause) {
  bool found = false;
  for_each_statement(clause.statements, [&](const d::typed::Statement& statement) {
    const auto* call = std::get_if<d::typed::ActionCall>(&statement.node);
    found = found || (call != nullptr && ends_run(*call));
  });
  return found;
}

bool any_calls_exit(const d::typed::Program& program,
                    std::span<const std::size_t> clauses) {
  return std::ranges::any_of(
      clauses, [&](std::size_t clause) { return calls_exit(program.clauses[clause]); });
}

enum class ErrorExits : std::uint8_t { Never, Maybe };

// ERROR's clauses, and how a program runs them after one of its clauses has failed.
struct ErrorClauses {
  const std::vector<std::size_t>& clauses;
  const provider::Probe* probe = nullptr;
  ErrorExits exits = ErrorExits::Never;

  [[nodiscard]] bool exist() const { return probe != nullptr && !clauses.empty(); }
};

// Generates ERROR's clauses behind the end of the program. All `exits` come here, and
// continue where each of them says.
void generate_errors(Scope scope, const ErrorClauses& errors, Label begin,
                     const std::vector<ErrorExit>& exits, Emitter& out) {
  if (exits.empty()) {
    return;
  }
  out.code().bind(begin);
  scope.only_probe = errors.probe;
  scope.is_error_clause = true;
  // Save the failed probe's key, which is restored after ERROR.
  out.load_state(Size::Double, Register::R0, offsetof(kinst_state, probe));
  const Temporary failed_probe = out.saved(Register::R0);
  out.code().load_constant(Register::R0, errors.probe->key);
  out.store_state(Size::Double, offsetof(kinst_state, probe), Register::R0);
  for (const std::size_t clause : errors.clauses) {
    scope.clause = static_cast<std::uint32_t>(clause);
    out.code().comment(fmt::format("ERROR, clause {}", clause));
    generate_clause(scope, nullptr, out);
  }
  out.load(Register::R0, failed_probe);
  out.store_state(Size::Double, offsetof(kinst_state, probe), Register::R0);
  for (const ErrorExit& exit : exits) {
    out.code().jump_if(failed_clause_register, Condition::Equal, exit.number,
                       exit.resumed);
  }
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().exit();
}

// Generates the clauses one after the other; returns an exit for each that may run
// ERROR's. Jumps to `over` if exit() is called between two of them.
std::vector<ErrorExit> generate_clauses(Scope scope,
                                        const std::vector<std::size_t>& clauses,
                                        const ErrorClauses& errors, Label error_clauses,
                                        Emitter& out) {
  std::vector<ErrorExit> exits;
  const Label over = out.code().label();
  bool may_be_exiting = false;
  for (const std::size_t clause : clauses) {
    if (may_be_exiting && !runs_after_exit(scope)) {
      leave_if_exiting(scope, over, out);
    }
    scope.clause = static_cast<std::uint32_t>(clause);
    out.code().comment(fmt::format("clause {}", clause));
    const ErrorExit exit{.error_clauses = error_clauses,
                         .number = static_cast<std::int32_t>(exits.size()),
                         .resumed = out.code().label()};
    generate_clause(scope, errors.exist() ? &exit : nullptr, out);
    if (errors.exist()) {
      exits.push_back(exit);
    }
    may_be_exiting = may_be_exiting || errors.exits == ErrorExits::Maybe ||
                     calls_exit(scope.program.clauses[clause]);
  }
  out.code().bind(over);
  return exits;
}

bpf::Function generate_main(const Scope& scope, const ProgramGroup& group,
                            const ErrorClauses& errors, const std::string& name,
                            Diagnostics& diagnostics) {
  Emitter out(name, diagnostics);
  const Label give_up = out.code().label();
  out.code().emit(bpf::mov(context_register, Register::R1));
  const bool counts_entries = has_counted_hits(group.context, group.attach_type);
  if (counts_entries) {
    find_state(scope, give_up, out);
    out.count(offsetof(kinst_counters, entered));
  }
  require_active(scope, give_up, out);
  generate_key(scope, give_up, out);
  {
    const Temporary key = out.saved(Register::R0);
    require_cpu(scope, give_up, out);
    if (!counts_entries) {
      find_state(scope, give_up, out);
    }
    begin_hit(scope, give_up, out);
    out.load(Register::R0, key);
  }
  out.store_state(Size::Double, offsetof(kinst_state, probe), Register::R0);
  out.store_state(Size::Double, offsetof(kinst_state, strtok_next), 0);
  out.store_state(Size::Double, offsetof(kinst_state, scratch_top), 0);
  if (scope.storage.needs.has(d::Need::Time)) {
    out.code().call(Helper::KtimeGetNs);
    out.store_state(Size::Double, offsetof(kinst_state, timestamp), Register::R0);
  }
  if (scope.storage.this_bytes != 0) {
    zero_state(scope.storage.this_offset, scope.storage.this_bytes, scope, out);
  }
  const Label error_clauses = out.code().label();
  const std::vector<ErrorExit> exits =
      generate_clauses(scope, group.clauses, errors, error_clauses, out);
  out.store_state(Size::Double, offsetof(kinst_state, busy), 0);
  out.code().bind(give_up);
  out.code().emit(bpf::mov(Register::R0, 0));
  out.code().exit();
  generate_errors(scope, errors, error_clauses, exits, out);
  return std::move(out.code()).finish();
}

const provider::Probe* find_error_probe(std::span<const provider::Probe> probes) {
  const auto found = std::ranges::find_if(probes, [](const provider::Probe& probe) {
    const auto* own = std::get_if<provider::DtraceProbe>(&probe.site);
    return own != nullptr && *own == provider::DtraceProbe::Error;
  });
  return found == probes.end() ? nullptr : &*found;
}

// Whether the group's program can only be run by one probe, so that nothing about the
// probe need be looked up.
bool serves_one(const ProgramGroup& group) {
  const Context& context = context_of(group.context);
  return !context.serves_many ||
         (context.is_called_at_known_probes && group.probes.size() == 1);
}

}  // namespace

bool has_counted_hits(ContextKind context, std::uint32_t attach_type) {
  return context_of(context).has_counted_hits && attach_type == 0;
}

Generated generate(const EnabledProgram& enabled, const Plan& plan,
                   const StorageOptions& options, Diagnostics& diagnostics) {
  Generated result;
  result.storage = make_storage(enabled, options, result.object);
  const ErrorClauses errors{.clauses = plan.error_clauses,
                            .probe = find_error_probe(enabled.probes),
                            .exits = any_calls_exit(enabled.program, plan.error_clauses)
                                         ? ErrorExits::Maybe
                                         : ErrorExits::Never};
  for (std::size_t number = 0; number < plan.groups.size(); ++number) {
    const ProgramGroup& group = plan.groups[number];
    std::vector<const provider::Probe*> served;
    for (const std::size_t probe : group.probes) {
      served.push_back(&enabled.probes[probe]);
    }
    const Scope scope{.program = enabled.program,
                      .types = enabled.types,
                      .storage = result.storage,
                      .platform = enabled.platform,
                      .context = group.context,
                      .served = served,
                      .only_probe = serves_one(group) ? served.front() : nullptr,
                      .locals = group.locals,
                      .result = group.result,
                      .has_results = group.has_results,
                      .clause = 0,
                      .is_error_clause = false};
    bpf::Program program;
    program.name = fmt::format("kinst_{}", number);
    program.type = context_of(group.context).program;
    program.expected_attach_type = group.attach_type;
    program.attach_btf_id = group.function_id;
    program.functions.push_back(
        generate_main(scope, group, errors, program.name, diagnostics));
    result.object.programs.push_back(std::move(program));
  }
  result.layouts = {.clauses = result.storage.records_of_clauses,
                    .aggregations = result.storage.aggregation_layouts};
  return result;
}

}  // namespace kinst::codegen
