// printf's and printa's format strings: text with conversions in it. The checker asks
// what each conversion takes, the consumer fills them in (consumer/printf.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "record/layout.h"
#include "types/type.h"

namespace kinst::record {

/// How a conversion's argument becomes text.
enum class Style : std::uint8_t {
  Percent,           ///< %%, takes nothing
  Signed,            ///< %hd, %ld, %lld and with 'i'
  Unsigned,          ///< %o, %u, %x, %X, %p, with and without sizes
  BySign,            ///< %d: signed or unsigned as the argument's type is
  Floating,          ///< %e, %f, %g, …
  Character,         ///< %c
  WideCharacter,     ///< %lc, %wc
  EscapedCharacter,  ///< %C
  String,            ///< %s
  WideString,        ///< %ls, %ws
  EscapedString,     ///< %S
  KernelAddress,     ///< %a: module`symbol+0x1c
  UserAddress,       ///< %A
  Stack,             ///< %k
  Time,              ///< %Y: 1973 Dec  3 17:20:00
  MailTime,          ///< %T: as in RFC 822
};

/// What a conversion takes.
enum class Argument : std::uint8_t {
  Nothing,
  Integer,
  SmallInteger,  ///< no larger than int
  Short,
  SignedShort,
  UnsignedShort,
  Int,
  Long,
  SignedLong,
  UnsignedLong,
  Float,
  LongDouble,
  Address,
  KernelAddress,  ///< an address, or what sym(), func() or mod() give
  UserAddress,    ///< an address, or what uaddr(), usym(), ufunc() or umod() give
  String,
  WideString,
  Stack,
  Time,
};

/// A row of the table of conversions.
struct Conversion {
  std::string_view name;  ///< without '%' and flags: "d", "llx", "Y"
  Style style{};
  Argument argument{};
  char letter = '\0';  ///< C's conversion that prints it
};

/// The largest width or precision: wider than any sensible output, and no strain on
/// memory.
inline constexpr std::uint32_t largest_width = 1U << 24;

/// A conversion in a format string, and the text before it.
struct Directive {
  std::string text;
  /// Null only in the last directive of a format that ends with text.
  const Conversion* conversion = nullptr;
  bool alternate = false;    ///< '#'
  bool zero_pad = false;     ///< '0'
  bool left = false;         ///< '-'
  bool plus = false;         ///< '+'
  bool space = false;        ///< ' '
  bool group = false;        ///< '\'', thousands as the locale has them
  bool aggregation = false;  ///< '@': of an aggregation's value
  bool dynamic_width = false;
  bool dynamic_precision = false;
  std::uint32_t width = 0;
  std::optional<std::uint32_t> precision;
};

using Format = std::vector<Directive>;

/// Why a string is not a valid format: one sentence for a diagnostic.
struct FormatFault {
  std::string message;
  std::size_t offset = 0;  ///< of the conversion's '%'
};

/// Splits a format string.
/// Source: the DTrace guide, "Output Formatting"; flags combine as in its command.
tl::expected<Format, FormatFault> parse_format(std::string_view text);

/// An argument that a format requires. wanted_arguments() returns them in the order in
/// which a call passes them.
struct WantedArgument {
  enum class Role : std::uint8_t {
    Width,        ///< an integer, for '*'
    Precision,    ///< an integer, for ".*"
    Value,        ///< what `argument` says
    Aggregation,  ///< an aggregation's value; no argument is given for it
  };
  Role role{};
  Argument argument{};
  /// Which conversion of the format, counted from 1 with "%%", for messages.
  std::size_t directive = 0;
  const Conversion* conversion = nullptr;
};

std::vector<WantedArgument> wanted_arguments(const Format& format);

/// Whether a value may be passed where `argument` is required.
/// meaning: the value's meaning in a record; stacks and symbols have meanings of their
/// own.
bool accepts(Argument argument, const types::TypeTable& table, types::TypeId type,
             Meaning meaning);

/// For a diagnostic: "char, short or int".
std::string_view describe(Argument argument);

}  // namespace kinst::record
