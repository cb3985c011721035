// Walks a format's directives and the values together.
#include "consumer/printf.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <ctime>
#include <optional>

#include "base/text/printable.h"
#include "consumer/values/symbol_text.h"

namespace kinst::consumer {
namespace {

using record::Address;
using record::Directive;
using record::Integer;
using record::Style;
using record::Value;

// The C library would translate these into the user's language; DTrace does not.
constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

std::tm local_time(std::uint64_t nanoseconds) {
  constexpr std::uint64_t nanoseconds_a_second = 1000000000;
  const auto seconds = static_cast<std::time_t>(nanoseconds / nanoseconds_a_second);
  std::tm time{};
  ::localtime_r(&seconds, &time);
  return time;
}

template <typename Table>
std::string_view entry(const Table& table, int place) {
  return table.at(static_cast<std::size_t>(place));
}

void append_escape(std::string& out, char c) {
  constexpr std::string_view plain = "\a\b\f\n\r\t\v\"\\";
  constexpr std::string_view letters = "abfnrtv\"\\";
  if (const std::size_t place = plain.find(c); place != std::string_view::npos) {
    out += '\\';
    out += letters[place];
  } else if (c == '\0') {
    out += "\\0";
  } else if (c >= ' ' && c <= '~') {
    out += c;
  } else {
    out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
}

void append_utf8(std::string& out, std::uint32_t character) {
  const auto continuation = [&](unsigned shift) {
    out += static_cast<char>(0x80U | (character >> shift & 0x3fU));
  };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0U | character >> 6U);
    continuation(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xe0U | character >> 12U);
    continuation(6);
    continuation(0);
  } else {
    out += static_cast<char>(0xf0U | (character >> 18U & 7U));
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

std::string wide_text(std::span<const std::byte> bytes) {
  std::string text;
  for (; bytes.size() >= sizeof(std::uint32_t);
       bytes = bytes.subspan(sizeof(std::uint32_t))) {
    std::uint32_t character = 0;
    std::memcpy(&character, bytes.data(), sizeof(character));
    if (character == 0) {
      break;
    }
    append_utf8(text, character);
  }
  return text;
}

// An integer value, or a number that belongs to the probe, as for %d of `id`.
std::optional<Integer> integer_of(Symbolizer& names, const Value& value) {
  if (const auto* integer = std::get_if<Integer>(&value.data)) {
    return *integer;
  }
  if (const auto* address = std::get_if<Address>(&value.data)) {
    return Integer{address->address, 8, false};
  }
  if (const auto* key = std::get_if<record::ProbeKey>(&value.data)) {
    const std::string text = probe_text(names, value.meaning, key->key);
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return Integer{number, 4, true};
  }
  return std::nullopt;
}

std::string text_of(Symbolizer& names, const Value& value) {
  if (const auto* text = std::get_if<record::Text>(&value.data)) {
    return std::string(text->text);
  }
  if (const auto* key = std::get_if<record::ProbeKey>(&value.data)) {
    return probe_text(names, value.meaning, key->key);
  }
  if (const auto* address = std::get_if<Address>(&value.data)) {
    return symbol_text(names, value.meaning, *address);
  }
  return {};
}

// %a and %A: an address, given as a number or by sym() and its relatives.
std::string address_of(Symbolizer& names, const Value& value, Style style) {
  if (const auto* address = std::get_if<Address>(&value.data)) {
    const bool is_module = value.meaning == record::Meaning::Module ||
                           value.meaning == record::Meaning::UserModule;
    return is_module ? symbol_text(names, value.meaning, *address)
                     : address_text(names, *address);
  }
  const auto number = integer_of(names, value);
  if (!number) {
    return {};
  }
  constexpr std::uint64_t target_process = 0;
  return address_text(names, Address{number->value, style == Style::UserAddress
                                                        ? std::optional(target_process)
                                                        : std::nullopt});
}

// %i is signed whatever its argument's type says (pfprint_sint of dt_printf.c).
std::int64_t with_sign(const Integer& integer) {
  const std::uint64_t unused_bits =
      integer.size_bytes >= 8 ? 0 : 64 - 8 * integer.size_bytes;
  return static_cast<std::int64_t>(integer.value << unused_bits) >> unused_bits;
}

std::uint64_t without_sign(const Integer& integer) {
  return integer.size_bytes >= 8
             ? integer.value
             : integer.value & ((std::uint64_t{1} << (8 * integer.size_bytes)) - 1);
}

void append_digits(std::string& out, const CFormat& format,
                   const record::Conversion& conversion, const Integer& integer) {
  const bool is_signed = conversion.style == Style::Signed ||
                         (conversion.style == Style::BySign && integer.is_signed);
  if (is_signed) {
    append_signed(out, format, conversion.letter, with_sign(integer));
  } else {
    append_unsigned(out, format, conversion.letter == 'd' ? 'u' : conversion.letter,
                    without_sign(integer));
  }
}

void append_frames(std::string& out, const Naming& naming, const CFormat& format,
                   const Value& value) {
  if (const auto* frames = std::get_if<record::Frames>(&value.data)) {
    const bool left = format.flags.find('-') != std::string::npos;
    append_stack(out, naming.names, *frames, left ? format.width : naming.stack_indent);
  }
}

void append_value(std::string& out, const Naming& naming, const CFormat& format,
                  const record::Conversion& conversion, const Value& value) {
  Symbolizer& names = naming.names;
  const auto safe = [&](std::string text) {
    return naming.escapes_controls ? printable(text, KeptControls::Lines) : text;
  };
  switch (conversion.style) {
    case Style::String:
      append_text(out, format, safe(text_of(names, value)));
      break;
    case Style::EscapedString:
      append_text(out, format, escaped(text_of(names, value)));
      break;
    case Style::WideString:
      append_text(out, format, safe(wide_text(value.bytes)));
      break;
    case Style::KernelAddress:
    case Style::UserAddress:
      append_text(out, format, address_of(names, value, conversion.style));
      break;
    case Style::Floating:
      if (const auto* real = std::get_if<record::Real>(&value.data)) {
        append_real(out, format, conversion.letter, real->value);
      }
      break;
    default:
      if (const auto integer = integer_of(names, value)) {
        const auto character = static_cast<char>(integer->value);
        if (conversion.style == Style::Character && naming.escapes_controls) {
          append_text(out, format, safe(std::string(1, character)));
        } else {
          append_integer(out, format, conversion, *integer);
        }
      }
      break;
  }
}

// The values of a format, taken one after the other.
class Arguments {
 public:
  Arguments(Symbolizer& names, std::span<const Value> values)
      : names_(names), values_(values) {}

  const Value* next() { return place_ < values_.size() ? &values_[place_++] : nullptr; }
  std::int64_t next_integer() {
    const Value* value = next();
    const auto integer = value == nullptr ? std::nullopt : integer_of(names_, *value);
    return integer ? static_cast<std::int32_t>(integer->value) : 0;
  }

 private:
  Symbolizer& names_;
  std::span<const Value> values_;
  std::size_t place_ = 0;
};

}  // namespace

void append_format(std::string& out, const Naming& naming, const record::Format& format,
                   std::span<const Value> values,
                   const AppendAggregation& aggregation) {
  Arguments arguments(naming.names, values);
  for (const Directive& directive : format) {
    out += directive.text;
    if (directive.conversion == nullptr) {
      continue;
    }
    if (directive.conversion->style == Style::Percent) {
      out += '%';
      continue;
    }
    const std::int64_t width =
        directive.dynamic_width ? arguments.next_integer() : directive.width;
    const std::optional<std::int64_t> precision =
        directive.dynamic_precision ? arguments.next_integer()
                                    : std::optional<std::int64_t>(directive.precision);
    const CFormat c = c_format(directive, width, precision);
    if (directive.aggregation) {
      if (aggregation) {
        aggregation(out, directive, c);
      }
      continue;
    }
    const Value* value = arguments.next();
    if (value == nullptr) {
      continue;
    }
    if (directive.conversion->style == Style::Stack) {
      append_frames(out, naming, c, *value);
    } else {
      append_value(out, naming, c, *directive.conversion, *value);
    }
  }
}

void append_integer(std::string& out, const CFormat& format,
                    const record::Conversion& conversion,
                    const record::Integer& integer) {
  const auto low_byte = static_cast<char>(integer.value);
  switch (conversion.style) {
    case Style::Character:
      append_character(out, format, low_byte);
      break;
    case Style::EscapedCharacter:
      append_text(out, format, escaped({&low_byte, 1}));
      break;
    case Style::WideCharacter: {
      std::string character;
      append_utf8(character, static_cast<std::uint32_t>(integer.value));
      append_text(out, format, character);
      break;
    }
    case Style::Time:
      append_text(out, format, time_text(integer.value));
      break;
    case Style::MailTime:
      append_text(out, format, mail_time_text(integer.value));
      break;
    default:
      append_digits(out, format, conversion, integer);
      break;
  }
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    append_escape(result, c);
  }
  return result;
}

std::string time_text(std::uint64_t nanoseconds) {
  const std::tm time = local_time(nanoseconds);
  return fmt::format("{:4} {} {:2} {:02}:{:02}:{:02}", time.tm_year + 1900,
                     entry(months, time.tm_mon), time.tm_mday, time.tm_hour,
                     time.tm_min, time.tm_sec);
}

// The year is that of the ISO week, as in DTrace; around New Year this is not RFC 822's
// year.
std::string mail_time_text(std::uint64_t nanoseconds) {
  const std::tm time = local_time(nanoseconds);
  std::array<char, 8> year{};
  std::strftime(year.data(), year.size(), "%G", &time);
  return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} {}", entry(days, time.tm_wday),
                     time.tm_mday, entry(months, time.tm_mon), year.data(),
                     time.tm_hour, time.tm_min, time.tm_sec, time.tm_zone);
}

}  // namespace kinst::consumer
