#include "d/tables/prototype.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace kinst::d {
namespace {

std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace

std::size_t Prototype::required() const {
  return static_cast<std::size_t>(
      std::ranges::count(parameters, false, &PrototypeParameter::is_optional));
}

Prototype parse_prototype(std::string_view text) {
  const auto open = text.find('(');
  Prototype prototype{.result = trim(text.substr(0, open))};
  std::string_view rest = trim(text.substr(open + 1, text.rfind(')') - open - 1));
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    std::string_view type = trim(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view()
                                           : trim(rest.substr(comma + 1));
    if (type == "...") {
      prototype.is_variadic = true;
      continue;
    }
    const bool is_optional = type.starts_with('[');
    if (is_optional) {
      type = type.substr(1, type.size() - 2);
    }
    prototype.parameters.push_back(
        {.type = type.starts_with('@') ? std::string_view() : type,
         .is_optional = is_optional,
         .is_aggregation = type == "@a"});
  }
  return prototype;
}

namespace {

// "int", "size_t", "uint32_t", not "void *" nor "const char *".
bool is_integer(std::string_view type) {
  return !type.empty() && type.find('*') == std::string_view::npos &&
         type.find("struct") == std::string_view::npos;
}

}  // namespace

std::string form_of_call(std::string_view function, const Prototype& prototype) {
  std::string list;
  for (const PrototypeParameter& parameter : prototype.parameters) {
    const std::string_view any = parameter.is_aggregation ? "@a" : "value";
    const std::string_view type = parameter.type.empty() ? any : parameter.type;
    list += fmt::format("{}{}{}{}", list.empty() ? "" : ", ",
                        parameter.is_optional ? "[" : "", type,
                        parameter.is_optional ? "]" : "");
  }
  return fmt::format("{}({}{})", function, list, prototype.is_variadic ? ", ..." : "");
}

std::string example_of_call(std::string_view function, const Prototype& prototype) {
  std::string list;
  for (const PrototypeParameter& parameter : prototype.parameters) {
    if (parameter.is_optional) {
      break;
    }
    if (!is_integer(parameter.type)) {
      return {};
    }
    list += list.empty() ? "" : ", ";
    list += parameter.type == "uintptr_t" ? "arg0" : "0";
  }
  return fmt::format("{}({})", function, list);
}

}  // namespace kinst::d
