#include "base/text/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "base/text/utf8.h"

namespace kinst {
namespace {

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20U || c == '\x7f') {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}",
                       static_cast<unsigned char>(c));
      } else {
        out += c;
      }
      break;
  }
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 1) {
      append_escaped(out, text.front());
    } else if (length == 0) {
      out += "\xef\xbf\xbd";
    } else if (length == 2 && text[0] == '\xc2' &&
               static_cast<unsigned char>(text[1]) < 0xa0U) {
      // Control characters beyond ASCII, which terminals obey, too.
      fmt::format_to(std::back_inserter(out), "\\u{:04x}",
                     static_cast<unsigned char>(text[1]));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  out += '"';
}

}  // namespace

JsonWriter::~JsonWriter() {
  assert(open_.empty() && !is_first_);
}

// Puts a comma in front of all members or elements but the first.
void JsonWriter::separate() {
  assert(is_first_ || !open_.empty());  // outside of brackets there is one value
  if (!std::exchange(is_first_, false)) {
    out_ += ',';
  }
}

void JsonWriter::key(std::string_view name) {
  assert(open_.ends_with('{') && !has_key_);
  separate();
  append_string(out_, name);
  out_ += ':';
  has_key_ = true;
}

// In an object the comma stands in front of the key.
void JsonWriter::begin_value() {
  assert(open_.ends_with('{') == has_key_);
  if (!std::exchange(has_key_, false)) {
    separate();
  }
}

void JsonWriter::begin(char bracket) {
  begin_value();
  out_ += bracket;
  open_ += bracket;
  is_first_ = true;
}

void JsonWriter::end(char bracket, char closing) {
  assert(open_.ends_with(bracket) && !has_key_);
  open_.pop_back();
  out_ += closing;
  is_first_ = false;
}

void JsonWriter::value(std::string_view text) {
  begin_value();
  append_string(out_, text);
}

void JsonWriter::value(bool truth) {
  begin_value();
  out_ += truth ? "true" : "false";
}

void JsonWriter::null() {
  begin_value();
  out_ += "null";
}

void JsonWriter::signed_number(std::int64_t number) {
  begin_value();
  fmt::format_to(std::back_inserter(out_), "{}", number);
}

void JsonWriter::unsigned_number(std::uint64_t number) {
  begin_value();
  fmt::format_to(std::back_inserter(out_), "{}", number);
}

void JsonWriter::real_number(long double number) {
  if (!std::isfinite(number)) {
    null();
    return;
  }
  begin_value();
  fmt::format_to(std::back_inserter(out_), "{}", number);
}

}  // namespace kinst
