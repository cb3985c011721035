#include "d/syntax/macros.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text/near_names.h"
#include "d/syntax/characters.h"

namespace kinst::d {

MacroReference read_macro_reference(std::string_view text) {
  MacroReference reference;
  std::size_t begin = 1;
  if (text.size() > 1 && text[1] == '$') {
    reference.form = MacroForm::Text;
    begin = 2;
  }
  const std::string_view rest = text.substr(begin);
  const bool is_number = !rest.empty() && is_digit(rest.front());
  const auto* end = std::ranges::find_if_not(
      rest, [&](char c) { return is_number ? is_digit(c) : is_name_part(c); });
  reference.name = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  reference.length = begin + reference.name.size();
  return reference;
}

Result<std::string> MacroExpander::expand(const MacroReference& reference) {
  if (reference.name.empty()) {
    return error("'$' must be followed by the number of a macro argument or a name");
  }
  if (is_digit(reference.name.front())) {
    return argument(reference);
  }
  const auto found = values_.variables.find(reference.name);
  if (found == values_.variables.end()) {
    return error("macro variable {}{} is not defined{}",
                 reference.form == MacroForm::Text ? "$$" : "$", reference.name,
                 instead_of(reference.name));
  }
  return fmt::format("{}", found->second);
}

// What would work in place of a macro variable that has no value.
std::string MacroExpander::instead_of(std::string_view name) const {
  if (name == "target") {
    return ": it is the process of -c or -p, and neither is given";
  }
  NearNames near(fmt::format("${}", name));
  for (const auto& [known, value] : values_.variables) {
    near.offer("$" + known);
  }
  const std::string question = near.question();
  return question.empty()
             ? fmt::format(": a clause's own variable is written this->{}", name)
             : ": " + question;
}

Result<std::string> MacroExpander::argument(const MacroReference& reference) {
  std::uint32_t number = 0;
  const std::string_view digits = reference.name;
  const bool is_too_large =
      std::from_chars(digits.data(), digits.data() + digits.size(), number).ec !=
      std::errc();
  if (!is_too_large && number < values_.arguments.size()) {
    const auto at = std::ranges::lower_bound(used_arguments_, number);
    if (at == used_arguments_.end() || *at != number) {
      used_arguments_.insert(at, number);
    }
    return values_.arguments[number];
  }
  if (values_.default_arguments || default_arguments_) {
    return std::string(reference.form == MacroForm::Text ? "" : "0");
  }
  return error(
      "macro argument {}{} is not defined: arguments stand behind the program on the "
      "command line, and with -x defaultargs those that are missing are 0 or \"\"",
      reference.form == MacroForm::Text ? "$$" : "$", digits);
}

}  // namespace kinst::d
