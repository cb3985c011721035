// printf's format strings and what is made of them: the first line is the format, the
// bytes behind it are the values.
#include <string>
#include <vector>

#include "consumer/printf.h"
#include "consumer/values/symbolizer_for_tests.h"
#include "fuzz/fuzz.h"
#include "record/format.h"

using kinst::fuzz::require;
using kinst::record::WantedArgument;

// A value for each argument, of what bytes there are.
static std::vector<kinst::record::Value> values_for(
    const std::vector<WantedArgument>& wanted, std::span<const std::byte>& bytes) {
  std::vector<kinst::record::Value> values;
  for (const WantedArgument& argument : wanted) {
    constexpr std::size_t most = 8;
    const auto taken = bytes.first(std::min(most, bytes.size()));
    bytes = bytes.subspan(taken.size());
    std::uint64_t number = 0;
    for (const std::byte byte : taken) {
      number = number << 8U | std::to_integer<std::uint64_t>(byte);
    }
    kinst::record::Value value{.bytes = taken};
    if (argument.role != WantedArgument::Role::Value) {
      // Wide enough to be wrong, narrow enough to be quick.
      value.data = kinst::record::Integer{number % 5000, 4, true};
    } else if (argument.argument == kinst::record::Argument::String) {
      value.data = kinst::record::Text{
          {reinterpret_cast<const char*>(taken.data()), taken.size()}};
    } else if (argument.argument == kinst::record::Argument::Stack) {
      value.data = kinst::record::Frames{{number, 7}, number};
    } else {
      value.data = kinst::record::Integer{number, 1U << number % 4, number % 2 == 0};
    }
    values.push_back(value);
  }
  return values;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = kinst::fuzz::text_of(data, size);
  const std::string_view written = text.substr(0, text.find('\n'));
  const auto format = kinst::record::parse_format(written);
  if (!format) {
    require(format.error().offset <= written.size());
    require(!format.error().message.empty());
    return 0;
  }
  std::size_t width = 0;
  for (const auto& directive : *format) {
    require(directive.width <= kinst::record::largest_width);
    require(directive.precision.value_or(0) <= kinst::record::largest_width);
    width += directive.width + directive.precision.value_or(0);
  }
  constexpr std::size_t quick = 100000;
  if (width > quick) {
    return 0;
  }
  auto rest = std::as_bytes(std::span(text.substr(written.size())));
  const auto values = values_for(wanted_arguments(*format), rest);
  kinst::consumer::TableOfNames names;
  std::string out;
  kinst::consumer::append_format(out, {.names = names, .escapes_controls = true},
                                 *format, values);
  return 0;
}
