// The expressions that are names and literals, and the way to all others.
#include "d/check/expression_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/overloaded.h"
#include "d/tables/other_tracers_words.h"
#include "d/tables/own_names.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using typed::ExpressionPointer;
using types::TypeId;

ExpressionChecker::ExpressionChecker(const CheckOptions& options, Names& names,
                                     const Outside& outside, types::TypeTable& table,
                                     Diagnostics& diagnostics)
    : options_(options),
      names_(names),
      environment_(outside.environment),
      code_(outside.code),
      table_(table),
      diagnostics_(diagnostics),
      types_(names, outside.environment, table, diagnostics,
             [this](const Expression& expression) { return check(expression); }),
      dynamic_type_(table.add(
          types::Typedef{.name = "dynamic variable", .target = table.void_type()})) {}

// Inlines and translators are expanded at every use, so that a few lines can become a
// program of any size or depth. This limits both.
bool ExpressionChecker::spend(std::uint64_t nodes, Span span) {
  constexpr std::uint64_t most_nodes = 1'000'000;
  constexpr std::uint32_t most_levels = 1'200;
  nodes_ += nodes;
  if (nodes_ <= most_nodes && depth_ <= most_levels) {
    return true;
  }
  if (!std::exchange(is_exhausted_, true)) {
    error("D_UNKNOWN", span, "the inlines used here make the program too large");
  }
  return false;
}

ExpressionPointer ExpressionChecker::check(const Expression& expression) {
  if (!spend(1, expression.span)) {
    return nullptr;
  }
  ++depth_;
  ExpressionPointer value = check_node(expression);
  --depth_;
  return value;
}

ExpressionPointer ExpressionChecker::check_node(const Expression& expression) {
  const Span span = expression.span;
  return std::visit(
      Overloaded{
          [&](const Identifier& node) { return identifier(node, span); },
          [&](const KernelSymbol& node) { return kernel_symbol(node, span); },
          [&](const ScopedVariable& node) { return scoped(node, span); },
          [&](const AggregationReference& node) {
            if (find(names_.aggregation_ids, node.name) == nullptr) {
              if (names_.broken.contains("@" + node.name)) {
                return ExpressionPointer();
              }
              refuse_aggregation(node.name, span);
              return ExpressionPointer();
            }
            return integer(0, dynamic_type_, span);
          },
          [&](const IntegerLiteral& node) { return literal(node, span); },
          [&](const StringLiteral& node) {
            return typed::make(table_.string_type(), span,
                               typed::StringValue{node.value});
          },
          [&](const Index& node) { return index(node, span); },
          [&](const Call& node) { return call(node, span); },
          [&](const Member& node) { return member(node, span); },
          [&](const Unary& node) { return unary(node, span); },
          [&](const Binary& node) { return binary(node, span); },
          [&](const Assignment& node) { return assignment(node, span); },
          [&](const Conditional& node) {
            const Expression& operand = chosen(expression);
            return &operand == &expression ? conditional(node, span) : check(operand);
          },
          [&](const Cast& node) { return cast(node, span); },
          [&](const SizeofType& node) {
            const auto type = types_.resolve(node.type);
            return type ? size_of(*type, span) : nullptr;
          },
          [&](const SizeofExpression& node) { return size_of(node, span); },
          [&](const Offsetof& node) { return offset_of(node, span); },
          [&](const Stringof& node) { return string_of(node, span); },
          [&](const Xlate&) {
            const auto translation = translation_of(expression);
            return translation && translation->source != nullptr
                       ? integer(0, dynamic_type_, span)
                       : nullptr;
          },
      },
      expression.node);
}

ExpressionPointer ExpressionChecker::check_symbolic(const Expression& written) {
  const Expression& expression = chosen(written);
  if (const auto* call = std::get_if<Call>(&expression.node)) {
    if (const auto info = find_symbolic(call->function)) {
      return symbolic(*call, *info, expression.span);
    }
  }
  return check(expression);
}

ExpressionPointer ExpressionChecker::check_condition(const Expression& expression,
                                                     std::string_view tag,
                                                     std::string_view what) {
  ExpressionPointer value = check(expression);
  if (value == nullptr) {
    return nullptr;
  }
  if (!is_scalar(table_, value->type)) {
    Diagnostic& told =
        error(tag, expression.span, fmt::format("{} must be of scalar type", what));
    told.label = fmt::format("this is of type {}", type_name(*value));
    if (is_string_compatible(table_, value->type)) {
      told.hint = "text is compared, as in execname == \"cat\"";
    }
    return nullptr;
  }
  return reject_leftovers(*value) ? typed::calculated(table_, std::move(value))
                                  : nullptr;
}

bool ExpressionChecker::reject_leftovers(const typed::Expression& expression) {
  if (typed::as_integer(expression) != nullptr) {
    if (is_dynamic(expression.type)) {
      error("D_CG_DYN", expression.span,
            "an aggregation or a translation is no value by itself");
      return false;
    }
    if (is_void(table_, expression.type)) {
      error("D_CG_EXPR", expression.span,
            "an action may not be called from an expression");
      return false;
    }
  }
  bool is_good = true;
  typed::for_each_operand(expression, [&](const typed::Expression& operand) {
    is_good = is_good && reject_leftovers(operand);
  });
  return is_good;
}

// ---------------------------------------------------------------- names

const ExpressionChecker::Binding* ExpressionChecker::find_binding(
    std::string_view name) const {
  const auto found = std::ranges::find(bindings_, name, &Binding::name);
  return found == bindings_.end() ? nullptr : &*found;
}

ExpressionPointer ExpressionChecker::identifier(const Identifier& identifier,
                                                Span span) {
  const std::string& name = identifier.name;
  if (const Binding* binding = find_binding(name)) {
    if (!spend(typed::count(*binding->value), span)) {
      return nullptr;
    }
    ExpressionPointer value = typed::clone(*binding->value);
    value->span = span;
    return value;
  }
  if (const GlobalSymbol* symbol = find_global(name)) {
    return global(*symbol, name, span);
  }
  if (const auto info = find_builtin(name)) {
    return builtin(*info, span);
  }
  if (is_builtin_name(name)) {
    if (auto variable = local(name, span)) {  // `count` and `sum` are common ones
      return std::move(*variable);
    }
    error("D_IDENT_BADREF", span,
          fmt::format("'{}' is a function and may not be used as a variable", name))
        .hint = hint_for_bare_function(name);
    return nullptr;
  }
  return outside(name, span);
}

ExpressionPointer ExpressionChecker::global(const GlobalSymbol& symbol,
                                            std::string_view name, Span span) {
  const auto bad_reference = [&] {
    auto& diagnostic =
        error("D_IDENT_BADREF", span,
              fmt::format("array '{}' may not be used as a scalar", name));
    diagnostic.hint = fmt::format("name an element, as in {}[…]", name);
    return ExpressionPointer();
  };
  return std::visit(
      Overloaded{
          [&](typed::VariableId id) {
            const typed::Variable& variable = names_.variable(id);
            return variable.key_types.empty()
                       ? typed::make(variable.type, span, typed::VariableValue{id, {}})
                       : bad_reference();
          },
          [&](const ConstantSymbol& constant) {
            return integer(constant.value, constant.type, span);
          },
          [&](const InlineSymbol& definition) {
            return definition.is_array ? bad_reference() : inlined(definition, span);
          },
      },
      symbol);
}

ExpressionPointer ExpressionChecker::builtin(const BuiltinInfo& info, Span span) {
  if (info.is_array()) {
    error("D_IDENT_BADREF", span,
          fmt::format("array '{}' may not be used as a scalar", info.name))
        .hint = info.index == BuiltinIndex::Argument
                    ? std::string("name an element, as in args[0]")
                    : fmt::format("name an element, as in {}[{}]", info.name,
                                  environment_.result_register());
    return nullptr;
  }
  if (!check_builtin_is_known(info, span)) {
    return nullptr;
  }
  const auto type = types_.find(info.type);
  if (!type) {
    error("D_UNKNOWN", span,
          fmt::format("the type {} of {} is not known", info.type, info.name));
    return nullptr;
  }
  ExpressionPointer most_frames;
  if (info.index == BuiltinIndex::MaximumFrames) {
    most_frames = integer(options_.maximum_frames, table_.uint64_type(), span);
  }
  return typed::make(*type, span,
                     typed::BuiltinValue{info.builtin, std::move(most_frames)});
}

// A hint for a probe without arguments: where the value is that argN would have.
std::string ExpressionChecker::instead_of_argument(
    std::optional<std::uint64_t> number) const {
  const std::string result = environment_.result_register();
  if (probe_->is_return && !result.empty()) {
    return fmt::format("what the function returns is regs[{}]", result);
  }
  const std::string argument = environment_.argument_register(number.value_or(0));
  return argument.empty()
             ? std::string()
             : fmt::format(
                   "a probe named entry has it; argument {} is in regs[{}] there",
                   number.value_or(0), argument);
}

// A hint for bpftrace's reg(), which is given a register's name.
std::string ExpressionChecker::instead_of_register_function() const {
  const std::string result = environment_.result_register();
  const std::string argument = environment_.argument_register(0);
  return result.empty() || argument.empty()
             ? std::string("in D this is an element of regs[]")
             : fmt::format("in D this is regs[{}], regs[{}] and so on", result,
                           argument);
}

void ExpressionChecker::refuse_arguments(std::string_view name,
                                         std::optional<std::uint64_t> number,
                                         Span span) {
  error("D_ARGS_NONE", span,
        fmt::format("{} has no arguments, so {} means nothing there",
                    probe_->description, name))
      .hint = instead_of_argument(number);
}

// What the description's probes lack for the built-in variable, as "is no branch";
// empty if they lack nothing.
std::string_view ExpressionChecker::lack_of_instruction(BuiltinOf of) const {
  if (!probe_->is_instruction) {
    return "is no instruction of the kernel";
  }
  if (of == BuiltinOf::MemoryOperand && !probe_->has_memory_operand) {
    return "has no memory operand";
  }
  return of == BuiltinOf::Branch && !probe_->has_branch ? "is no branch" : "";
}

// A variable that the probe does not have is an error at compile time, rather than 0 at
// run time.
bool ExpressionChecker::check_builtin_is_known(const BuiltinInfo& info, Span span) {
  if (probe_ == nullptr) {
    return true;
  }
  switch (info.of) {
    case BuiltinOf::Firing:
      return true;
    case BuiltinOf::Arguments:
      if (!probe_->has_arg_variables) {
        refuse_arguments(info.name, info.argument, span);
        return false;
      }
      return true;
    case BuiltinOf::Registers:
      if (!probe_->has_registers) {
        error("D_REGS_NONE", span,
              fmt::format("{} has no registers to show", probe_->description));
        return false;
      }
      return true;
    case BuiltinOf::Instruction:
    case BuiltinOf::MemoryOperand:
    case BuiltinOf::Branch:
      break;
  }
  const std::string_view lack = lack_of_instruction(info.of);
  if (lack.empty()) {
    return true;
  }
  error("D_INSN_NONE", span,
        fmt::format("{} {}, so {} means nothing there", probe_->description, lack,
                    info.name))
      .hint = probe_->is_instruction ? "" : "it does at instructions: kinst::vfs_read:";
  return false;
}

bool ExpressionChecker::names_local(std::string_view name) const {
  return probe_ != nullptr && probe_->is_instruction &&
         code_.local_variable(probe_->number, name).has_value();
}

std::optional<ExpressionPointer> ExpressionChecker::local(std::string_view name,
                                                          Span span) {
  if (probe_ == nullptr || !probe_->is_instruction) {
    return std::nullopt;
  }
  const auto known = code_.local_variable(probe_->number, name);
  if (!known) {
    return std::nullopt;
  }
  if (!*known) {
    error("D_LOCAL_NONE", span, known->error().message);
    return ExpressionPointer();
  }
  const typed::LocalId id = names_.add_local(
      {.description = probe_->number, .name = std::string(name), .type = **known});
  return typed::make(**known, span, typed::LocalValue{id});
}

ExpressionPointer ExpressionChecker::outside(std::string_view name, Span span) {
  const bool is_unborn = std::ranges::find(unborn_, name) != unborn_.end();
  if (auto variable = is_unborn ? std::nullopt : local(name, span)) {
    return std::move(*variable);
  }
  if (const auto number = environment_.register_index(name)) {
    return integer(*number, table_.int_type(), span);
  }
  if (const auto enumerator = environment_.kernel_enumerator(name)) {
    return integer(static_cast<std::uint64_t>(enumerator->value), enumerator->type,
                   span);
  }
  // An unknown name is reported only once. If the description matches no probe, its
  // local variables are not known, and the name may be one of them.
  const bool is_unsure =
      probe_ != nullptr && probe_->is_absent && hint_for_variable(name).empty();
  if (is_unsure || !names_.broken.insert(std::string(name)).second) {
    return nullptr;
  }
  if (is_unborn) {
    error("D_VAR_UNDEF", span,
          fmt::format("{} has not yet been declared or assigned", name));
    return nullptr;
  }
  auto& diagnostic = error("D_IDENT_UNDEF", span,
                           fmt::format("failed to resolve {}: unknown variable", name));
  if (name == "self" || name == "this") {
    diagnostic.hint = fmt::format("a variable of it is written {}->name", name);
    return nullptr;
  }
  diagnostic.hint = hint_for_unknown(name);
  return nullptr;
}

ExpressionPointer ExpressionChecker::scoped(const ScopedVariable& variable, Span span) {
  const bool is_thread = variable.scope == Scope::Self;
  const auto id = names_.find_variable(
      is_thread ? typed::VariableScope::Thread : typed::VariableScope::Clause,
      variable.name);
  if (!id) {
    const std::string name =
        fmt::format("{}->{}", is_thread ? "self" : "this", variable.name);
    if (!names_.broken.insert(name).second) {
      return nullptr;
    }
    auto& diagnostic =
        error("D_VAR_UNDEF", span,
              fmt::format("{} has not yet been declared or assigned", name));
    NearNames near(variable.name);
    for (const auto& [known, id_of_it] :
         is_thread ? names_.thread_variables : names_.clause_variables) {
      near.offer(known);
    }
    diagnostic.hint = near.question();
    return nullptr;
  }
  if (!names_.variable(*id).key_types.empty()) {
    error("D_IDENT_BADREF", span,
          fmt::format("array '{}' may not be used as a scalar", variable.name));
    return nullptr;
  }
  return typed::make(names_.variable(*id).type, span, typed::VariableValue{*id, {}});
}

std::optional<KernelSymbolInfo> ExpressionChecker::find_symbol(
    const KernelSymbol& symbol, Span span) {
  auto info = environment_.kernel_symbol(symbol.object, symbol.name);
  if (!info) {
    auto& diagnostic =
        error("D_IDENT_UNDEF", span,
              fmt::format("failed to resolve {}`{}: no such kernel symbol",
                          symbol.object, symbol.name));
    diagnostic.hint = environment_.why_no_symbols();
    if (diagnostic.hint.empty()) {
      NearNames near(symbol.name);
      environment_.offer_symbols(symbol.object, near);
      diagnostic.hint = near.question();
    }
  }
  return info;
}

ExpressionPointer ExpressionChecker::kernel_symbol(const KernelSymbol& symbol,
                                                   Span span) {
  const auto info = find_symbol(symbol, span);
  if (!info) {
    return nullptr;
  }
  // BTF has the types of few variables. As in DTrace for Linux, the others are words.
  const TypeId type =
      info->type
          ? *info->type
          : find_type("uintptr_t", environment_, table_).value_or(table_.uint64_type());
  return load(integer(info->address, table_.pointer_to(type), span), type,
              types::AddressSpace::Kernel, span);
}

ExpressionPointer ExpressionChecker::literal(const IntegerLiteral& literal, Span span) {
  // A character of up to four bytes is an int.
  const bool is_int = literal.is_character && literal.value <= 0xffffffffU;
  const auto type =
      is_int ? std::optional(table_.int_type()) : types_.base_types().of(literal);
  if (!type) {
    error("D_INT_OFLOW", span,
          fmt::format("integer constant {:#x} fits no integer type", literal.value));
    return nullptr;
  }
  return integer(literal.value, *type, span);
}

ExpressionPointer ExpressionChecker::integer(std::uint64_t value, TypeId type,
                                             Span span) {
  return typed::make(type, span, typed::IntegerValue{value});
}

// ---------------------------------------------------------------- values

ExpressionPointer ExpressionChecker::convert(ExpressionPointer value, TypeId type) {
  value = typed::calculated(table_, std::move(value));
  // A converted bit-field is a plain value of the type, and is no longer promoted to
  // int.
  const bool changes =
      typed::may_exceed_type(table_, *value) || typed::is_bit_field(*value);
  if (value->type == type && !changes) {
    return value;
  }
  const Span span = value->span;
  const auto* constant = typed::as_integer(*value);
  if (constant != nullptr && is_scalar(table_, type) &&
      is_scalar(table_, value->type)) {
    return integer(cut(table_, type, constant->value), type, span);
  }
  const bool is_same = table_.is_compatible(value->type, type) &&
                       !table_.is_pointer(type) && !is_void(table_, type);
  if (is_same && !changes) {
    return value;
  }
  // A function's value is where it is.
  if (is_function(table_, value->type)) {
    if (auto* function = std::get_if<typed::Load>(&value->node)) {
      return convert(std::move(function->address), type);
    }
  }
  auto converted = typed::make(type, span, typed::Convert{std::move(value)});
  // What is converted is that value from here on, and no calculation any more.
  return typed::is_named_by_smaller_type(table_, *converted)
             ? typed::make(type, span, typed::Convert{std::move(converted)})
             : std::move(converted);
}

ExpressionPointer ExpressionChecker::pass(ExpressionPointer value, TypeId type) {
  const bool is_string =
      is_string_compatible(table_, type) && is_string_compatible(table_, value->type);
  return convert(std::move(value), is_string ? table_.string_type() : type);
}

OperandType operand_type(const typed::Expression& value) {
  return {value.type, typed::is_zero(value)};
}

bool is_lvalue(const types::TypeTable& table, const typed::Expression& value) {
  return std::holds_alternative<typed::VariableValue>(value.node) ||
         (std::holds_alternative<typed::Load>(value.node) &&
          !is_array(table, value.type) && !is_function(table, value.type));
}

// Memory is writable when its address comes from a variable: DTrace lets a program
// write through its own pointers, and finds at run time where they may not point.
bool is_writable(const types::TypeTable& table, const typed::Expression& value) {
  return std::visit(
      Overloaded{
          [](const typed::VariableValue&) { return true; },
          [](const typed::VariableAddress&) { return true; },
          [&](const typed::Load& node) { return is_writable(table, *node.address); },
          // The address of a variable's bytes, or a variable's pointer as another.
          [&](const typed::Convert& node) {
            return (table.is_by_reference(node.operand->type) ||
                    (table.is_pointer(node.operand->type) &&
                     table.is_pointer(value.type))) &&
                   is_writable(table, *node.operand);
          },
          [&](const typed::Binary& node) {
            return node.operation == typed::BinaryOperator::Add &&
                   is_writable(table, *node.left);
          },
          [](const auto&) { return false; },
      },
      value.node);
}

}  // namespace kinst::d
