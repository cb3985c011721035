#include "d/syntax/print.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/overloaded.h"
#include "d/syntax/descriptions.h"
#include "d/syntax/spelling.h"

namespace kinst::d {

namespace {

std::string text_of(const BaseType& base);
std::string text_of(const Declarator& declarator);

template <typename Range, typename Print>
std::string joined(const Range& range, Print print) {
  std::string out;
  for (const auto& element : range) {
    out += out.empty() ? "" : ", ";
    out += print(element);
  }
  return out;
}

std::string list(const std::vector<Expression>& expressions) {
  return joined(expressions,
                [](const Expression& expression) { return to_text(expression); });
}

// One byte as it stands between quotes of either kind.
std::string escaped(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\'' || c == '\\') {
    return {'\\', c};
  }
  return byte < ' ' || byte == 0x7f ? fmt::format("\\{:03o}", byte) : std::string(1, c);
}

std::string quoted(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) {
    out += escaped(c);
  }
  return "\"" + out + "\"";
}

// ---------------------------------------------------------------- types

std::string text_of(const Qualifiers& qualifiers) {
  return fmt::format("{}{}{}", qualifiers.is_const ? "const " : "",
                     qualifiers.is_volatile ? "volatile " : "",
                     qualifiers.is_restrict ? "restrict " : "");
}

std::string text_of(const Parameter& parameter) {
  const std::string name = text_of(parameter.declarator);
  return text_of(parameter.base) + (name.empty() ? "" : " ") + name;
}

std::string parameters_text(const std::vector<Parameter>& parameters) {
  return joined(parameters,
                [](const Parameter& parameter) { return text_of(parameter); });
}

// A name with its derivations around it, inside out as C has it.
std::string derived(std::string name, const std::vector<Derivation>& derivations) {
  bool is_pointer = false;  // a suffix needs parentheses around the '*' before it
  for (std::size_t left = derivations.size(); left != 0; --left) {
    const Derivation& derivation = derivations[left - 1];
    if (const auto* pointer = std::get_if<PointerDerivation>(&derivation.node)) {
      name.insert(0, "*" + text_of(pointer->qualifiers));
      is_pointer = true;
      continue;
    }
    if (is_pointer) {
      name = fmt::format("({})", name);
      is_pointer = false;
    }
    name += std::visit(
        Overloaded{[](const PointerDerivation&) { return std::string(); },
                   [](const ArrayDerivation& array) {
                     return array.size == nullptr ? std::string("[]")
                                                  : "[" + to_text(*array.size) + "]";
                   },
                   [](const AssociativeDerivation& associative) {
                     return "[" + parameters_text(associative.keys) + "]";
                   },
                   [](const FunctionDerivation& function) {
                     const bool has_both =
                         function.is_variadic && !function.parameters.empty();
                     return "(" + parameters_text(function.parameters) +
                            (has_both ? ", " : "") +
                            (function.is_variadic ? "..." : "") + ")";
                   }},
        derivation.node);
  }
  return name;
}

std::string text_of(const Declarator& declarator) {
  return derived(declarator.name, declarator.derivations);
}

std::string text_of(const MemberDeclaration& member) {
  const std::string names =
      joined(member.declarators, [](const MemberDeclarator& declared) {
        const std::string name = text_of(declared.declarator);
        return declared.width_bits == nullptr
                   ? name
                   : name + " : " + to_text(*declared.width_bits);
      });
  return text_of(member.base) + (names.empty() ? "" : " ") + names + ";";
}

std::string text_of(const RecordSyntax& record) {
  std::string out = record.kind == types::RecordKind::Struct ? "struct" : "union";
  out += record.tag.empty() ? "" : " " + record.tag;
  if (record.is_definition) {
    out += " {";
    for (const MemberDeclaration& member : record.members) {
      out += " " + text_of(member);
    }
    out += " }";
  }
  return out;
}

std::string text_of(const EnumSyntax& syntax) {
  std::string out = "enum";
  out += syntax.tag.empty() ? "" : " " + syntax.tag;
  if (syntax.is_definition) {
    out += " { " +
           joined(syntax.enumerators,
                  [](const EnumeratorSyntax& enumerator) {
                    return enumerator.value == nullptr
                               ? enumerator.name
                               : enumerator.name + " = " + to_text(*enumerator.value);
                  }) +
           " }";
  }
  return out;
}

std::string text_of(const BaseType& base) {
  return text_of(base.qualifiers) +
         std::visit(
             Overloaded{[](BuiltinType type) { return std::string(spelling(type)); },
                        [](const NamedType& type) { return type.name; },
                        [](const auto& syntax) { return text_of(syntax); }},
             base.node);
}

// ---------------------------------------------------------------- expressions

std::string character(std::uint64_t value) {
  std::string bytes;
  do {
    bytes.insert(0, escaped(static_cast<char>(value & 0xffU)));
    value >>= 8U;
  } while (value != 0);
  return "'" + bytes + "'";
}

std::string text_of(const IntegerLiteral& literal) {
  if (literal.is_character) {
    return character(literal.value);
  }
  std::string text = literal.is_decimal   ? fmt::format("{}", literal.value)
                     : literal.value == 0 ? "0"
                                          : fmt::format("{:#x}", literal.value);
  text += literal.has_unsigned_suffix ? "u" : "";
  return text + std::string(literal.long_suffixes, 'l');
}

std::string text_of(const Unary& unary) {
  const bool is_postfix = unary.op == UnaryOperator::PostIncrement ||
                          unary.op == UnaryOperator::PostDecrement;
  const std::string operand = to_text(*unary.operand);
  return is_postfix ? fmt::format("({}{})", operand, spelling(unary.op))
                    : fmt::format("({}{})", spelling(unary.op), operand);
}

// Every kind of expression in a form that binds tighter than any operator.
struct ExpressionText {
  std::string operator()(const Identifier& e) const { return e.name; }
  std::string operator()(const KernelSymbol& e) const {
    return e.object + "`" + e.name;
  }
  std::string operator()(const ScopedVariable& e) const {
    return (e.scope == Scope::Self ? "self->" : "this->") + e.name;
  }
  std::string operator()(const AggregationReference& e) const {
    const std::string keys = e.keys.empty() ? "" : "[" + list(e.keys) + "]";
    return "@" + (e.name == "_" ? "" : e.name) + keys;
  }
  std::string operator()(const IntegerLiteral& e) const { return text_of(e); }
  std::string operator()(const StringLiteral& e) const { return quoted(e.value); }
  std::string operator()(const Index& e) const {
    return to_text(*e.base) + "[" + list(e.indices) + "]";
  }
  std::string operator()(const Call& e) const {
    return (e.function.empty() ? "(?)" : e.function) + "(" + list(e.arguments) + ")";
  }
  std::string operator()(const Member& e) const {
    // "1.x" would be read as a floating-point constant.
    const bool is_number = std::holds_alternative<IntegerLiteral>(e.object->node);
    const std::string object = to_text(*e.object);
    return (is_number ? "(" + object + ")" : object) + (e.is_arrow ? "->" : ".") +
           e.name;
  }
  std::string operator()(const Unary& e) const { return text_of(e); }
  std::string operator()(const Binary& e) const {
    return fmt::format("({} {} {})", to_text(*e.left), spelling(e.op),
                       to_text(*e.right));
  }
  std::string operator()(const Assignment& e) const {
    return fmt::format("({} {}= {})", to_text(*e.target), e.op ? spelling(*e.op) : "",
                       to_text(*e.value));
  }
  std::string operator()(const Conditional& e) const {
    return fmt::format("({} ? {} : {})", to_text(*e.condition), to_text(*e.if_true),
                       to_text(*e.if_false));
  }
  std::string operator()(const Cast& e) const {
    return fmt::format("(({}){})", to_text(e.type), to_text(*e.operand));
  }
  std::string operator()(const SizeofType& e) const {
    return fmt::format("(sizeof ({}))", to_text(e.type));
  }
  std::string operator()(const SizeofExpression& e) const {
    return fmt::format("(sizeof {})", to_text(*e.operand));
  }
  std::string operator()(const Offsetof& e) const {
    return fmt::format("offsetof({}, {})", to_text(e.type), e.member);
  }
  std::string operator()(const Stringof& e) const {
    return fmt::format("(stringof {})", to_text(*e.operand));
  }
  std::string operator()(const Xlate& e) const {
    return fmt::format("xlate <{}>({})", to_text(e.type), to_text(*e.operand));
  }
};

// ---------------------------------------------------------------- statements

void append(std::string& out, const std::vector<Statement>& statements,
            std::size_t indent);

void append(std::string& out, const Statement& statement, std::size_t indent) {
  const std::string blanks(indent, ' ');
  if (const auto* plain = std::get_if<ExpressionStatement>(&statement.node)) {
    out += blanks + to_text(plain->expression) + ";\n";
    return;
  }
  const auto& conditional = std::get<If>(statement.node);
  out += fmt::format("{}if ({}) {{\n", blanks, to_text(conditional.condition));
  append(out, conditional.then_branch, indent + 2);
  if (!conditional.else_branch.empty()) {
    out += blanks + "} else {\n";
    append(out, conditional.else_branch, indent + 2);
  }
  out += blanks + "}\n";
}

void append(std::string& out, const std::vector<Statement>& statements,
            std::size_t indent) {
  for (const Statement& statement : statements) {
    append(out, statement, indent);
  }
}

// ---------------------------------------------------------------- items

std::string text_of(const ProbeSpecifier& probe) {
  return std::visit(
      Overloaded{
          [](const Description& description) { return to_text(description); },
          [](const ProbeId& probe_id) { return fmt::format("{}", probe_id.id); }},
      probe);
}

std::string text_of(const Declaration& declaration) {
  std::string out;
  if (declaration.storage) {
    out += std::string(spelling(*declaration.storage)) + " ";
  }
  out += text_of(declaration.base);
  out += declaration.declarators.empty() ? "" : " ";
  out += joined(declaration.declarators,
                [](const Declarator& declarator) { return text_of(declarator); });
  return out + ";\n";
}

std::string text_of(const InlineDefinition& definition) {
  return fmt::format("inline {} {} = {};\n", text_of(definition.base),
                     text_of(definition.declarator), to_text(definition.value));
}

std::string text_of(const TranslatorDefinition& translator) {
  std::string out =
      fmt::format("translator {} < {} {} > {{\n", to_text(translator.output),
                  to_text(translator.input), translator.input_name);
  for (const TranslatorMember& member : translator.members) {
    out += fmt::format("  {} = {};\n", member.name, to_text(member.value));
  }
  return out + "};\n";
}

std::string text_of(const ProviderDefinition& provider) {
  std::string out = fmt::format("provider {} {{\n", provider.name);
  for (const ProviderProbe& probe : provider.probes) {
    out += fmt::format("  probe {}({})", probe.name, parameters_text(probe.native));
    if (probe.translated) {
      out += fmt::format(" : ({})", parameters_text(*probe.translated));
    }
    out += ";\n";
  }
  return out + "};\n";
}

std::string text_of(const Clause& clause) {
  return to_text(clause);
}

std::string text_of(const Pragma& pragma) {
  return "#pragma D " +
         std::visit(
             Overloaded{
                 [](const OptionPragma& option) {
                   return "option " + option.name +
                          (option.value ? "=" + *option.value : "");
                 },
                 [](const AttributesPragma& attributes) {
                   const bool is_of_provider = !attributes.component.empty();
                   return fmt::format(
                       "attributes {} {}{}{}", attributes.attributes,
                       is_of_provider ? "provider " : "", attributes.name,
                       is_of_provider ? " " + attributes.component : std::string());
                 },
                 [](const BindingPragma& binding) {
                   return "binding " + quoted(binding.version) + " " + binding.name;
                 },
                 [](const DependsOnPragma& depends) {
                   return "depends_on " + depends.kind + " " + depends.name;
                 }},
             pragma.node) +
         "\n";
}

}  // namespace

std::string to_text(const Expression& expression) {
  return std::visit(ExpressionText{}, expression.node);
}

std::string to_text(const TypeSyntax& type) {
  const std::string abstract = derived("", type.derivations);
  return text_of(type.base) + (abstract.empty() ? "" : " ") + abstract;
}

std::string to_text(const Clause& clause) {
  std::string out;
  for (const ProbeSpecifier& probe : clause.probes) {
    out += (out.empty() ? "" : ",\n") + text_of(probe);
  }
  out += '\n';
  if (clause.predicate) {
    out += "/" + to_text(*clause.predicate) + "/\n";
  }
  if (clause.body) {
    out += "{\n";
    append(out, *clause.body, 2);
    out += "}\n";
  }
  return out;
}

std::string to_text(const Program& program) {
  std::string out;
  for (const Pragma& pragma : program.pragmas) {
    out += text_of(pragma);
  }
  for (const Item& item : program.items) {
    out += std::visit([](const auto& node) { return text_of(node); }, item);
  }
  return out;
}

}  // namespace kinst::d
