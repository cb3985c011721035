// The widths of these columns are DTrace's on Linux, where trace() tells signed from
// unsigned integers of every size.
#include "consumer/trace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/overloaded.h"
#include "consumer/values/symbol_text.h"

namespace kinst::consumer {
namespace {

using record::Integer;
using record::Value;

// Digits of the largest value of each size, by its bytes.
int trace_width(const Integer& integer) {
  switch (integer.size_bytes) {
    case 1:
      return 3;
    case 2:
      return 5;
    case 4:
      return 10;
    default:
      return integer.is_signed ? 19 : 20;
  }
}

int key_width(const Integer& integer) {
  switch (integer.size_bytes) {
    case 1:
      return 3;
    case 2:
      return 5;
    case 4:
      return 8;
    default:
      return 16;
  }
}

void append_aligned(std::string& out, std::string_view text, int width) {
  fmt::format_to(std::back_inserter(out), "  {:<{}}", text, width);
}

std::string digits_of(const Integer& integer) {
  return integer.is_signed ? std::to_string(static_cast<std::int64_t>(integer.value))
                           : std::to_string(integer.value);
}

void append_integer(std::string& out, const Integer& integer, Columns columns) {
  const std::string digits = digits_of(integer);
  if (columns == Columns::Bare) {
    out += digits;
  } else {
    fmt::format_to(std::back_inserter(out), " {:>{}}", digits, trace_width(integer));
  }
}

// Signed or unsigned by its type; DTrace only looks at its size.
void append_key_integer(std::string& out, const Integer& integer) {
  fmt::format_to(std::back_inserter(out), " {:>{}}", digits_of(integer),
                 key_width(integer));
}

bool is_empty_text(const Value& value) {
  const auto* text = std::get_if<record::Text>(&value.data);
  return text != nullptr && text->text.empty();
}

// The characters of C's isprint() and isspace(), and the two control characters that a
// terminal obeys.
bool is_printable(std::byte byte) {
  const auto c = static_cast<char>(byte);
  return (c >= ' ' && c <= '~') || (c >= '\a' && c <= '\r');
}

void append_dump_line(std::string& out, std::size_t offset,
                      std::span<const std::byte> bytes) {
  constexpr std::size_t bytes_a_line = 16;
  auto end = std::back_inserter(out);
  fmt::format_to(end, "     {:5x}:", offset);
  for (const std::byte byte : bytes) {
    fmt::format_to(end, " {:02x}", static_cast<unsigned>(byte));
  }
  out.append(3 * (bytes_a_line - bytes.size()) + 2, ' ');
  for (const std::byte byte : bytes) {
    const auto c = static_cast<char>(byte);
    out += c < ' ' || c > '~' ? '.' : c;
  }
  out += '\n';
}

}  // namespace

void append_traced(std::string& out, const Naming& naming, const Value& value,
                   Columns columns) {
  constexpr int text_width = 33;
  constexpr int symbol_width = 50;
  const auto append_text = [&](std::string_view text) {
    if (columns == Columns::Bare) {
      out += text;
    } else {
      append_aligned(out, text, text_width);
    }
  };
  std::visit(
      Overloaded{
          [&](const Integer& integer) { append_integer(out, integer, columns); },
          [&](const record::Real& real) { append_text(fmt::format("{}", real.value)); },
          [&](const record::Text& text) { append_text(text.text); },
          [&](const record::Bytes& bytes) { append_dump(out, bytes.bytes); },
          [&](const record::Address& address) {
            append_aligned(out, symbol_text(naming.names, value.meaning, address),
                           symbol_width);
          },
          [&](const record::Frames& frames) {
            append_stack(out, naming.names, frames, naming.stack_indent);
          },
          [&](const record::ProbeKey& key) {
            const std::string text = probe_text(naming.names, value.meaning, key.key);
            if (record::is_number(value.meaning) && columns == Columns::Aligned) {
              fmt::format_to(std::back_inserter(out), " {:>10}", text);
            } else {
              append_text(text);
            }
          },
      },
      value.data);
}

void append_key(std::string& out, const Naming& naming, const Value& value) {
  constexpr int width = 50;
  if (const auto* integer = std::get_if<Integer>(&value.data)) {
    append_key_integer(out, *integer);
  } else if (const auto* key = std::get_if<record::ProbeKey>(&value.data)) {
    const std::string text = probe_text(naming.names, value.meaning, key->key);
    if (record::is_number(value.meaning)) {
      fmt::format_to(std::back_inserter(out), " {:>8}", text);
    } else {
      append_aligned(out, text, width);
    }
  } else if (std::holds_alternative<record::Address>(value.data) ||
             std::holds_alternative<record::Frames>(value.data)) {
    append_traced(out, naming, value, Columns::Aligned);
  } else if (is_empty_text(value)) {
    append_aligned(out, "", width);
  } else {
    append_bytes(out, value.bytes);
  }
}

void append_dump(std::string& out, std::span<const std::byte> bytes) {
  constexpr std::size_t bytes_a_line = 16;
  if (bytes.empty()) {
    return;
  }
  out +=
      "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  "
      "0123456789abcdef\n";
  for (std::size_t offset = 0; offset < bytes.size(); offset += bytes_a_line) {
    append_dump_line(
        out, offset,
        bytes.subspan(offset, std::min(bytes_a_line, bytes.size() - offset)));
  }
}

void append_bytes(std::string& out, std::span<const std::byte> bytes) {
  constexpr int width = 50;
  const auto text_end = std::ranges::find_if_not(bytes, is_printable);
  const bool ends_with_zeros =
      std::all_of(text_end, bytes.end(), [](std::byte b) { return b == std::byte{0}; });
  if (text_end == bytes.begin() || !ends_with_zeros) {
    append_dump(out, bytes);
    return;
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              static_cast<std::size_t>(text_end - bytes.begin()));
  append_aligned(out, text, width);
}

}  // namespace kinst::consumer
