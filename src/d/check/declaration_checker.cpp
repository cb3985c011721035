#include "d/check/declaration_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "d/tables/own_names.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using types::TypeId;

namespace {

bool is_scoped(std::string_view name) {
  return name.find('`') != std::string_view::npos;
}

/// An associative array's key types stand where its outermost dimension would.
const AssociativeDerivation* keys_of(const Declarator& declarator) {
  return declarator.derivations.empty()
             ? nullptr
             : std::get_if<AssociativeDerivation>(&declarator.derivations.back().node);
}

std::span<const Derivation> value_derivations(const Declarator& declarator) {
  const std::span<const Derivation> all = declarator.derivations;
  return keys_of(declarator) == nullptr ? all : all.first(all.size() - 1);
}

/// A placeholder value of this type, for checking an expression in which a name has
/// this type.
typed::ExpressionPointer placeholder(TypeId type) {
  return typed::make(type, {}, typed::BuiltinValue{});
}

}  // namespace

// ---------------------------------------------------------------- variables
// and types

void DeclarationChecker::check(const Declaration& declaration) {
  const auto base = expressions_.type_resolver().resolve(declaration.base);
  if (!base) {
    return;
  }
  if (declaration.declarators.empty() &&
      !std::holds_alternative<RecordSyntax>(declaration.base.node) &&
      !std::holds_alternative<EnumSyntax>(declaration.base.node)) {
    error("D_DECL_USELESS", declaration.span, "this declares nothing");
    return;
  }
  for (const Declarator& declarator : declaration.declarators) {
    declare(declaration, *base, declarator);
    note_if_broken(declarator);
  }
}

void DeclarationChecker::note_if_broken(const Declarator& declarator) {
  if (diagnostics_.has_errors() && find(names_.globals, declarator.name) == nullptr) {
    names_.broken.insert(declarator.name);
  }
}

void DeclarationChecker::declare(const Declaration& declaration, TypeId base,
                                 const Declarator& declarator) {
  if (is_scoped(declarator.name)) {
    error("D_DECL_SCOPE", declarator.span,
          fmt::format("a declared name cannot have a scope: {}", declarator.name));
    return;
  }
  TypeResolver& resolver = expressions_.type_resolver();
  const auto type = resolver.derive(base, value_derivations(declarator));
  if (!type) {
    return;
  }
  auto storage = declaration.storage;
  // A function's prototype declares a function that is defined elsewhere.
  if (is_function(table_, *type) && (!storage || *storage == StorageClass::Static)) {
    storage = StorageClass::Extern;
  }
  typed::Variable variable{.name = declarator.name, .type = *type};
  if (storage) {
    switch (*storage) {
      case StorageClass::Auto:
      case StorageClass::Register:
      case StorageClass::Static:
        error("D_DECL_BADCLASS", declaration.span,
              "D has no such storage class: use self or this, or none");
        return;
      case StorageClass::Extern:
        return declare_extern(declarator, *type);
      case StorageClass::Typedef:
        return declare_typedef(declarator, *type);
      case StorageClass::Self:
        variable.scope = typed::VariableScope::Thread;
        break;
      case StorageClass::This:
        variable.scope = typed::VariableScope::Clause;
        break;
    }
  }
  if (const AssociativeDerivation* keys = keys_of(declarator)) {
    auto key_types = resolver.resolve_keys(keys->keys);
    if (!key_types) {
      return;
    }
    variable.key_types = std::move(*key_types);
  }
  declare_variable(declarator, std::move(variable));
}

void DeclarationChecker::declare_typedef(const Declarator& declarator, TypeId type) {
  const std::string& name = declarator.name;
  if (find(names_.globals, name) != nullptr || is_builtin_name(name)) {
    error("D_DECL_IDRED", declarator.span,
          fmt::format("variable redeclared as a type: {}", name));
    return;
  }
  // Repeating one of D's own typedefs is allowed.
  const auto base = expressions_.type_resolver().base_types().typedef_named(name);
  const bool repeats_base = base && table_.is_compatible(*base, type);
  if (find(names_.typedefs, name) != nullptr || (base && !repeats_base)) {
    error("D_DECL_IDRED", declarator.span, fmt::format("typedef redeclared: {}", name));
    return;
  }
  // A typedef of a typedef gets the latter's target, so that look-ups need not follow
  // chains.
  const auto* alias = std::get_if<types::Typedef>(&table_.get(type));
  const TypeId target = alias == nullptr ? type : alias->target;
  names_.typedefs.emplace(name,
                          table_.add(types::Typedef{.name = name, .target = target}));
}

void DeclarationChecker::declare_extern(const Declarator& declarator, TypeId type) {
  const auto [old, is_new] = names_.externs.emplace(declarator.name, type);
  if (!is_new && !table_.is_compatible(old->second, type)) {
    error("D_DECL_IDRED", declarator.span,
          fmt::format(R"({} redeclared as "{}", was "{}")", declarator.name,
                      table_.name_of(type), table_.name_of(old->second)));
  }
}

bool DeclarationChecker::check_object_type(const Declarator& declarator, TypeId type) {
  if (is_void(table_, type)) {
    error("D_DECL_VOIDOBJ", declarator.span,
          fmt::format("{} cannot be void", declarator.name));
    return false;
  }
  const TypeId completed = expressions_.type_resolver().completed(type);
  const bool is_sized = is_record(table_, type)
                            ? table_.size_of(completed).value_or(0) != 0
                            : table_.size_of(type).has_value();
  if (!is_sized) {
    error("D_DECL_INCOMPLETE", declarator.span,
          fmt::format("{} has the incomplete type {}", declarator.name,
                      table_.name_of(type)));
    return false;
  }
  return true;
}

bool DeclarationChecker::check_redeclaration(const Declarator& declarator,
                                             const typed::Variable& variable,
                                             typed::VariableId old) {
  const typed::Variable& previous = names_.variable(old);
  const bool is_same = table_.is_compatible(previous.type, variable.type) &&
                       std::ranges::equal(previous.key_types, variable.key_types,
                                          [&](TypeId left, TypeId right) {
                                            return table_.is_compatible(left, right);
                                          });
  if (!is_same) {
    error("D_DECL_IDRED", declarator.span,
          fmt::format(R"({} redeclared as "{}", was "{}"{})", declarator.name,
                      table_.name_of(variable.type), table_.name_of(previous.type),
                      previous.key_types.size() == variable.key_types.size()
                          ? ""
                          : " with other keys"));
  }
  return is_same;
}

void DeclarationChecker::declare_variable(const Declarator& declarator,
                                          typed::Variable variable) {
  const std::string& name = declarator.name;
  const bool is_global = variable.scope == typed::VariableScope::Global;
  const auto* array = std::get_if<types::Array>(&table_.resolved(variable.type));
  if (array != nullptr && array->count == 0 && variable.key_types.empty()) {
    error("D_DECL_ARRNULL", declarator.span,
          fmt::format("array {} needs a size or the types of its keys", name));
    return;
  }
  if (is_global && is_builtin_name(name)) {
    error("D_DECL_IDRED", declarator.span,
          fmt::format("{} is D's own and cannot be redeclared", name));
    return;
  }
  if (find(names_.typedefs, name) != nullptr) {
    error("D_DECL_IDRED", declarator.span,
          fmt::format("type redeclared as a variable: {}", name));
    return;
  }
  if (!variable.key_types.empty() && variable.scope == typed::VariableScope::Clause) {
    error("D_DECL_LOCASSC", declarator.span,
          fmt::format("this->{} cannot be an associative array", name));
    return;
  }
  if (const auto old = names_.find_variable(variable.scope, name)) {
    check_redeclaration(declarator, variable, *old);
    return;
  }
  if (is_global && find(names_.globals, name) != nullptr) {
    error("D_DECL_IDRED", declarator.span,
          fmt::format("identifier redeclared: {}", name));
    return;
  }
  if (check_object_type(declarator, variable.type)) {
    variable.type = expressions_.type_resolver().completed(variable.type);
    names_.add_variable(std::move(variable));
  }
}

// ---------------------------------------------------------------- inlines

bool DeclarationChecker::check_inline_name(const Declarator& declarator) {
  if (declarator.name.empty()) {
    error("D_DECL_USELESS", declarator.span, "an inline needs a name");
    return false;
  }
  if (is_builtin_name(declarator.name) ||
      find(names_.globals, declarator.name) != nullptr) {
    error("D_DECL_IDRED", declarator.span,
          fmt::format("identifier redefined: {}", declarator.name));
    return false;
  }
  return true;
}

void DeclarationChecker::check(const InlineDefinition& definition) {
  define(definition);
  note_if_broken(definition.declarator);
}

void DeclarationChecker::define(const InlineDefinition& definition) {
  TypeResolver& resolver = expressions_.type_resolver();
  const Declarator& declarator = definition.declarator;
  const auto base = resolver.resolve(definition.base);
  if (!base || !check_inline_name(declarator)) {
    return;
  }
  const auto type = resolver.derive(*base, value_derivations(declarator));
  if (!type) {
    return;
  }
  const AssociativeDerivation* keys = keys_of(declarator);
  if (is_array(table_, *type) && keys == nullptr) {
    error("D_DECL_ARRNULL", declarator.span,
          fmt::format("inline {} cannot be an array", declarator.name));
    return;
  }
  InlineSymbol symbol{
      .definition = &definition, .type = *type, .is_array = keys != nullptr};
  if (keys != nullptr) {
    const auto key_types = resolver.resolve_keys(keys->keys);
    if (!key_types) {
      return;
    }
    for (std::size_t i = 0; i < key_types->size(); ++i) {
      symbol.parameters.push_back({keys->keys[i].declarator.name, (*key_types)[i]});
    }
  }
  if (is_void(table_, *type)) {
    error("D_DECL_VOIDOBJ", declarator.span,
          fmt::format("inline {} cannot be void", declarator.name));
    return;
  }
  if (check_inline_value(definition, symbol)) {
    names_.globals.emplace(declarator.name, std::move(symbol));
  }
}

bool DeclarationChecker::check_inline_value(const InlineDefinition& definition,
                                            const InlineSymbol& symbol) {
  std::vector<typed::ExpressionPointer> values;
  std::vector<ExpressionChecker::Binding> bindings;
  for (const InlineSymbol::Parameter& parameter : symbol.parameters) {
    values.push_back(placeholder(parameter.type));
    bindings.push_back({parameter.name, values.back().get()});
  }
  TypeId type = symbol.type;
  TypeId value_type{};
  OperandType operand;
  if (const auto translation =
          expressions_.translation_bound(definition.value, bindings)) {
    if (translation->source == nullptr) {
      return false;
    }
    if (table_.is_pointer(type)) {
      type = *target_of(table_, type);
    }
    operand = {translation->translator->output};
  } else {
    const auto value = expressions_.check_bound(definition.value, bindings);
    if (value == nullptr || !expressions_.reject_leftovers(*value)) {
      return false;
    }
    operand = operand_type(*value);
  }
  value_type = operand.type;
  if (!is_assignable(table_, type, operand)) {
    error("D_OP_INCOMPAT", definition.value.span,
          fmt::format(R"(inline {} is declared "{}" and defined as "{}")",
                      definition.declarator.name, table_.name_of(symbol.type),
                      table_.name_of(value_type)));
    return false;
  }
  return true;
}

// ---------------------------------------------------------------- translators

void DeclarationChecker::check(const TranslatorDefinition& definition) {
  TypeResolver& resolver = expressions_.type_resolver();
  const auto output = resolver.resolve(definition.output);
  const auto input = resolver.resolve(definition.input);
  if (!output || !input) {
    return;
  }
  const Translator translator{.definition = &definition,
                              .input = *input,
                              .output = resolver.completed(*output)};
  if (std::ranges::any_of(names_.translators, [&](const Translator& other) {
        return table_.is_compatible(other.input, translator.input) &&
               table_.is_compatible(other.output, translator.output);
      })) {
    error("D_XLATE_REDECL", definition.span,
          fmt::format(R"(the translator from "{}" to "{}" has been declared before)",
                      table_.name_of(*input), table_.name_of(*output)));
    return;
  }
  if (!is_record(table_, translator.output) || !table_.size_of(translator.output)) {
    error("D_XLATE_SOU", definition.output.span,
          fmt::format("a translator makes a struct or union, not \"{}\"",
                      table_.name_of(*output)));
    return;
  }
  // Members may translate with the translator that is being defined.
  names_.translators.push_back(translator);
  const bool is_good =
      std::ranges::all_of(definition.members, [&](const TranslatorMember& member) {
        return check_translator_member(member, translator);
      });
  if (!is_good) {
    names_.translators.pop_back();
  }
}

bool DeclarationChecker::check_translator_member(const TranslatorMember& member,
                                                 const Translator& translator) {
  const auto place = table_.member(translator.output, member.name);
  if (!place) {
    error("D_XLATE_MEMB", member.span,
          fmt::format("{} is not a member of {}", member.name,
                      table_.name_of(translator.output)));
    return false;
  }
  const auto input = placeholder(translator.input);
  const std::vector<ExpressionChecker::Binding> bindings = {
      {translator.definition->input_name, input.get()}};
  const auto translation = expressions_.translation_bound(member.value, bindings);
  const auto value =
      translation ? nullptr : expressions_.check_bound(member.value, bindings);
  if ((translation && translation->source == nullptr) ||
      (!translation && value == nullptr)) {
    return false;
  }
  const OperandType operand =
      translation ? OperandType{translation->translator->output} : operand_type(*value);
  TypeId type = place->type;
  if (translation && table_.is_pointer(type)) {
    type = *target_of(table_, type);
  }
  if (!is_assignable(table_, type, operand)) {
    error("D_XLATE_INCOMPAT", member.span,
          fmt::format(R"(member {} is "{}" and cannot be made of "{}")", member.name,
                      table_.name_of(place->type), table_.name_of(operand.type)));
    return false;
  }
  return true;
}

// ---------------------------------------------------------------- providers

bool DeclarationChecker::check_prototype(const std::vector<Parameter>& parameters) {
  return std::ranges::all_of(parameters, [&](const Parameter& parameter) {
    return expressions_.type_resolver().resolve(parameter).has_value();
  });
}

void DeclarationChecker::check(const ProviderDefinition& definition) {
  const std::string& name = definition.name;
  if (is_scoped(name) || name.empty() || (name.back() >= '0' && name.back() <= '9')) {
    error("D_PROV_BADNAME", definition.span,
          fmt::format("a provider's name may not have a scope or end with a digit: {}",
                      name));
    return;
  }
  for (auto probe = definition.probes.begin(); probe != definition.probes.end();
       ++probe) {
    if (std::any_of(definition.probes.begin(), probe, [&](const ProviderProbe& other) {
          return other.name == probe->name;
        })) {
      error("D_PROV_PRDUP", probe->span,
            fmt::format("probe {}:{} is declared twice", name, probe->name));
      return;
    }
    if (!check_prototype(probe->native) ||
        (probe->translated && !check_prototype(*probe->translated))) {
      return;
    }
  }
}

}  // namespace kinst::d
