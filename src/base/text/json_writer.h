// Writes JSON, value by value, on one line.
//
// RapidJSON's Writer would place the commas as well, and do no more for us: strings
// must show bytes that are no UTF-8 as U+FFFD and escape what terminals obey (0x7f to
// 0x9f), where it passes the first on or refuses them and leaves the second as they
// are; and it prints no long double.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kinst {

/// Appends one JSON value to a string. Members of objects are written as key() and a
/// value, or with member(); whatever begins must end before the writer goes (asserted).
class JsonWriter {
 public:
  /// out: takes the text; must outlive the writer.
  explicit JsonWriter(std::string& out) : out_(out) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;
  JsonWriter(JsonWriter&&) = delete;
  JsonWriter& operator=(JsonWriter&&) = delete;
  ~JsonWriter();

  void begin_object() { begin('{'); }
  void end_object() { end('{', '}'); }
  void begin_array() { begin('['); }
  void end_array() { end('[', ']'); }

  /// The name of the member whose value comes next.
  void key(std::string_view name);

  /// A string. Bytes that are no UTF-8 become U+FFFD, the replacement character;
  /// control characters are escaped, those of C1, too.
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool truth);
  /// A whole number, with all its digits.
  template <std::signed_integral Number>
  void value(Number number) {
    signed_number(number);
  }
  template <std::unsigned_integral Number>
  void value(Number number) {
    unsigned_number(number);
  }
  /// As many digits as tell the number from all others; null for infinities and NaN,
  /// which JSON does not have.
  template <std::floating_point Number>
  void value(Number number) {
    real_number(number);
  }
  /// What it holds, else null.
  template <typename Value>
  void value(const std::optional<Value>& held) {
    if (held) {
      value(*held);
    } else {
      null();
    }
  }
  void null();

  template <typename Value>
  void member(std::string_view name, const Value& held) {
    key(name);
    value(held);
  }
  /// A member that is left out if there is no text.
  void member_unless_empty(std::string_view name, std::string_view text) {
    if (!text.empty()) {
      member(name, text);
    }
  }

 private:
  void begin(char bracket);
  void end(char bracket, char closing);
  void separate();
  void begin_value();
  void signed_number(std::int64_t number);
  void unsigned_number(std::uint64_t number);
  void real_number(long double number);

  std::string& out_;
  std::string open_;      // the brackets of what has begun, outermost first
  bool is_first_ = true;  // nothing stands yet in the innermost of these
  bool has_key_ = false;  // a key waits for its value
};

/// Appends an object on a line of its own, {"type":…,…}. write_members: is given the
/// writer, and writes the members behind the type.
template <typename WriteMembers>
void append_json_line(std::string& out, std::string_view type,
                      WriteMembers write_members) {
  {
    JsonWriter json(out);
    json.begin_object();
    json.member("type", type);
    write_members(json);
    json.end_object();
  }
  out += '\n';
}

}  // namespace kinst
