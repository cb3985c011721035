// Aggregations: keys, aggregating functions and their parameters, which all uses of one
// aggregation share.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "d/check/statement_checker.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using typed::ExpressionPointer;

namespace {

constexpr std::int64_t most_16_bits = std::numeric_limits<std::uint16_t>::max();

// A hint for lquantize() of this range: how it would get no more levels than are
// allowed.
std::string fewer_levels(std::int64_t low, std::int64_t high) {
  const std::int64_t step = (high - low) / (most_16_bits + 1) + 1;
  return step > most_16_bits
             ? "a step has at most 65535: a smaller range makes fewer levels"
             : fmt::format("a larger step makes fewer, as in lquantize(…, {}, {}, {})",
                           low, high, step);
}

}  // namespace

// ---------------------------------------------------------------- the statement

std::optional<typed::Statement> StatementChecker::aggregate(
    const AggregationReference& reference, const Assignment& assignment, Span span) {
  const Expression& value = expressions_.chosen(*assignment.value);
  const auto* call = std::get_if<Call>(&value.node);
  const auto function = call == nullptr
                            ? std::nullopt
                            : record::find_aggregating_function(call->function);
  if (!function || assignment.op) {
    // An error in the value itself is reported first.
    if (expressions_.check(value) != nullptr) {
      error("D_AGG_FUNC", span,
            fmt::format("@{} must be assigned the result of an aggregating function",
                        reference.name))
          .hint = call == nullptr
                      ? fmt::format("as in @{} = count(); a variable has no @: {} = …",
                                    reference.name, reference.name)
                      : fmt::format("as in @{} = count()", reference.name);
    }
    return std::nullopt;
  }
  const record::AggregatingFunctionInfo& info =
      record::aggregating_function_info(*function);
  auto arguments = expressions_.check_arguments(*call, value.span, info.prototype);
  auto keys = aggregation_keys(reference);
  if (!arguments || !keys) {
    return std::nullopt;
  }
  const auto id = aggregation(reference, *function, *keys, span);
  if (!id || !check_order(ActionRole::Aggregation, span)) {
    return std::nullopt;
  }
  typed::Aggregate result{.aggregation = *id, .keys = std::move(*keys)};
  if (!arguments->empty()) {
    if (!is_scalar(table_, arguments->front()->type) ||
        std::holds_alternative<typed::SymbolicValue>(arguments->front()->node)) {
      error("D_AGG_SCALAR", arguments->front()->span,
            fmt::format("{}() needs a value of scalar type, not \"{}\"", call->function,
                        table_.name_of(arguments->front()->type)));
      return std::nullopt;
    }
    if (!set_parameters(names_.aggregation(*id), *arguments, value.span)) {
      return std::nullopt;
    }
    const std::size_t weight = 1 + info.parameters;  // behind the value and these
    if (arguments->size() > weight) {
      result.weight =
          expressions_.convert(std::move((*arguments)[weight]), table_.int64_type());
    }
    result.value = typed::calculated(table_, std::move(arguments->front()));
  }
  for (const ExpressionPointer* given : {&result.value, &result.weight}) {
    if (*given != nullptr && (!expressions_.reject_leftovers(**given) ||
                              !check_subroutines_order(**given))) {
      return std::nullopt;
    }
  }
  return typed::Statement{.span = span, .node = std::move(result)};
}

std::optional<std::vector<ExpressionPointer>> StatementChecker::aggregation_keys(
    const AggregationReference& reference) {
  std::vector<ExpressionPointer> keys;
  for (const Expression& expression : reference.keys) {
    ExpressionPointer key = expressions_.check_symbolic(expression);
    if (key == nullptr) {
      return std::nullopt;
    }
    if (is_void(table_, key->type)) {
      error("D_KEY_TYPE", expression.span,
            fmt::format("\"{}\" cannot be an aggregation's key",
                        table_.name_of(key->type)));
      return std::nullopt;
    }
    if (!expressions_.reject_leftovers(*key)) {
      return std::nullopt;
    }
    if (is_array(table_, key->type) && is_string_compatible(table_, key->type)) {
      key = expressions_.convert(std::move(key), table_.string_type());
    } else if (typed::may_exceed_type(table_, *key)) {
      const types::TypeId type = key->type;
      key = expressions_.convert(std::move(key), type);
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

// ---------------------------------------------------------------- agreement of uses

std::optional<typed::AggregationId> StatementChecker::aggregation(
    const AggregationReference& reference, record::AggregatingFunction function,
    std::vector<ExpressionPointer>& keys, Span span) {
  if (const auto* id = find(names_.aggregation_ids, reference.name)) {
    return match_aggregation(*id, reference, function, keys, span);
  }
  typed::Aggregation aggregation{.name = reference.name == "_" ? "" : reference.name,
                                 .function = function};
  for (const ExpressionPointer& key : keys) {
    const auto* symbol = std::get_if<typed::SymbolicValue>(&key->node);
    aggregation.key_types.push_back(key->type);
    aggregation.key_symbols.push_back(symbol == nullptr ? std::nullopt
                                                        : std::optional(symbol->kind));
  }
  const auto id = static_cast<typed::AggregationId>(names_.aggregations.size());
  names_.aggregations.push_back(std::move(aggregation));
  names_.aggregation_ids.emplace(reference.name, id);
  return id;
}

std::optional<typed::AggregationId> StatementChecker::match_aggregation(
    typed::AggregationId id, const AggregationReference& reference,
    record::AggregatingFunction function, std::vector<ExpressionPointer>& keys,
    Span span) {
  const typed::Aggregation& aggregation = names_.aggregation(id);
  if (aggregation.function != function) {
    error("D_AGG_REDEF", span,
          fmt::format("@{} is {}() elsewhere and cannot be {}() here", reference.name,
                      name_of(aggregation.function), name_of(function)));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < std::min(keys.size(), aggregation.key_types.size());
       ++i) {
    const auto* symbol = std::get_if<typed::SymbolicValue>(&keys[i]->node);
    const auto kind = symbol == nullptr ? std::nullopt : std::optional(symbol->kind);
    const auto other = aggregation.key_symbols[i];
    if (kind != other && !(kind && other && is_stack(*kind) && is_stack(*other))) {
      error("D_PROTO_ARG", keys[i]->span,
            fmt::format("key {} of @{} is of another kind elsewhere", i + 1,
                        reference.name));
      return std::nullopt;
    }
  }
  if (!expressions_.match_keys("@" + reference.name, aggregation.key_types, keys,
                               span)) {
    return std::nullopt;
  }
  return id;
}

bool StatementChecker::set_parameters(typed::Aggregation& aggregation,
                                      const std::vector<ExpressionPointer>& arguments,
                                      Span span) {
  std::optional<std::vector<std::int64_t>> parameters;
  switch (record::aggregating_function_info(aggregation.function).buckets) {
    case record::Buckets::None:
    case record::Buckets::Powers:
      return true;
    case record::Buckets::Linear:
      parameters = linear_parameters(arguments, span);
      break;
    case record::Buckets::LogLinear:
      parameters = log_linear_parameters(arguments);
      break;
  }
  if (!parameters) {
    return false;
  }
  if (aggregation.parameters.empty()) {
    aggregation.parameters = std::move(*parameters);
    return true;
  }
  return check_same_parameters(aggregation, *parameters, span);
}

bool StatementChecker::check_same_parameters(
    const typed::Aggregation& aggregation, const std::vector<std::int64_t>& parameters,
    Span span) {
  struct SharedParameter {
    std::string_view tag;
    std::string_view name;
  };
  constexpr std::array<SharedParameter, 3> linear = {{{"D_LQUANT_MATCHBASE", "base"},
                                                      {"D_LQUANT_MATCHLIM", "limit"},
                                                      {"D_LQUANT_MATCHSTEP", "step"}}};
  constexpr std::array<SharedParameter, 4> log_linear = {
      {{"D_LLQUANT_MATCHFACTOR", "factor"},
       {"D_LLQUANT_MATCHLMAG", "low magnitude"},
       {"D_LLQUANT_MATCHHMAG", "high magnitude"},
       {"D_LLQUANT_MATCHSTEPS", "number of steps"}}};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i] != aggregation.parameters[i]) {
      const SharedParameter& parameter =
          parameters.size() == linear.size() ? linear.at(i) : log_linear.at(i);
      error(parameter.tag, span,
            fmt::format("the {} of @{} is {} elsewhere, not {}", parameter.name,
                        aggregation.name, aggregation.parameters[i], parameters[i]));
      return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------- buckets

std::optional<std::vector<std::int64_t>> StatementChecker::linear_parameters(
    const std::vector<ExpressionPointer>& arguments, Span span) {
  struct Bound {
    std::string_view type_tag;
    std::string_view value_tag;
  };
  constexpr std::array<Bound, 2> bounds = {{{"D_LQUANT_BASETYPE", "D_LQUANT_BASEVAL"},
                                            {"D_LQUANT_LIMTYPE", "D_LQUANT_LIMVAL"}}};
  using Int = std::numeric_limits<std::int32_t>;
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const typed::Expression& argument = *arguments[i + 1];
    const auto* constant = typed::as_integer(argument);
    if (constant == nullptr) {
      error(bounds.at(i).type_tag, argument.span,
            "lquantize() needs integer constants as its base and limit");
      return std::nullopt;
    }
    const auto value = static_cast<std::int64_t>(constant->value);
    if (value < Int::min() || value > Int::max()) {
      error(
          bounds.at(i).value_tag, argument.span,
          fmt::format("lquantize()'s base and limit have 32 bits, {} has more", value));
      return std::nullopt;
    }
    result.push_back(value);
  }
  if (result[1] <= result[0]) {
    error("D_LQUANT_MISMATCH", span, "lquantize()'s limit must be above its base");
    return std::nullopt;
  }
  std::int64_t step = 1;
  if (arguments.size() > 3) {
    const auto* constant = typed::as_integer(*arguments[3]);
    if (constant == nullptr || static_cast<std::int64_t>(constant->value) <= 0) {
      error("D_LQUANT_STEPTYPE", arguments[3]->span,
            "lquantize() needs a positive integer constant as its step");
      return std::nullopt;
    }
    step = static_cast<std::int64_t>(constant->value);
    if (step > most_16_bits) {
      error("D_LQUANT_STEPVAL", arguments[3]->span,
            fmt::format("lquantize()'s step has 16 bits, {} has more", step));
      return std::nullopt;
    }
  }
  const std::int64_t levels = (result[1] - result[0]) / step;
  if (levels == 0) {
    error("D_LQUANT_STEPLARGE", span,
          "lquantize()'s step is larger than the range from base to limit");
    return std::nullopt;
  }
  if (levels > most_16_bits) {
    error("D_LQUANT_STEPSMALL", span,
          fmt::format("lquantize() would have {} levels; 65535 are the most", levels))
        .hint = fewer_levels(result[0], result[1]);
    return std::nullopt;
  }
  result.push_back(step);
  return result;
}

std::optional<std::vector<std::int64_t>> StatementChecker::log_linear_parameters(
    const std::vector<ExpressionPointer>& arguments) {
  struct Rule {
    std::string_view type_tag;
    std::string_view value_tag;
    std::string_view name;
    std::int64_t least;
  };
  constexpr std::array<Rule, 4> rules = {
      {{"D_LLQUANT_FACTORTYPE", "D_LLQUANT_FACTORVAL", "factor", 2},
       {"D_LLQUANT_LMAGTYPE", "D_LLQUANT_LMAGVAL", "low magnitude", 0},
       {"D_LLQUANT_HMAGTYPE", "D_LLQUANT_HMAGVAL", "high magnitude", 0},
       {"D_LLQUANT_STEPTYPE", "D_LLQUANT_STEPVAL", "number of steps", 1}}};
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Rule& rule = rules.at(i);
    const typed::Expression& argument = *arguments[i + 1];
    const auto* constant = typed::as_integer(argument);
    const auto value =
        constant == nullptr ? 0 : static_cast<std::int64_t>(constant->value);
    // An invalid number of steps is reported under the tag for a wrong type.
    if (constant == nullptr || (i == 3 && value <= 0)) {
      error(rule.type_tag, argument.span,
            fmt::format("llquantize() needs an integer constant as its {}", rule.name));
      return std::nullopt;
    }
    if (value < rule.least || value > most_16_bits) {
      error(rule.value_tag, argument.span,
            fmt::format("llquantize()'s {} is from {} to 65535, not {}", rule.name,
                        rule.least, value));
      return std::nullopt;
    }
    result.push_back(value);
    if (i == 2 && !check_magnitudes(result, argument.span)) {
      return std::nullopt;
    }
  }
  if (!check_log_linear_steps(result, arguments[4]->span)) {
    return std::nullopt;
  }
  return result;
}

bool StatementChecker::check_magnitudes(const std::vector<std::int64_t>& parameters,
                                        Span span) {
  const std::int64_t low = parameters[1];
  const std::int64_t high = parameters[2];
  if (high < low) {
    error("D_LLQUANT_HMAGVAL", span,
          "llquantize()'s high magnitude must not be below the low one");
    return false;
  }
  if (std::pow(static_cast<long double>(parameters[0]),
               static_cast<long double>(high + 1)) >
      static_cast<long double>(std::numeric_limits<std::uint64_t>::max())) {
    error("D_LLQUANT_HMAGVAL", span,
          fmt::format("{} to the power of {} has more than 64 bits", parameters[0],
                      high + 1));
    return false;
  }
  return true;
}

// The widths of buckets must be whole numbers in every magnitude. In a magnitude that
// has fewer values than steps, each value has a bucket of its own.
bool StatementChecker::check_log_linear_steps(
    const std::vector<std::int64_t>& parameters, Span span) {
  const auto factor = static_cast<std::uint64_t>(parameters[0]);
  const auto steps = static_cast<std::uint64_t>(parameters[3]);
  const auto refuse = [&](std::string_view rule) {
    error("D_LLQUANT_STEPVAL", span,
          fmt::format("llquantize()'s number of steps must {}", rule));
    return false;
  };
  if (steps < factor && factor % steps != 0) {
    return refuse("divide the factor");
  }
  if (steps <= factor) {
    return true;
  }
  if (steps % factor != 0) {
    return refuse("be a multiple of the factor");
  }
  std::uint64_t magnitude = factor;
  while (magnitude < steps) {
    magnitude *= factor;
  }
  return magnitude % steps == 0 || refuse("divide a power of the factor");
}

}  // namespace kinst::d
