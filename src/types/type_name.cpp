// Types as C writes them. A declarator is built from the inside out: each step wraps
// what stands around the (absent) name, and a pointer to an array or a function needs
// parentheses, as both bind tighter than '*'.
#include <fmt/format.h>

#include "base/overloaded.h"
#include "types/type.h"
#include "types/type_definition.h"

namespace kinst::types {
namespace {

std::string_view word(Qualifier qualifier) {
  switch (qualifier) {
    case Qualifier::Const:
      return "const";
    case Qualifier::Volatile:
      return "volatile";
    case Qualifier::Restrict:
      return "restrict";
  }
  return "";
}

std::string tagged(std::string_view keyword, std::string_view tag) {
  return fmt::format("{} {}", keyword, tag.empty() ? "(anonymous)" : tag);
}

std::string parameters_of(const TypeTable& table, const Function& function) {
  std::string text;
  for (const TypeId parameter : function.parameters) {
    text += text.empty() ? "" : ", ";
    text += table.name_of(parameter);
  }
  if (function.is_variadic) {
    text += text.empty() ? "..." : ", ...";
  }
  return text.empty() ? "void" : text;
}

std::string declaration(const TypeTable& table, TypeId id, std::string declarator);

// "int" and "*p" make "int *p"; "int" and "[2]" make "int [2]".
std::string joined(std::string_view base, std::string_view declarator) {
  return declarator.empty() ? std::string(base)
                            : fmt::format("{} {}", base, declarator);
}

std::string through_pointer(const TypeTable& table, const Pointer& pointer,
                            std::string_view declarator) {
  const Type& target = table.get(pointer.target);
  const bool binds_tighter =
      std::holds_alternative<Array>(target) || std::holds_alternative<Function>(target);
  const std::string starred = fmt::format("*{}", declarator);
  return declaration(table, pointer.target,
                     binds_tighter ? fmt::format("({})", starred) : starred);
}

// The qualifier of a pointer stands after its star, any other before the type.
std::string through_qualifier(const TypeTable& table, const Qualified& qualified,
                              const std::string& declarator) {
  if (const auto* pointer = std::get_if<Pointer>(&table.get(qualified.target))) {
    return through_pointer(table, *pointer,
                           joined(word(qualified.qualifier), declarator));
  }
  return fmt::format("{} {}", word(qualified.qualifier),
                     declaration(table, qualified.target, declarator));
}

std::string through_array(const TypeTable& table, const Array& array,
                          const std::string& declarator) {
  const std::string bounds = array.count == 0 ? "[]" : fmt::format("[{}]", array.count);
  return declaration(table, array.element, declarator + bounds);
}

std::string declaration(const TypeTable& table, TypeId id, std::string declarator) {
  return std::visit(
      Overloaded{
          [&](const Void&) { return joined("void", declarator); },
          [&](const Integer& type) { return joined(type.name, declarator); },
          [&](const Float& type) { return joined(type.name, declarator); },
          [&](const String&) { return joined("string", declarator); },
          [&](const Typedef& type) { return joined(type.name, declarator); },
          [&](const Record& type) {
            const bool is_struct = type.kind == RecordKind::Struct;
            return joined(tagged(is_struct ? "struct" : "union", type.tag), declarator);
          },
          [&](const Enum& type) {
            return joined(tagged("enum", type.tag), declarator);
          },
          [&](const Pointer& type) { return through_pointer(table, type, declarator); },
          [&](const Qualified& type) {
            return through_qualifier(table, type, declarator);
          },
          [&](const Array& type) { return through_array(table, type, declarator); },
          [&](const Function& type) {
            return declaration(
                table, type.result,
                fmt::format("{}({})", declarator, parameters_of(table, type)));
          },
      },
      table.get(id));
}

}  // namespace

std::string declaration_of(const TypeTable& table, TypeId id, const std::string& name) {
  return declaration(table, id, name);
}

std::string TypeTable::name_of(TypeId id) const {
  return declaration(*this, id, "");
}

}  // namespace kinst::types
