// Inlines and translators: an expression put in the place of a name or a member.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "d/check/expression_checker.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using typed::ExpressionPointer;
using types::TypeId;

ExpressionPointer ExpressionChecker::check_bound(const Expression& expression,
                                                 std::vector<Binding> bindings) {
  std::swap(bindings_, bindings);
  ExpressionPointer value = check(expression);
  std::swap(bindings_, bindings);
  return value;
}

// ---------------------------------------------------------------- inlines

ExpressionPointer ExpressionChecker::inlined(const InlineSymbol& symbol, Span span) {
  ExpressionPointer value = check_bound(symbol.definition->value, {});
  if (value == nullptr || is_dynamic(value->type)) {
    return value;
  }
  value = convert(std::move(value), symbol.type);
  value->span = span;
  return value;
}

std::optional<std::vector<ExpressionPointer>> ExpressionChecker::inline_arguments(
    const InlineSymbol& symbol, const Index& index, Span span) {
  auto values = keys(index.indices);
  std::vector<TypeId> signature;
  for (const InlineSymbol::Parameter& parameter : symbol.parameters) {
    signature.push_back(parameter.type);
  }
  if (!values ||
      !match_keys(symbol.definition->declarator.name, signature, *values, span)) {
    return std::nullopt;
  }
  return values;
}

namespace {

std::vector<ExpressionChecker::Binding> bind(
    const InlineSymbol& symbol, const std::vector<ExpressionPointer>& values) {
  std::vector<ExpressionChecker::Binding> bindings;
  for (std::size_t i = 0; i < values.size(); ++i) {
    bindings.push_back({symbol.parameters[i].name, values[i].get()});
  }
  return bindings;
}

}  // namespace

ExpressionPointer ExpressionChecker::inlined(const InlineSymbol& symbol,
                                             const Index& index, Span span) {
  const auto arguments = inline_arguments(symbol, index, span);
  if (!arguments) {
    return nullptr;
  }
  ExpressionPointer value =
      check_bound(symbol.definition->value, bind(symbol, *arguments));
  if (value == nullptr || is_dynamic(value->type)) {
    return value;
  }
  value = convert(std::move(value), symbol.type);
  value->span = span;
  return value;
}

// ---------------------------------------------------------------- translators

const Translator* ExpressionChecker::find_translator(TypeId output,
                                                     OperandType input) const {
  if (table_.is_pointer(output)) {
    output = *target_of(table_, output);
  }
  if (!is_record(table_, output)) {
    return nullptr;
  }
  const auto has_output = [&](const Translator& translator) {
    return table_.is_compatible(translator.output, output);
  };
  for (const Translator& translator : names_.translators) {
    if (has_output(translator) && table_.is_compatible(translator.input, input.type)) {
      return &translator;
    }
  }
  for (const Translator& translator : names_.translators) {
    if (has_output(translator) && is_assignable(table_, translator.input, input)) {
      return &translator;
    }
  }
  return nullptr;
}

std::optional<Translation> ExpressionChecker::translation_of(
    const Expression& expression) {
  if (!spend(1, expression.span)) {
    return Translation{};
  }
  ++depth_;
  auto translation = translation_of_node(expression);
  --depth_;
  return translation;
}

std::optional<Translation> ExpressionChecker::translation_of_node(
    const Expression& written) {
  const Expression& expression = chosen(written);
  if (const auto* xlate = std::get_if<Xlate>(&expression.node)) {
    const auto output = types_.resolve(xlate->type);
    ExpressionPointer source = check(*xlate->operand);
    if (!output || source == nullptr) {
      return Translation{};
    }
    return translate(std::move(source), *output, expression.span);
  }
  if (const auto* identifier = std::get_if<Identifier>(&expression.node)) {
    const GlobalSymbol* symbol = find_global(identifier->name);
    const auto* definition =
        symbol == nullptr ? nullptr : std::get_if<InlineSymbol>(symbol);
    if (definition == nullptr || definition->is_array ||
        find_binding(identifier->name) != nullptr) {
      return std::nullopt;
    }
    return translation_bound(definition->definition->value, {});
  }
  if (const auto* index = std::get_if<Index>(&expression.node)) {
    return translation_of_index(*index, expression.span);
  }
  if (const auto* unary = std::get_if<Unary>(&expression.node);
      unary != nullptr && unary->op == UnaryOperator::Dereference) {
    auto translation = translation_of(*unary->operand);
    if (translation) {
      translation->is_pointer = false;
    }
    return translation;
  }
  if (const auto* member = std::get_if<Member>(&expression.node)) {
    return translation_of_member(*member);
  }
  return std::nullopt;
}

std::optional<Translation> ExpressionChecker::translation_bound(
    const Expression& expression, std::vector<Binding> bindings) {
  std::swap(bindings_, bindings);
  auto translation = translation_of(expression);
  std::swap(bindings_, bindings);
  return translation;
}

Translation ExpressionChecker::translate(ExpressionPointer source, TypeId output,
                                         Span span) {
  const Translator* translator = find_translator(output, operand_type(*source));
  if (translator == nullptr) {
    error("D_XLATE_NONE", span,
          fmt::format(R"(there is no translator from "{}" to "{}")", type_name(*source),
                      table_.name_of(output)));
    return {};
  }
  return {.translator = translator,
          .source = convert(std::move(source), translator->input),
          .is_pointer = table_.is_pointer(output)};
}

const ProbeArgument* ExpressionChecker::translated_argument(const Index& index) const {
  const auto* identifier = std::get_if<Identifier>(&index.base->node);
  const auto* number = std::get_if<IntegerLiteral>(&index.indices.front().node);
  const auto builtin =
      identifier == nullptr ? std::nullopt : find_builtin(identifier->name);
  if (!builtin || builtin->index != BuiltinIndex::Argument || number == nullptr ||
      probe_ == nullptr || !probe_->arguments ||
      number->value >= probe_->arguments->size()) {
    return nullptr;
  }
  const ProbeArgument& argument = (*probe_->arguments)[number->value];
  return argument.translated.empty() ? nullptr : &argument;
}

std::optional<Translation> ExpressionChecker::translation_of_index(const Index& index,
                                                                   Span span) {
  if (const ProbeArgument* argument = translated_argument(index)) {
    const auto output = types_.find(argument->translated);
    const TypeId native = argument->native.value_or(table_.int64_type());
    if (!output || is_assignable(table_, native, {*output}) ||
        find_translator(*output, {native}) == nullptr) {
      return std::nullopt;
    }
    return translate(typed::make(native, span,
                                 typed::BuiltinValue{Builtin::Args,
                                                     integer(argument->native_index,
                                                             table_.int_type(), span)}),
                     *output, span);
  }
  const auto* identifier = std::get_if<Identifier>(&index.base->node);
  if (identifier == nullptr || find_binding(identifier->name) != nullptr) {
    return std::nullopt;
  }
  const GlobalSymbol* symbol = find_global(identifier->name);
  const auto* definition =
      symbol == nullptr ? nullptr : std::get_if<InlineSymbol>(symbol);
  if (definition == nullptr || !definition->is_array) {
    return std::nullopt;
  }
  const auto arguments = inline_arguments(*definition, index, span);
  return arguments ? translation_bound(definition->definition->value,
                                       bind(*definition, *arguments))
                   : Translation{};
}

const TranslatorMember* ExpressionChecker::find_member(const Translator& translator,
                                                       const Member& member) {
  const auto& members = translator.definition->members;
  const auto found = std::ranges::find(members, member.name, &TranslatorMember::name);
  if (found != members.end()) {
    return &*found;
  }
  auto& diagnostic = error("D_XLATE_NOCONV", member.name_span,
                           fmt::format("the translator to {} does not define member {}",
                                       table_.name_of(translator.output), member.name));
  NearNames near(member.name);
  for (const TranslatorMember& other : members) {
    near.offer(other.name);
  }
  diagnostic.hint = near.question();
  return nullptr;
}

// A member that is itself translated: curpsinfo->pr_lwp.pr_flag.
std::optional<Translation> ExpressionChecker::translation_of_member(
    const Member& member) {
  const auto object = translation_of(*member.object);
  if (!object || object->source == nullptr) {
    return std::nullopt;
  }
  const auto& members = object->translator->definition->members;
  const auto found = std::ranges::find(members, member.name, &TranslatorMember::name);
  if (found == members.end()) {
    return std::nullopt;
  }
  return translation_bound(found->value, {{object->translator->definition->input_name,
                                           object->source.get()}});
}

ExpressionPointer ExpressionChecker::member_of_translation(const Member& member,
                                                           Translation translation,
                                                           Span span) {
  if (member.is_arrow != translation.is_pointer) {
    error(member.is_arrow ? "D_OP_PTR" : "D_OP_SOU", span,
          member.is_arrow ? "operator -> needs a pointer"
                          : "operator . needs a struct or union, not a pointer");
    return nullptr;
  }
  const Translator& translator = *translation.translator;
  const TranslatorMember* found = find_member(translator, member);
  if (found == nullptr) {
    return nullptr;
  }
  ExpressionPointer value = check_bound(
      found->value, {{translator.definition->input_name, translation.source.get()}});
  const auto place = table_.member(translator.output, member.name);
  if (value == nullptr || !place || is_dynamic(value->type)) {
    return value;
  }
  value = is_array(table_, place->type) ? std::move(value)
                                        : convert(std::move(value), place->type);
  value->span = span;
  return value;
}

ExpressionPointer ExpressionChecker::check_value(const Expression& expression) {
  const auto translation = translation_of(expression);
  if (!translation) {
    return check(expression);
  }
  return whole(*translation, expression.span);
}

ExpressionPointer ExpressionChecker::whole(const Translation& translation, Span span) {
  if (translation.source == nullptr) {
    return nullptr;
  }
  ExpressionPointer record = materialize(translation, span);
  if (record == nullptr || !translation.is_pointer) {
    return record;
  }
  const TypeId pointer = table_.pointer_to(record->type);
  return typed::make(pointer, span, typed::Convert{std::move(record)});
}

ExpressionPointer ExpressionChecker::materialize(const Translation& translation,
                                                 Span span) {
  const Translator& translator = *translation.translator;
  typed::RecordValue record;
  for (const TranslatorMember& member : translator.definition->members) {
    const auto place = table_.member(translator.output, member.name);
    const std::vector<Binding> input = {
        {translator.definition->input_name, translation.source.get()}};
    const auto inner = translation_bound(member.value, input);
    ExpressionPointer value =
        inner ? whole(*inner, span) : check_bound(member.value, input);
    if (value == nullptr || !place) {
      return nullptr;
    }
    if (place->width_bits != 0 || is_dynamic(value->type)) {
      error("D_CG_DYN", span,
            fmt::format("member {} of the translation can only be used by itself",
                        member.name));
      return nullptr;
    }
    record.members.push_back(
        {place->offset_bits / 8, convert(std::move(value), place->type)});
  }
  return typed::make(translator.output, span, std::move(record));
}

}  // namespace kinst::d
