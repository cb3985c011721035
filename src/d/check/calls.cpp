// Calls in expressions: subroutines, stacks and symbols, and what may not be called
// there.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/near_names.h"
#include "d/check/expression_checker.h"
#include "d/tables/other_tracers_words.h"
#include "d/tables/own_names.h"
#include "d/tables/prototype.h"
#include "d/tables/unsupported.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using typed::ExpressionPointer;
using types::TypeId;

bool ExpressionChecker::check_argument_count(const Call& call, Span span,
                                             std::string_view prototype) {
  const Prototype parsed = parse_prototype(prototype);
  const std::size_t given = call.arguments.size();
  const std::size_t least = parsed.required();
  const std::size_t most = parsed.parameters.size();
  if (given >= least && (given <= most || parsed.is_variadic)) {
    return true;
  }
  const std::string_view bound = given < least && (least < most || parsed.is_variadic)
                                     ? "at least "
                                 : least < most ? "at most "
                                                : "";
  const std::size_t wanted = given < least ? least : most;
  error("D_PROTO_LEN", span,
        fmt::format("{}() takes {}{} argument{}, {} given", call.function, bound,
                    wanted, wanted == 1 ? "" : "s", given))
      .hint = call.function == "printf"
                  ? R"(as in printf("%s", execname))"
                  : fmt::format("its form is {}", form_of_call(call.function, parsed));
  return false;
}

namespace {

// Quotes that mean something else in C too.
std::string hint_for_quotes(const Expression& argument, std::string_view parameter) {
  const auto* text = std::get_if<StringLiteral>(&argument.node);
  if (text != nullptr && text->value.size() == 1 && parameter == "char") {
    return fmt::format("a character stands in single quotes: '{}'", text->value);
  }
  const auto* letters = std::get_if<IntegerLiteral>(&argument.node);
  if (letters != nullptr && letters->is_character &&
      parameter.find('*') != std::string_view::npos) {
    return hint_for_text(*letters);
  }
  return {};
}

}  // namespace

std::optional<std::vector<ExpressionPointer>> ExpressionChecker::check_arguments(
    const Call& call, Span span, std::string_view prototype) {
  if (!check_argument_count(call, span, prototype)) {
    return std::nullopt;
  }
  const Prototype parsed = parse_prototype(prototype);
  std::vector<ExpressionPointer> values;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Expression& argument = chosen(call.arguments[i]);
    ExpressionPointer value = std::holds_alternative<Call>(argument.node)
                                  ? check_symbolic(argument)
                                  : check_value(argument);
    if (value == nullptr) {
      return std::nullopt;
    }
    const bool takes_any =
        i >= parsed.parameters.size() || parsed.parameters[i].type.empty();
    if (!takes_any && !check_argument(call, i, parsed.parameters[i].type, *value)) {
      return std::nullopt;
    }
    values.push_back(std::move(value));
  }
  return values;
}

void ExpressionChecker::pass_arguments(std::string_view prototype,
                                       std::vector<ExpressionPointer>& values) {
  const Prototype parsed = parse_prototype(prototype);
  for (std::size_t i = 0; i < values.size() && i < parsed.parameters.size(); ++i) {
    if (!parsed.parameters[i].type.empty()) {
      values[i] = pass(std::move(values[i]), *types_.find(parsed.parameters[i].type));
    }
  }
}

bool ExpressionChecker::check_argument(const Call& call, std::size_t number,
                                       std::string_view parameter,
                                       const typed::Expression& value) {
  const auto type = types_.find(parameter);
  if (!type) {
    error("D_UNKNOWN", call.function_span,
          fmt::format("the type {} of {}()'s argument {} is not known", parameter,
                      call.function, number + 1));
    return false;
  }
  const bool is_symbol = std::holds_alternative<typed::SymbolicValue>(value.node);
  if (is_symbol || !is_assignable(table_, *type, operand_type(value))) {
    error("D_PROTO_ARG", value.span,
          fmt::format(R"({}() takes "{}" as argument {}, not "{}")", call.function,
                      parameter, number + 1,
                      is_symbol ? "a symbol or stack" : type_name(value)))
        .hint = hint_for_quotes(chosen(call.arguments[number]), parameter);
    return false;
  }
  return true;
}

ExpressionPointer ExpressionChecker::call(const Call& call, Span span) {
  const std::string& name = call.function;
  if (name.empty()) {
    error("D_FUNC_IDENT", call.function_span, "only a function's name can be called");
    return nullptr;
  }
  if (const auto info = find_subroutine(name)) {
    return subroutine(call, *info, span);
  }
  if (const auto info = find_action(name)) {
    return check_argument_count(call, span, info->prototype)
               ? integer(0, table_.void_type(), span)
               : nullptr;
  }
  if (find_symbolic(name)) {
    return integer(0, table_.void_type(), span);
  }
  if (const auto info = find_unsupported(name)) {
    if (check_arguments(call, span, info->prototype)) {
      error("D_UNKNOWN", call.function_span,
            fmt::format("there is no {}() here: {}", name, info->reason));
    }
    return nullptr;
  }
  if (record::find_aggregating_function(name)) {
    return integer(0, dynamic_type_, span);
  }
  if (find_builtin(name) || find_global(name) != nullptr) {
    error("D_FUNC_IDKIND", call.function_span,
          fmt::format("'{}' is a variable and cannot be called", name))
        .hint = fmt::format("without parentheses: {}", name);
    return nullptr;
  }
  auto& diagnostic = error("D_FUNC_UNDEF", call.function_span,
                           fmt::format("undefined function: {}", name));
  diagnostic.hint =
      name == "reg" ? instead_of_register_function() : hint_for_function(name);
  if (diagnostic.hint.empty()) {
    NearNames near(name);
    offer_functions(near);
    diagnostic.hint = near.question();
  }
  return nullptr;
}

// ---------------------------------------------------------------- subroutines

ExpressionPointer ExpressionChecker::subroutine(const Call& call,
                                                const SubroutineInfo& info, Span span) {
  auto arguments = check_arguments(call, span, info.prototype);
  if (!arguments || !check_subroutine(info, *arguments)) {
    return nullptr;
  }
  pass_arguments(info.prototype, *arguments);
  const std::string_view result = parse_prototype(info.prototype).result;
  const auto type = types_.find(result);
  if (!type) {
    error("D_UNKNOWN", span,
          fmt::format("the type {} of {}() is not known", result, call.function));
    return nullptr;
  }
  return typed::make(*type, span,
                     typed::SubroutineCall{info.subroutine, std::move(*arguments)});
}

namespace {

constexpr std::uint64_t most_scratch_bytes = 65536;  ///< of the option scratchsize

}  // namespace

bool ExpressionChecker::check_subroutine(
    const SubroutineInfo& info, const std::vector<ExpressionPointer>& arguments) {
  if (info.scratch_bytes) {
    const typed::Expression& given = *arguments[*info.scratch_bytes];
    const auto* size = typed::as_integer(given);
    const std::uint64_t most = options_.scratch_bytes;
    if (size != nullptr && size->value > most) {
      error("D_ALLOCA_SIZE", given.span,
            fmt::format("{}() has only {} bytes of scratch memory, not {}", info.name,
                        most, size->value))
          .hint = size->value <= most_scratch_bytes
                      ? fmt::format("-x scratchsize={} gives more", size->value)
                      : "";
      return false;
    }
  }
  if (info.written && table_.is_string(arguments[*info.written]->type)) {
    error("D_PROTO_ARG", arguments[*info.written]->span,
          fmt::format("{}() cannot write to a string", info.name))
        .hint = "alloca() gives memory to write to";
    return false;
  }
  if (info.constant && *info.constant < arguments.size() &&
      typed::as_integer(*arguments[*info.constant]) == nullptr) {
    error("D_PROTO_ARG", arguments[*info.constant]->span,
          fmt::format("{}() needs an integer constant as argument {}", info.name,
                      *info.constant + 1));
    return false;
  }
  return true;
}

// ---------------------------------------------------------------- stacks and symbols

ExpressionPointer ExpressionChecker::symbolic(const Call& call,
                                              const SymbolicInfo& info, Span span) {
  auto arguments = check_arguments(call, span, info.prototype);
  if (!arguments) {
    return nullptr;
  }
  if (is_stack(info.kind)) {
    return stack(info, *arguments, span);
  }
  pass_arguments(info.prototype, *arguments);
  return typed::make(table_.uint64_type(), span,
                     typed::SymbolicValue{.kind = info.kind,
                                          .address = std::move(arguments->front())});
}

ExpressionPointer ExpressionChecker::stack(
    const SymbolicInfo& info, const std::vector<ExpressionPointer>& arguments,
    Span span) {
  const bool is_user = info.kind == SymbolicKind::UserStack;
  typed::SymbolicValue value{.kind = info.kind};
  value.frames = info.is_jstack ? options_.jstack_frames
                 : is_user      ? options_.user_stack_frames
                                : options_.stack_frames;
  value.string_bytes = info.is_jstack ? options_.jstack_string_bytes : 0;
  const auto positive = [&](const typed::Expression& argument, std::uint64_t least) {
    const auto* constant = typed::as_integer(argument);
    const bool is_negative = constant != nullptr && table_.is_signed(argument.type) &&
                             static_cast<std::int64_t>(constant->value) < 0;
    return constant != nullptr && !is_negative && constant->value >= least
               ? std::optional(constant->value)
               : std::nullopt;
  };
  if (!arguments.empty()) {
    const auto frames = positive(*arguments[0], 1);
    if (!frames) {
      error(is_user ? "D_USTACK_FRAMES" : "D_STACK_SIZE", arguments[0]->span,
            fmt::format("{}() needs a positive integer constant as argument 1",
                        info.name));
      return nullptr;
    }
    value.frames = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(*frames, options_.maximum_frames));
  }
  if (arguments.size() > 1) {
    const auto bytes = positive(*arguments[1], 0);
    if (!bytes) {
      error("D_USTACK_STRSIZE", arguments[1]->span,
            fmt::format("{}() needs a positive integer constant as argument 2",
                        info.name));
      return nullptr;
    }
    value.string_bytes = static_cast<std::uint32_t>(*bytes);
  }
  value.frames = std::min(value.frames, options_.maximum_frames);
  const TypeId type = table_.array_of(table_.uint64_type(), value.frames);
  return typed::make(type, span, std::move(value));
}

}  // namespace kinst::d
