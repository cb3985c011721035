#include "d/syntax/descriptions.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "d/syntax/characters.h"

namespace kinst::d {

namespace {

// The fields from left to right, quotes taken off and macros replaced.
Result<std::vector<std::string>> split_fields(std::string_view text,
                                              MacroExpander& macros) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '$' && !is_quoted) {
      const MacroReference reference = read_macro_reference(text.substr(at));
      fields.back() += KINST_TRY(macros.expand(reference));
      at += reference.length;
      continue;
    }
    if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ':' && !is_quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
    ++at;
  }
  if (is_quoted) {
    return error("a quote does not end");
  }
  return fields;
}

// What a text may have that ends with the field.
std::string_view most_fields(DescriptionField last) {
  switch (last) {
    case DescriptionField::Provider:
      return "-P takes a provider alone";
    case DescriptionField::Module:
      return "-m takes no more than provider:module";
    case DescriptionField::Function:
      return "-f takes no more than provider:module:function";
    case DescriptionField::Name:
      return "there are no more than four: provider:module:function:name";
  }
  return "";
}

std::string quoted_as_needed(const std::string& field) {
  constexpr std::string_view plain = "-._?*\\[]!`@=+";
  const bool is_plain = std::ranges::all_of(field, [&](char c) {
    return is_name_part(c) || plain.find(c) != std::string_view::npos ||
           static_cast<unsigned char>(c) >= 0x80;
  });
  return is_plain ? field : "\"" + field + "\"";
}

}  // namespace

Result<Description> parse_description(std::string_view text, DescriptionField last,
                                      MacroExpander& macros) {
  if (text.empty()) {
    return error("the description is empty");
  }
  std::vector<std::string> fields = KINST_TRY(split_fields(text, macros));
  const std::size_t most = static_cast<std::size_t>(last) + 1;
  if (fields.size() > most) {
    const bool has_line =
        text.substr(0, text.rfind(':')).find('@') != std::string_view::npos;
    return error("it has {} fields, and {}{}", fields.size(), most_fields(last),
                 has_line ? "; a line is written in quotes, \"@FILE:LINE\"" : "");
  }
  Description description{.span = {},
                          .provider = {},
                          .module = {},
                          .function = {},
                          .name = {},
                          .fields_given = static_cast<std::uint8_t>(fields.size())};
  const std::array<std::string*, 4> places = {&description.provider,
                                              &description.module,
                                              &description.function, &description.name};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    *places.at(most - fields.size() + i) = std::move(fields[i]);
  }
  return description;
}

std::string to_text(const Description& description) {
  return quoted_as_needed(description.provider) + ":" +
         quoted_as_needed(description.module) + ":" +
         quoted_as_needed(description.function) + ":" +
         quoted_as_needed(description.name);
}

}  // namespace kinst::d
