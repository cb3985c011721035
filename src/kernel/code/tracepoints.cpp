// Lines of tracefs to values:
//
//     name: sys_enter_read
//     ID: 842
//     format:
//         field:char * buf;  offset:24;  size:8;  signed:0;
#include "kernel/code/tracepoints.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "base/system/tracefs.h"

namespace kinst::kernel {
namespace {

// Calls visit(line) for each line without its end.
template <typename Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    visit(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<std::uint64_t> to_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

// What stands between "KEY:" and the next ';'.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  line.remove_prefix(at + key.size());
  const std::size_t end = line.find(';');
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  return line.substr(0, end);
}

// "char comm[16]" is a type around a name; so are "__data_loc char[] name" and
// "const char * const * argv".
void take_apart(std::string_view declaration, TracepointField& field) {
  for (const auto& [word, form] :
       {std::pair{std::string_view("__data_loc "), FieldForm::DynamicFromStart},
        std::pair{std::string_view("__rel_loc "), FieldForm::DynamicFromHere}}) {
    if (declaration.starts_with(word)) {
      declaration.remove_prefix(word.size());
      field.form = form;
    }
  }
  std::string_view extent;
  if (declaration.ends_with(']')) {
    const std::size_t bracket = declaration.rfind('[');
    extent = declaration.substr(bracket);
    declaration = trimmed(declaration.substr(0, bracket));
    field.form = FieldForm::Bytes;
  }
  const std::size_t before_name = declaration.find_last_of(" *]");
  if (before_name == std::string_view::npos) {
    field.name = declaration;
    return;
  }
  field.name = declaration.substr(before_name + 1);
  field.type = trimmed(declaration.substr(0, before_name + 1));
  if (!extent.empty()) {
    field.type += fmt::format(" {}", extent);
  }
}

std::optional<TracepointField> parse_field(std::string_view line) {
  const auto declaration = value_of(line, "field:");
  const auto offset = value_of(line, "offset:");
  const auto size = value_of(line, "size:");
  const auto is_signed = value_of(line, "signed:");
  if (!declaration || !offset || !size || !is_signed) {
    return std::nullopt;
  }
  const auto offset_bytes = to_number(*offset);
  const auto size_bytes = to_number(*size);
  if (!offset_bytes || !size_bytes) {
    return std::nullopt;
  }
  TracepointField field;
  field.offset = static_cast<std::uint32_t>(*offset_bytes);
  field.size_bytes = static_cast<std::uint32_t>(*size_bytes);
  field.is_signed = *is_signed == "1";
  take_apart(trimmed(*declaration), field);
  const bool fits_register = field.size_bytes == 1 || field.size_bytes == 2 ||
                             field.size_bytes == 4 || field.size_bytes == 8;
  if (field.form == FieldForm::Integer && !fits_register) {
    field.form = FieldForm::Bytes;
  }
  return field;
}

}  // namespace

Result<TracepointFormat> parse_tracepoint_format(std::string_view text) {
  TracepointFormat format;
  std::string damaged;
  for_each_line(text, [&](std::string_view line) {
    line = trimmed(line);
    if (line.starts_with("ID:")) {
      format.id = to_number(trimmed(line.substr(3))).value_or(0);
    }
    if (!line.starts_with("field:")) {
      return;
    }
    auto field = parse_field(line);
    if (!field) {
      damaged = line;
    } else if (!field->name.starts_with("common_")) {
      format.fields.push_back(std::move(*field));
    }
  });
  if (!damaged.empty()) {
    return error("cannot understand the tracepoint field '{}'", damaged);
  }
  if (format.id == 0) {
    return error("cannot find the tracepoint's number in its format");
  }
  return format;
}

Result<std::vector<TracepointName>> list_tracepoints() {
  const auto tracefs = Tracefs::open();
  if (!tracefs) {
    return tl::unexpected(in_context("cannot list tracepoints", tracefs.error()));
  }
  const std::string text = KINST_TRY(tracefs->read("available_events"));
  std::vector<TracepointName> names;
  for_each_line(text, [&](std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      names.push_back({.system = std::string(line.substr(0, colon)),
                       .name = std::string(line.substr(colon + 1))});
    }
  });
  return names;
}

Result<TracepointFormat> read_tracepoint_format(const TracepointName& tracepoint) {
  const auto tracefs = Tracefs::open();
  if (!tracefs) {
    return tl::unexpected(
        in_context(fmt::format("cannot read what tracepoint {}:{} has",
                               tracepoint.system, tracepoint.name),
                   tracefs.error()));
  }
  const std::string text = KINST_TRY(tracefs->read(
      fmt::format("events/{}/{}/format", tracepoint.system, tracepoint.name)));
  return parse_tracepoint_format(text);
}

}  // namespace kinst::kernel
