// Walks a clause's statements and gives every recorded value its place.
#include "codegen/plan/record_layout.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "codegen/plan/walk.h"
#include "runtime/abi.h"

namespace kinst::codegen {
namespace {

// A struct task_struct is larger than what anyone wants to see of it.
constexpr std::uint64_t most_pointee_bytes = 8192;

std::uint32_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return static_cast<std::uint32_t>((offset + alignment - 1) / alignment * alignment);
}

// The largest power of two up to 8 that a size is a multiple of: fields are stored to
// with single instructions where they can be.
std::uint32_t alignment_of_size(std::uint32_t size_bytes) {
  for (const std::uint32_t alignment : {8U, 4U, 2U}) {
    if (size_bytes % alignment == 0) {
      return alignment;
    }
  }
  return 1;
}

// Collects a clause's actions, giving places from the record's header on.
class RecordBuilder {
 public:
  explicit RecordBuilder(const types::TypeTable& types) : types_(&types) {}

  void add(const std::vector<d::typed::Statement>& statements, bool is_conditional) {
    for (const d::typed::Statement& statement : statements) {
      std::visit(Overloaded{[&](const d::typed::If& branches) {
                              is_behind_exit_ = has_exited_;
                              add(branches.then_branch, true);
                              add(branches.else_branch, true);
                              is_behind_exit_ = has_exited_;
                            },
                            [&](const d::typed::ActionCall& call) {
                              add(call, is_conditional || is_behind_exit_);
                              has_exited_ = has_exited_ || ends_run(call);
                            },
                            [](const auto&) {}},
                 statement.node);
    }
  }

  record::Layout finish(std::uint32_t clause) && {
    return {.clause = clause,
            .size_bytes = aligned(next_, 8),
            .actions = std::move(actions_),
            .is_speculative = is_speculative_,
            .is_default = false};
  }

 private:
  void add(const d::typed::ActionCall& call, bool is_conditional) {
    is_speculative_ =
        is_speculative_ || d::action_info(call.action).role == d::ActionRole::Speculate;
    const auto kind = recorded_as(call.action);
    if (!kind) {
      return;
    }
    record::Action action{.kind = *kind,
                          .fields = {},
                          .guard_offset = {},
                          .format = call.format,
                          .aggregations = {}};
    if (call.action == d::Action::Printm) {
      add_referred(*call.arguments.front(), action);
    } else {
      for (const d::typed::ExpressionPointer& argument : call.arguments) {
        action.fields.push_back(field(*argument));
      }
    }
    if (call.action == d::Action::Print) {
      add_pointee(*call.arguments.front(), action);
    }
    for (const d::typed::AggregationId aggregation : call.aggregations) {
      action.aggregations.push_back(static_cast<std::uint32_t>(aggregation));
    }
    if (is_conditional) {
      action.guard_offset = next_++;
    }
    actions_.push_back(std::move(action));
  }

  record::Field field(const d::typed::Expression& expression) {
    const std::uint32_t bytes = recorded_bytes(expression, *types_);
    const std::uint32_t offset = aligned(next_, alignment_of_size(bytes));
    next_ = offset + bytes;
    return {.offset = offset,
            .size_bytes = bytes,
            .type = expression.type,
            .meaning = meaning_of(expression)};
  }

  // print(p) shows what p points at: the second field, as much of it as is recorded.
  void add_pointee(const d::typed::Expression& value, record::Action& action) {
    const auto* pointer = std::get_if<types::Pointer>(&types_->resolved(value.type));
    const std::uint64_t size =
        pointer == nullptr ? 0 : types_->size_of(pointer->target).value_or(0);
    if (size == 0) {
      return;  // of void or a function
    }
    const auto bytes =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(size, most_pointee_bytes));
    const std::uint32_t offset = aligned(next_, 8);
    next_ = offset + bytes;
    action.fields.push_back({.offset = offset,
                             .size_bytes = bytes,
                             .type = pointer->target,
                             .meaning = record::Meaning::Value});
  }

  // printm(size, reference) shows what the reference tells of: room for so many bytes,
  // as the reference's type says, and how many there are.
  void add_referred(const d::typed::Expression& reference, record::Action& action) {
    const auto& pointer = std::get<types::Pointer>(types_->resolved(reference.type));
    const auto bytes =
        static_cast<std::uint32_t>(types_->size_of(pointer.target).value_or(0));
    const std::uint32_t count = aligned(next_, 8);
    const std::uint32_t offset = count + 8;
    next_ = offset + bytes;
    action.fields = {{.offset = offset, .size_bytes = bytes, .type = pointer.target},
                     {.offset = count, .size_bytes = 8, .type = types_->uint64_type()}};
  }

  const types::TypeTable* types_;
  std::uint32_t next_ = sizeof(kinst_record_header);
  std::vector<record::Action> actions_;
  bool is_speculative_ = false;
  bool has_exited_ = false;
  /// What the clause leaves out if exit() was called: see clause.cpp.
  bool is_behind_exit_ = false;
};

// What all uses of an aggregation put at one place of its key.
class KeyUses {
 public:
  void add(const d::typed::Expression& key, const types::TypeTable& types) {
    using record::Meaning;
    const Meaning meaning = codegen::meaning_of(key);
    const bool is_kernel_stack = meaning == Meaning::Stack;
    has_kernel_stacks_ = has_kernel_stacks_ || is_kernel_stack;
    has_user_stacks_ = has_user_stacks_ || meaning == Meaning::UserStack;
    is_mixed_ = is_mixed_ || (meaning_ && *meaning_ != meaning);
    meaning_ = meaning;
    const std::uint32_t bytes = recorded_bytes(key, types);
    bytes_ = std::max(bytes_, bytes);
    stack_bytes_ = std::max(stack_bytes_, bytes + (is_kernel_stack ? 8 : 0));
  }

  [[nodiscard]] record::Field field(types::TypeId type, std::uint32_t offset,
                                    const types::TypeTable& types) const {
    if (has_kernel_stacks_ && has_user_stacks_) {
      return {.offset = offset,
              .size_bytes = stack_bytes_,
              .type = type,
              .meaning = record::Meaning::UserStack};
    }
    if (is_mixed_ ||
        meaning_.value_or(record::Meaning::Value) == record::Meaning::Value) {
      return {.offset = offset,
              .size_bytes = static_cast<std::uint32_t>(types.size_of(type).value_or(8)),
              .type = type,
              .meaning = record::Meaning::Value};
    }
    return {.offset = offset, .size_bytes = bytes_, .type = type, .meaning = *meaning_};
  }

 private:
  std::optional<record::Meaning> meaning_;
  std::uint32_t bytes_ = 0;
  std::uint32_t stack_bytes_ = 0;  ///< with a word in front of kernel stacks, too
  bool is_mixed_ = false;
  bool has_kernel_stacks_ = false;
  bool has_user_stacks_ = false;
};

}  // namespace

std::optional<record::ActionKind> recorded_as(d::Action action) {
  switch (action) {
    case d::Action::Trace:
      return record::ActionKind::Trace;
    case d::Action::Tracemem:
    case d::Action::Printm:
      return record::ActionKind::Tracemem;
    case d::Action::Print:
      return record::ActionKind::Print;
    case d::Action::Printf:
      return record::ActionKind::Printf;
    case d::Action::Printa:
      return record::ActionKind::Printa;
    case d::Action::Clear:
      return record::ActionKind::Clear;
    case d::Action::Trunc:
      return record::ActionKind::Trunc;
    case d::Action::Normalize:
      return record::ActionKind::Normalize;
    case d::Action::Denormalize:
      return record::ActionKind::Denormalize;
    case d::Action::System:
      return record::ActionKind::System;
    case d::Action::Freopen:
      return record::ActionKind::Freopen;
    case d::Action::Ftruncate:
      return record::ActionKind::Ftruncate;
    case d::Action::Setopt:
      return record::ActionKind::Setopt;
    case d::Action::Exit:
      return record::ActionKind::Exit;
    case d::Action::Commit:
      return record::ActionKind::Commit;
    case d::Action::Discard:
      return record::ActionKind::Discard;
    case d::Action::Chill:
    case d::Action::Raise:
    case d::Action::Speculate:
    case d::Action::Stop:
      return std::nullopt;
  }
  return std::nullopt;
}

record::Meaning meaning_of(const d::typed::Expression& expression) {
  if (const auto* builtin = std::get_if<d::typed::BuiltinValue>(&expression.node)) {
    return d::builtin_info(builtin->builtin).meaning;
  }
  if (const auto* symbolic = std::get_if<d::typed::SymbolicValue>(&expression.node)) {
    return d::symbolic_info(symbolic->kind).meaning;
  }
  return record::Meaning::Value;
}

std::uint32_t recorded_bytes(const d::typed::Expression& expression,
                             const types::TypeTable& types) {
  switch (record::form_of(meaning_of(expression))) {
    case record::Form::Value:
      return static_cast<std::uint32_t>(types.size_of(expression.type).value_or(0));
    case record::Form::Frames:
      return 8 * std::get<d::typed::SymbolicValue>(expression.node).frames;
    case record::Form::UserFrames:
      return 8 + 8 * std::get<d::typed::SymbolicValue>(expression.node).frames;
    case record::Form::UserAddress:
      return 16;
    case record::Form::Address:
    case record::Form::ProbeKey:
      return 8;
  }
  return 0;
}

bool ends_run(const d::typed::ActionCall& call) {
  return d::action_info(call.action).role == d::ActionRole::Exit;
}

bool makes_record(const d::typed::Clause& clause) {
  return clause.statements.empty() ||
         !std::ranges::all_of(clause.statements, [](const d::typed::Statement& one) {
           return std::holds_alternative<d::typed::Aggregate>(one.node);
         });
}

record::Layout lay_out_record(const d::typed::Clause& clause, std::uint32_t number,
                              const types::TypeTable& types) {
  RecordBuilder builder(types);
  builder.add(clause.statements, false);
  record::Layout layout = std::move(builder).finish(number);
  layout.is_default = clause.is_default;
  return layout;
}

record::Aggregation lay_out_aggregation(const d::typed::Program& program,
                                        std::uint32_t number,
                                        const types::TypeTable& types) {
  const d::typed::Aggregation& aggregation = program.aggregations[number];
  record::Aggregation layout{
      .name = aggregation.name,
      .function = aggregation.function,
      .parameters = aggregation.parameters,
      .keys = {},
      .key_size_bytes = 0,
      .value_words = record::value_words(aggregation.function, aggregation.parameters),
      .is_signed = aggregation.is_signed};
  std::vector<KeyUses> keys(aggregation.key_types.size());
  for (const d::typed::Clause& clause : program.clauses) {
    for_each_statement(clause.statements, [&](const d::typed::Statement& statement) {
      const auto* use = std::get_if<d::typed::Aggregate>(&statement.node);
      if (use == nullptr || static_cast<std::uint32_t>(use->aggregation) != number) {
        return;
      }
      for (std::size_t key = 0; key < keys.size(); ++key) {
        keys[key].add(*use->keys[key], types);
      }
    });
  }
  for (std::size_t key = 0; key < keys.size(); ++key) {
    const types::TypeId type = aggregation.key_types[key];
    const record::Field field = keys[key].field(type, layout.key_size_bytes, types);
    layout.keys.push_back(field);
    layout.key_size_bytes = aligned(field.offset + field.size_bytes, 8);
  }
  return layout;
}

}  // namespace kinst::codegen
