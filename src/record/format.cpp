// A format string to its conversions. The flags, widths and sizes of a conversion may
// stand in any order, as in DTrace; only its last letter must be last.
#include "record/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace kinst::record {
namespace {

constexpr std::array conversions{
    Conversion{"%", Style::Percent, Argument::Nothing, '%'},
    Conversion{"a", Style::KernelAddress, Argument::KernelAddress, 's'},
    Conversion{"A", Style::UserAddress, Argument::UserAddress, 's'},
    Conversion{"c", Style::Character, Argument::SmallInteger, 'c'},
    Conversion{"C", Style::EscapedCharacter, Argument::SmallInteger, 's'},
    Conversion{"d", Style::BySign, Argument::Integer, 'd'},
    Conversion{"e", Style::Floating, Argument::Float, 'e'},
    Conversion{"E", Style::Floating, Argument::Float, 'E'},
    Conversion{"f", Style::Floating, Argument::Float, 'f'},
    Conversion{"g", Style::Floating, Argument::Float, 'g'},
    Conversion{"G", Style::Floating, Argument::Float, 'G'},
    Conversion{"hd", Style::Signed, Argument::SignedShort, 'd'},
    Conversion{"hi", Style::Signed, Argument::SignedShort, 'd'},
    Conversion{"ho", Style::Unsigned, Argument::UnsignedShort, 'o'},
    Conversion{"hu", Style::Unsigned, Argument::UnsignedShort, 'u'},
    Conversion{"hx", Style::Unsigned, Argument::Short, 'x'},
    Conversion{"hX", Style::Unsigned, Argument::Short, 'X'},
    Conversion{"i", Style::Signed, Argument::Integer, 'd'},
    Conversion{"k", Style::Stack, Argument::Stack, 's'},
    Conversion{"lc", Style::WideCharacter, Argument::Int, 'c'},
    Conversion{"ld", Style::Signed, Argument::SignedLong, 'd'},
    Conversion{"li", Style::Signed, Argument::SignedLong, 'd'},
    Conversion{"lo", Style::Unsigned, Argument::UnsignedLong, 'o'},
    Conversion{"lu", Style::Unsigned, Argument::UnsignedLong, 'u'},
    Conversion{"ls", Style::WideString, Argument::WideString, 's'},
    Conversion{"lx", Style::Unsigned, Argument::Long, 'x'},
    Conversion{"lX", Style::Unsigned, Argument::Long, 'X'},
    Conversion{"lld", Style::Signed, Argument::SignedLong, 'd'},
    Conversion{"lli", Style::Signed, Argument::SignedLong, 'd'},
    Conversion{"llo", Style::Unsigned, Argument::UnsignedLong, 'o'},
    Conversion{"llu", Style::Unsigned, Argument::UnsignedLong, 'u'},
    Conversion{"llx", Style::Unsigned, Argument::Long, 'x'},
    Conversion{"llX", Style::Unsigned, Argument::Long, 'X'},
    Conversion{"Le", Style::Floating, Argument::LongDouble, 'e'},
    Conversion{"LE", Style::Floating, Argument::LongDouble, 'E'},
    Conversion{"Lf", Style::Floating, Argument::LongDouble, 'f'},
    Conversion{"Lg", Style::Floating, Argument::LongDouble, 'g'},
    Conversion{"LG", Style::Floating, Argument::LongDouble, 'G'},
    Conversion{"o", Style::Unsigned, Argument::Integer, 'o'},
    Conversion{"p", Style::Unsigned, Argument::Address, 'x'},
    Conversion{"s", Style::String, Argument::String, 's'},
    Conversion{"S", Style::EscapedString, Argument::String, 's'},
    Conversion{"T", Style::MailTime, Argument::Time, 's'},
    Conversion{"u", Style::Unsigned, Argument::Integer, 'u'},
    Conversion{"wc", Style::WideCharacter, Argument::Int, 'c'},
    Conversion{"ws", Style::WideString, Argument::WideString, 's'},
    Conversion{"x", Style::Unsigned, Argument::Integer, 'x'},
    Conversion{"X", Style::Unsigned, Argument::Integer, 'X'},
    Conversion{"Y", Style::Time, Argument::Time, 's'},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_size(char c) {
  return c == 'h' || c == 'l' || c == 'L' || c == 'w';
}

constexpr std::string_view percent_cure = "%% prints a percent sign";

// The text as a program would write it.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  }
  return out;
}

// Reads one conversion, from behind its '%' up to behind its last letter.
class ConversionReader {
 public:
  ConversionReader(std::string_view text, std::size_t place, Directive& directive)
      : text_(text), place_(place), directive_(directive) {}

  // Nothing when all is well.
  std::optional<std::string> read() {
    while (place_ < text_.size()) {
      const char c = text_[place_++];
      if (c == '%' && place_ >= 2 && text_[place_ - 2] != '%') {
        return "'%%' takes no flags, width or precision";
      }
      if (is_digit(c)) {
        if (auto fault = read_digits(c)) {
          return fault;
        }
      } else if (is_size(c)) {
        name_ += c;
      } else if (c == '*' || c == '.' || c == '$') {
        if (auto fault = read_punctuation(c)) {
          return fault;
        }
      } else if (!read_flag(c)) {
        name_ += c;
        return look_up();
      }
    }
    return fmt::format("the format ends within a conversion; {}", percent_cure);
  }
  [[nodiscard]] std::size_t place() const { return place_; }

 private:
  bool read_flag(char c) {
    switch (c) {
      case '#':
        directive_.alternate = true;
        return true;
      case '+':
        directive_.plus = true;
        return true;
      case ' ':
        directive_.space = true;
        return true;
      case '\'':
        directive_.group = true;
        return true;
      case '@':
        directive_.aggregation = true;
        return true;
      case '-':
        directive_.left = true;
        return true;
      case '?':  // wide enough for an address
        directive_.width = 16;
        return true;
      default:
        return false;
    }
  }

  std::optional<std::string> read_digits(char first) {
    if (first == '0' && !has_point_ && !has_digits_) {
      directive_.zero_pad = true;
      return {};
    }
    std::uint64_t number = 0;
    for (--place_; place_ < text_.size() && is_digit(text_[place_]); ++place_) {
      number = std::min<std::uint64_t>(
          10 * number + static_cast<std::uint64_t>(text_[place_] - '0'),
          largest_width + 1);
    }
    if (number > largest_width) {
      return fmt::format("a width or precision is {} at the most", largest_width);
    }
    has_digits_ = true;
    const auto digits = static_cast<std::uint32_t>(number);
    if (has_point_) {
      directive_.precision = digits;
    } else {
      directive_.width = digits;
    }
    return {};
  }

  std::optional<std::string> read_punctuation(char c) {
    if (c == '$') {
      return "arguments cannot be chosen by position, as in '%1$d'";
    }
    if (c == '.') {
      has_digits_ = false;
      directive_.precision = 0;
      return std::exchange(has_point_, true)
                 ? std::optional<std::string>("it has more than one '.'")
                 : std::nullopt;
    }
    bool& dynamic =
        has_point_ ? directive_.dynamic_precision : directive_.dynamic_width;
    if (std::exchange(dynamic, true)) {
      return fmt::format("it has more than one '*' for its {}",
                         has_point_ ? "precision" : "width");
    }
    if (has_point_) {
      directive_.precision.reset();
    }
    return std::nullopt;
  }

  std::optional<std::string> look_up() {
    const auto* found = std::ranges::find(conversions, name_, &Conversion::name);
    if (found == conversions.end()) {
      return fmt::format("there is no conversion '%{}'; {}", escaped(name_),
                         percent_cure);
    }
    directive_.conversion = &*found;
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t place_;
  Directive& directive_;
  std::string name_;
  bool has_point_ = false;
  bool has_digits_ = false;
};

bool is_integer_of(const types::TypeTable& table, types::TypeId type,
                   std::uint64_t size_bytes) {
  return table.is_integer(type) && table.size_of(type) == size_bytes;
}

const types::Array* array_of(const types::TypeTable& table, types::TypeId type) {
  return std::get_if<types::Array>(&table.resolved(type));
}

bool is_character_array(const types::TypeTable& table, types::TypeId type) {
  const auto* array = array_of(table, type);
  const auto* element =
      array == nullptr ? nullptr
                       : std::get_if<types::Integer>(&table.resolved(array->element));
  return element != nullptr && element->is_character;
}

// The rules for plain values.
bool accepts_value(Argument argument, const types::TypeTable& table,
                   types::TypeId type) {
  const bool is_integer = table.is_integer(type);
  const bool is_signed = table.is_signed(type);
  switch (argument) {
    case Argument::Nothing:
    case Argument::Stack:
      return false;
    case Argument::Integer:
      return is_integer;
    case Argument::SmallInteger:
      return is_integer && table.size_of(type) <= 4U;
    case Argument::Short:
      return is_integer_of(table, type, 2);
    case Argument::SignedShort:
      return is_integer_of(table, type, 2) && is_signed;
    case Argument::UnsignedShort:
      return is_integer_of(table, type, 2) && !is_signed;
    case Argument::Int:
      return is_integer_of(table, type, 4) && is_signed;
    case Argument::Long:
    case Argument::Time:
      return is_integer_of(table, type, 8);
    case Argument::SignedLong:
      return is_integer_of(table, type, 8) && is_signed;
    case Argument::UnsignedLong:
      return is_integer_of(table, type, 8) && !is_signed;
    case Argument::Float:
      return std::holds_alternative<types::Float>(table.resolved(type));
    case Argument::LongDouble:
      return std::holds_alternative<types::Float>(table.resolved(type)) &&
             table.size_of(type) == 16U;
    case Argument::Address:
    case Argument::KernelAddress:
    case Argument::UserAddress:
      return is_integer || table.is_pointer(type);
    case Argument::String:
      return table.is_string(type) || is_character_array(table, type);
    case Argument::WideString: {
      const auto* array = array_of(table, type);
      return array != nullptr && is_integer_of(table, array->element, 4);
    }
  }
  return false;
}

}  // namespace

tl::expected<Format, FormatFault> parse_format(std::string_view text) {
  Format format;
  std::size_t place = 0;
  std::size_t percent = 0;
  while ((percent = text.find('%', place)) != std::string_view::npos) {
    Directive& directive = format.emplace_back();
    directive.text = text.substr(place, percent - place);
    ConversionReader reader(text, percent + 1, directive);
    if (auto fault = reader.read()) {
      return tl::unexpected(FormatFault{
          fmt::format("format conversion #{}: {}", format.size(), *fault), percent});
    }
    place = reader.place();
  }
  if (place < text.size()) {
    format.emplace_back().text = text.substr(place);
  }
  return format;
}

std::vector<WantedArgument> wanted_arguments(const Format& format) {
  using Role = WantedArgument::Role;
  std::vector<WantedArgument> wanted;
  std::size_t number = 0;
  for (const Directive& directive : format) {
    ++number;
    const auto add = [&](Role role, Argument argument) {
      wanted.push_back({role, argument, number, directive.conversion});
    };
    if (directive.conversion == nullptr ||
        directive.conversion->argument == Argument::Nothing) {
      continue;
    }
    if (directive.dynamic_width) {
      add(Role::Width, Argument::Integer);
    }
    if (directive.dynamic_precision) {
      add(Role::Precision, Argument::Integer);
    }
    add(directive.aggregation ? Role::Aggregation : Role::Value,
        directive.conversion->argument);
  }
  return wanted;
}

bool accepts(Argument argument, const types::TypeTable& table, types::TypeId type,
             Meaning meaning) {
  switch (form_of(meaning)) {
    case Form::Frames:
    case Form::UserFrames:
      return argument == Argument::Stack;
    case Form::Address:
      return argument == Argument::KernelAddress;
    case Form::UserAddress:
      return argument == Argument::UserAddress;
    case Form::Value:
    case Form::ProbeKey:
      return accepts_value(argument, table, type);
  }
  return false;
}

std::string_view describe(Argument argument) {
  switch (argument) {
    case Argument::Nothing:
      return "nothing";
    case Argument::Integer:
      return "char, short, int, long or long long";
    case Argument::SmallInteger:
      return "char, short or int";
    case Argument::Short:
      return "short or unsigned short";
    case Argument::SignedShort:
      return "short";
    case Argument::UnsignedShort:
      return "unsigned short";
    case Argument::Int:
      return "int";
    case Argument::Long:
      return "long or unsigned long";
    case Argument::SignedLong:
      return "long";
    case Argument::UnsignedLong:
      return "unsigned long";
    case Argument::Float:
      return "float, double or long double";
    case Argument::LongDouble:
      return "long double";
    case Argument::Address:
      return "pointer or integer";
    case Argument::KernelAddress:
      return "pointer, integer, or the result of sym(), func() or mod()";
    case Argument::UserAddress:
      return "pointer, integer, or the result of uaddr(), usym(), ufunc() or umod()";
    case Argument::String:
      return "string or char []";
    case Argument::WideString:
      return "wchar_t []";
    case Argument::Stack:
      return "the result of stack(), ustack() or jstack()";
    case Argument::Time:
      return "int64_t or uint64_t";
  }
  return "";
}

}  // namespace kinst::record
