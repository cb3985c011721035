#include "provider/kernel/selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text/glob.h"
#include "base/text/near_names.h"
#include "isa/instruction_class.h"

namespace kinst::provider {
namespace {

// The whole text as a number, hexadecimal behind "0x"; nothing if it is none.
std::optional<std::uint32_t> parse_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  text.remove_prefix(hexadecimal ? 2 : 0);
  std::uint32_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(),
                                              value, hexadecimal ? 16 : 10);
  if (problem != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

bool is_offset_pattern(std::string_view text) {
  return is_glob(text) &&
         text.find_first_not_of("0123456789*?[]-!\\") == std::string_view::npos;
}

// "@456" or "@file.c:456", without the '@'.
Result<Selector> parse_line(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const bool has_file = colon != std::string_view::npos;
  const auto line = parse_number(has_file ? text.substr(colon + 1) : text);
  if (!line || *line == 0 || colon == 0) {
    return error("'@{}' is no source line: write @LINE or \"@FILE:LINE\"", text);
  }
  return OfSourceLine{.file = std::string(has_file ? text.substr(0, colon) : ""),
                      .line = *line};
}

// "call", "call@kfree"; nothing if it does not begin with a class's name.
std::optional<Selector> parse_class(std::string_view text) {
  const std::size_t at = std::min(text.find('@'), text.size());
  const auto instruction_class = isa::find_instruction_class(text.substr(0, at));
  if (!instruction_class) {
    return std::nullopt;
  }
  return OfClass{.instruction_class = *instruction_class,
                 .target_pattern = std::string(at < text.size() ? text.substr(at + 1)
                                                                : std::string_view{})};
}

// What others call these places: FreeBSD's and bpftrace's words, and the processor's.
struct OtherWord {
  std::string_view word;
  std::string_view name;
};
constexpr std::array other_words = {
    OtherWord{"ret", "return"},  OtherWord{"exit", "return"},
    OtherWord{"end", "return"},  OtherWord{"leave", "return"},
    OtherWord{"begin", "entry"}, OtherWord{"start", "entry"},
    OtherWord{"enter", "entry"}, OtherWord{"first", "entry"},
    OtherWord{"jmp", "jump"},    OtherWord{"jcc", "branch"},
    OtherWord{"read", "load"},   OtherWord{"write", "store"},
};

std::string expected(std::string_view name) {
  const auto* const other = std::ranges::find(other_words, name, &OtherWord::word);
  if (other != other_words.end()) {
    return fmt::format("did you mean '{}'?", other->name);
  }
  NearNames near(name);
  std::string classes;
  for (const isa::InstructionClassInfo& one : isa::all_instruction_classes()) {
    near.offer(one.name);
    // "return" alone is more than the class: FunctionReturn.
    if (one.instruction_class != isa::InstructionClass::Return) {
      classes += fmt::format("{}{}", classes.empty() ? "" : ", ", one.name);
    }
  }
  near.offer("entry");
  near.offer("inlined");
  const std::string question = near.question();
  return question.empty()
             ? fmt::format(
                   "an offset, a class ({}), entry, inlined, return, "
                   "=MNEMONIC, @LINE or, in quotes, \"@FILE:LINE\" is wanted",
                   classes)
             : question;
}

}  // namespace

Result<Selector> parse_selector(std::string_view name) {
  if (name.empty() || name == "*") {
    return EveryInstruction{};
  }
  if (const auto offset = parse_number(name)) {
    return AtOffset{FunctionOffset{*offset}};
  }
  if (is_offset_pattern(name)) {
    return OffsetPattern{std::string(name)};
  }
  if (name.front() == '=') {
    return OfMnemonic{std::string(name.substr(1))};
  }
  if (name.front() == '@') {
    return parse_line(name.substr(1));
  }
  if (name == "entry") {
    return FunctionEntry{};
  }
  if (name == "inlined") {
    return FunctionInlined{};
  }
  if (name == "return") {
    return FunctionReturn{};
  }
  if (const auto of_class = parse_class(name)) {
    return *of_class;
  }
  return error("'{}' names no instruction: {}", name, expected(name));
}

}  // namespace kinst::provider
