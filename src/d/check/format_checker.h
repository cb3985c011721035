// printf's and printa's formats against what is given to them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/text/diagnostic.h"
#include "d/typed/typed_program.h"
#include "record/format.h"
#include "types/type.h"

namespace kinst::d {

/// A value that a conversion may take.
struct FormatArgument {
  types::TypeId type{};
  record::Meaning meaning = record::Meaning::Value;
  Span span;
};

FormatArgument format_argument(const typed::Expression& value);

enum class FormatOf : std::uint8_t {
  Values,       ///< printf: every value has its conversion
  Aggregation,  ///< printa: the values are the keys, %@ is the aggregation's value;
                ///< keys may remain unused
};

/// A format and the action that was called with it.
struct FormatUse {
  std::string_view function;  ///< for messages
  std::string_view format;
  Span span;
  FormatOf of{};
};

/// Whether the arguments are what the format's conversions take. Tells what is wrong
/// with tags D_PRINTF_* and, of the format itself, D_SYNTAX.
bool check_format(const FormatUse& use, std::span<const FormatArgument> arguments,
                  const types::TypeTable& table, Diagnostics& diagnostics);

}  // namespace kinst::d
