// Actions: their arguments, counted, checked and converted.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "d/check/format_checker.h"
#include "d/check/statement_checker.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using typed::ActionCall;
using typed::ExpressionPointer;

namespace {

std::string escaped_for_format(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '%' ? "%%" : std::string(1, c);
  }
  return out;
}

}  // namespace

std::optional<typed::Statement> StatementChecker::action(const Call& call,
                                                         const ActionInfo& info,
                                                         Span span) {
  auto checked = arguments_of(call, info, span);
  if (!checked) {
    return std::nullopt;
  }
  for (const ExpressionPointer& argument : checked->arguments) {
    if (!expressions_.reject_leftovers(*argument) ||
        !check_subroutines_order(*argument)) {
      return std::nullopt;
    }
  }
  if (!check_order(info.role, span)) {
    return std::nullopt;
  }
  if (info.role == ActionRole::Destructive) {
    note_destructive(info.name, span);
  }
  return typed::Statement{.span = span, .node = std::move(*checked)};
}

std::optional<ActionCall> StatementChecker::arguments_of(const Call& call,
                                                         const ActionInfo& info,
                                                         Span span) {
  switch (info.action) {
    case Action::Printf:
    case Action::System:
    case Action::Freopen:
      return printf(call, info, span);
    case Action::Printa:
      return printa(call, info, span);
    case Action::Clear:
    case Action::Trunc:
    case Action::Normalize:
    case Action::Denormalize:
      return of_aggregation(call, info, span);
    case Action::Setopt:
      return setopt(call, info, span);
    case Action::Chill:
    case Action::Commit:
    case Action::Discard:
    case Action::Exit:
    case Action::Ftruncate:
    case Action::Print:
    case Action::Printm:
    case Action::Raise:
    case Action::Speculate:
    case Action::Stop:
    case Action::Trace:
    case Action::Tracemem:
      return plain(call, info, span);
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- with formats

std::optional<ActionCall> StatementChecker::printf(const Call& call,
                                                   const ActionInfo& info, Span span) {
  if (!expressions_.check_argument_count(call, span, info.prototype)) {
    return std::nullopt;
  }
  const Expression& first = expressions_.chosen(call.arguments.front());
  const auto* format = std::get_if<StringLiteral>(&first.node);
  if (format == nullptr) {
    const ExpressionPointer value = expressions_.check(first);
    if (value == nullptr) {
      return std::nullopt;
    }
    if (!is_string_compatible(table_, value->type)) {
      const auto* letters = std::get_if<IntegerLiteral>(&first.node);
      error("D_PROTO_ARG", value->span,
            fmt::format("{}() takes a string constant as argument 1, not \"{}\"",
                        call.function, table_.name_of(value->type)))
          .hint =
          letters != nullptr && letters->is_character ? hint_for_text(*letters) : "";
      return std::nullopt;
    }
    error("D_PRINTF_ARG_FMT", call.arguments.front().span,
          fmt::format("{}() needs a string constant as its format", call.function))
        .hint = fmt::format(R"(as in {}("%s", text))", call.function);
    return std::nullopt;
  }
  const bool is_freopen = info.action == Action::Freopen;
  if (format->value.empty() && !is_freopen) {
    error("D_PRINTF_FMT_EMPTY", call.arguments.front().span,
          fmt::format("{}()'s format is empty", call.function));
    return std::nullopt;
  }
  if (is_freopen && format->value == ".") {
    error("D_FREOPEN_INVALID", call.arguments.front().span,
          "freopen() cannot write to \".\"");
    return std::nullopt;
  }
  ActionCall result{.action = info.action, .format = format->value};
  std::vector<FormatArgument> given;
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    ExpressionPointer value = expressions_.check_symbolic(call.arguments[i]);
    if (value == nullptr) {
      return std::nullopt;
    }
    value = whole_text(std::move(value));
    given.push_back(format_argument(*value));
    result.arguments.push_back(std::move(value));
  }
  if (!check_format({.function = call.function,
                     .format = format->value,
                     .span = call.arguments.front().span,
                     .of = FormatOf::Values},
                    given, table_, diagnostics_)) {
    return std::nullopt;
  }
  return result;
}

// An array of characters without bounds has no bytes of its own to record: it is
// recorded as the string that begins there.
ExpressionPointer StatementChecker::whole_text(ExpressionPointer value) {
  const auto* array = std::get_if<types::Array>(&table_.resolved(value->type));
  if (array == nullptr || array->count != 0 ||
      !is_string_compatible(table_, value->type)) {
    return value;
  }
  return expressions_.convert(std::move(value), table_.string_type());
}

std::optional<typed::AggregationId> StatementChecker::named_aggregation(
    const Expression& written, std::string_view tag, std::string_view function,
    std::size_t number) {
  const Expression& argument = expressions_.chosen(written);
  const auto* reference = std::get_if<AggregationReference>(&argument.node);
  // An unknown aggregation is reported as any unknown name.
  const ExpressionPointer value = expressions_.check(argument);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (reference == nullptr) {
    error(tag, argument.span,
          fmt::format("{}() takes an aggregation as argument {}, not \"{}\"", function,
                      number, table_.name_of(value->type)));
    return std::nullopt;
  }
  return *find(names_.aggregation_ids, reference->name);
}

bool StatementChecker::check_same_keys(typed::AggregationId first,
                                       typed::AggregationId other, Span span) {
  const typed::Aggregation& left = names_.aggregation(first);
  const typed::Aggregation& right = names_.aggregation(other);
  if (left.key_types.size() != right.key_types.size()) {
    error("D_PRINTA_AGGKEY", span,
          fmt::format("@{} has {} key{}, @{} has {}", left.name, left.key_types.size(),
                      left.key_types.size() == 1 ? "" : "s", right.name,
                      right.key_types.size()));
    return false;
  }
  for (std::size_t i = 0; i < left.key_types.size(); ++i) {
    if (left.key_symbols[i] != right.key_symbols[i] ||
        !is_assignable(table_, left.key_types[i], {right.key_types[i]})) {
      error("D_PRINTA_AGGPROTO", span,
            fmt::format(R"(key {} of @{} is "{}", of @{} "{}")", i + 1, left.name,
                        table_.name_of(left.key_types[i]), right.name,
                        table_.name_of(right.key_types[i])));
      return false;
    }
  }
  return true;
}

bool StatementChecker::check_printa_format(std::string_view format, Span span,
                                           typed::AggregationId id) {
  const typed::Aggregation& aggregation = names_.aggregation(id);
  std::vector<FormatArgument> keys;
  for (std::size_t i = 0; i < aggregation.key_types.size(); ++i) {
    const auto symbol = aggregation.key_symbols[i];
    keys.push_back(
        {.type = aggregation.key_types[i],
         .meaning = symbol ? symbolic_info(*symbol).meaning : record::Meaning::Value,
         .span = span});
  }
  return check_format({.function = "printa",
                       .format = format,
                       .span = span,
                       .of = FormatOf::Aggregation},
                      keys, table_, diagnostics_);
}

std::optional<ActionCall> StatementChecker::printa(const Call& call,
                                                   const ActionInfo& info, Span span) {
  if (!expressions_.check_argument_count(call, span, info.prototype)) {
    return std::nullopt;
  }
  ActionCall result{.action = info.action};
  std::size_t first = 0;
  if (const auto* format = std::get_if<StringLiteral>(
          &expressions_.chosen(call.arguments.front()).node)) {
    result.format = format->value;
    first = 1;
    if (format->value.empty()) {
      error("D_PRINTF_FMT_EMPTY", call.arguments.front().span,
            "printa()'s format is empty");
      return std::nullopt;
    }
  }
  if (call.arguments.size() <= first) {
    error("D_PRINTA_PROTO", span, "printa() needs an aggregation behind its format");
    return std::nullopt;
  }
  for (std::size_t i = first; i < call.arguments.size(); ++i) {
    const auto id =
        named_aggregation(call.arguments[i], info.aggregation_tag, "printa", i + 1);
    if (!id ||
        (!result.aggregations.empty() &&
         !check_same_keys(result.aggregations.front(), *id, call.arguments[i].span))) {
      return std::nullopt;
    }
    if (!result.format.empty() &&
        !check_printa_format(result.format, call.arguments.front().span, *id)) {
      return std::nullopt;
    }
    result.aggregations.push_back(*id);
  }
  return result;
}

// ---------------------------------------------------------------- on aggregations

std::optional<ActionCall> StatementChecker::of_aggregation(const Call& call,
                                                           const ActionInfo& info,
                                                           Span span) {
  if (!expressions_.check_argument_count(call, span, info.prototype)) {
    return std::nullopt;
  }
  const auto id =
      named_aggregation(call.arguments.front(), info.aggregation_tag, call.function, 1);
  if (!id) {
    return std::nullopt;
  }
  auto arguments = expressions_.check_arguments(call, span, info.prototype);
  if (!arguments) {
    return std::nullopt;
  }
  expressions_.pass_arguments(info.prototype, *arguments);
  // The remaining argument is trunc()'s count or normalize()'s divisor.
  arguments->erase(arguments->begin());
  return ActionCall{
      .action = info.action, .arguments = std::move(*arguments), .aggregations = {*id}};
}

// ---------------------------------------------------------------- others

std::optional<ActionCall> StatementChecker::setopt(const Call& call,
                                                   const ActionInfo& info, Span span) {
  if (!expressions_.check_arguments(call, span, info.prototype)) {
    return std::nullopt;
  }
  ActionCall result{.action = info.action};
  for (const Expression& written : call.arguments) {
    const Expression& argument = expressions_.chosen(written);
    result.format += result.format.empty() ? "" : "=";
    if (const auto* text = std::get_if<StringLiteral>(&argument.node)) {
      result.format += escaped_for_format(text->value);
      continue;
    }
    ExpressionPointer value = expressions_.check_symbolic(argument);
    if (value == nullptr) {
      return std::nullopt;
    }
    result.format += "%s";
    const std::array given = {format_argument(*value)};
    if (!check_format({.function = call.function,
                       .format = "%s",
                       .span = argument.span,
                       .of = FormatOf::Values},
                      given, table_, diagnostics_)) {
      return std::nullopt;
    }
    result.arguments.push_back(std::move(value));
  }
  return result;
}

std::optional<ActionCall> StatementChecker::plain(const Call& call,
                                                  const ActionInfo& info, Span span) {
  auto arguments = expressions_.check_arguments(call, span, info.prototype);
  if (!arguments) {
    return std::nullopt;
  }
  const bool is_good = info.action == Action::Trace ? check_trace(*arguments->front())
                       : info.action == Action::Printm   ? check_printm(*arguments)
                       : info.action == Action::Tracemem ? check_tracemem(*arguments)
                       : info.action == Action::Print ? check_print(arguments->front())
                                                      : true;
  if (!is_good) {
    return std::nullopt;
  }
  if (info.action == Action::Trace) {
    arguments->front() = whole_text(std::move(arguments->front()));
  }
  expressions_.pass_arguments(info.prototype, *arguments);
  if (info.action == Action::Tracemem) {
    load_traced_memory(*arguments);
  } else if (info.action == Action::Printm) {
    size_printed_memory(*arguments);
  }
  return ActionCall{.action = info.action, .arguments = std::move(*arguments)};
}

// Replaces the address and the size by the bytes of that memory. A third argument says
// how many of them are valid.
void StatementChecker::load_traced_memory(std::vector<ExpressionPointer>& arguments) {
  const std::uint64_t size_bytes = typed::as_integer(*arguments[1])->value;
  const Span span = arguments[0]->span;
  const types::TypeId bytes = table_.array_of(table_.char_type(), size_bytes);
  ExpressionPointer address =
      expressions_.convert(std::move(arguments[0]), table_.pointer_to(bytes));
  arguments[0] = typed::make(bytes, span, typed::Load{.address = std::move(address)});
  arguments.erase(arguments.begin() + 1);
}

// printm()'s size becomes the size of the array that its reference is taken for.
void StatementChecker::size_printed_memory(std::vector<ExpressionPointer>& arguments) {
  const std::uint64_t size_bytes = typed::as_integer(*arguments[0])->value;
  const types::TypeId bytes = table_.array_of(table_.char_type(), size_bytes);
  arguments[1] =
      expressions_.convert(std::move(arguments[1]), table_.pointer_to(bytes));
  arguments.erase(arguments.begin());
}

bool StatementChecker::check_trace(const typed::Expression& value) {
  if (expressions_.is_dynamic(value.type)) {
    error("D_TRACE_DYN", value.span,
          "trace() cannot print an aggregation or translation");
    return false;
  }
  if (is_void(table_, value.type)) {
    error("D_TRACE_VOID", value.span, "trace() cannot print a void expression");
    return false;
  }
  if (!table_.size_of(value.type)) {
    error("D_PROTO_ARG", value.span,
          fmt::format("trace() cannot print \"{}\"", table_.name_of(value.type)));
    return false;
  }
  return true;
}

bool StatementChecker::is_positive_constant(const typed::Expression& value) const {
  const auto* constant = typed::as_integer(value);
  return constant != nullptr && table_.is_integer(value.type) && constant->value != 0 &&
         !(table_.is_signed(value.type) &&
           static_cast<std::int64_t>(constant->value) < 0);
}

bool StatementChecker::check_printm(const std::vector<ExpressionPointer>& arguments) {
  if (!is_positive_constant(*arguments[0])) {
    error("D_PRINTM_SIZE", arguments[0]->span,
          "printm() needs a positive integer constant as argument 1");
    return false;
  }
  if (!is_pointer_like(table_, arguments[1]->type)) {
    error("D_PRINTM_ADDR", arguments[1]->span,
          fmt::format("printm() takes a pointer as argument 2, not \"{}\"",
                      table_.name_of(arguments[1]->type)))
        .hint = "memref(address, size) gives what it takes";
    return false;
  }
  return true;
}

bool StatementChecker::check_tracemem(const std::vector<ExpressionPointer>& arguments) {
  const typed::Expression& address = *arguments[0];
  if (!table_.is_integer(address.type) && !is_pointer_like(table_, address.type)) {
    error("D_TRACEMEM_ADDR", address.span,
          fmt::format("tracemem() takes a pointer or integer as argument 1, not \"{}\"",
                      table_.name_of(address.type)));
    return false;
  }
  if (!is_positive_constant(*arguments[1])) {
    error("D_TRACEMEM_SIZE", arguments[1]->span,
          "tracemem() needs a positive integer constant as argument 2");
    return false;
  }
  return true;
}

// A pointer is printed with what it points to.
bool StatementChecker::check_print(ExpressionPointer& value) {
  if (expressions_.is_dynamic(value->type) || is_void(table_, value->type)) {
    error("D_PROTO_ARG", value->span,
          fmt::format("print() cannot print \"{}\"", table_.name_of(value->type)));
    return false;
  }
  if (table_.is_pointer(value->type) &&
      !is_void_or_function_pointer(table_, value->type)) {
    const types::TypeId target =
        expressions_.type_resolver().completed(*target_of(table_, value->type));
    if (table_.size_of(target).value_or(0) == 0) {
      error("D_PRINT_SIZE", value->span,
            fmt::format("print() cannot print \"{}\", whose size is not known",
                        table_.name_of(target)));
      return false;
    }
    const types::TypeId pointer =
        table_.pointer_to(target, space_of(table_, value->type));
    value = expressions_.convert(std::move(value), pointer);
  }
  return true;
}

}  // namespace kinst::d
