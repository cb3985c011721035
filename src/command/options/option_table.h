// The table of the command's own options. The command line is read by it, the usage is
// written by it, and it says what --vm does to each option.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "command/options/command_line.h"
#include "d/syntax/ast.h"

namespace kinst::command::option {

enum class Takes : std::uint8_t {
  Nothing,
  Value,          ///< in the same word or the next
  OptionalValue,  ///< behind '=' only
};

// ---------------------------------------------------------------- what an option does

/// Sets one of D's options: -b SIZE is -x bufsize=SIZE.
struct SetsDOption {
  std::string_view name;
};
/// Sets the option of D that the value names: -x.
struct SetsNamedDOption {};
/// Adds the value as a program.
struct AddsProgram {
  bool is_file = false;
  d::DescriptionField last_field = d::DescriptionField::Name;
};
/// Chooses what the command does, to the functions that the value names if there is
/// one. Only one of these options can be given.
struct ChoosesMode {
  Mode mode = Mode::Trace;
  /// Why there is no such mode; empty if there is. -h is refused with programs only,
  /// as without it asks for help.
  std::string_view refusal;
};
/// Asks for help, whatever else is given.
struct AsksForHelp {};
struct SetsFlag {
  bool CommandLine::*member;
};
struct SetsText {
  std::optional<std::string> CommandLine::*member;
};
struct AddsText {
  std::vector<std::string> CommandLine::*member;
};
struct SetsSyntax {
  isa::Syntax syntax;
};
/// Does something else. Errors: the value is wrong.
struct Acts {
  tl::expected<void, CommandLineError> (*act)(CommandLine& line,
                                              const std::optional<std::string>& value);
};
/// Is refused.
struct Refuses {
  std::string_view reason;
};
using Effect =
    std::variant<SetsDOption, SetsNamedDOption, AddsProgram, ChoosesMode, AsksForHelp,
                 SetsFlag, SetsText, AddsText, SetsSyntax, Acts, Refuses>;

// ---------------------------------------------------------------- what --vm does to it

/// The command in the guest gets it as it is. Of D's options setting_in_guest() says
/// whether.
struct Passed {};
/// It is seen to on this machine.
struct Kept {};
/// The program's text goes into the guest, read and preprocessed here.
struct ProgramCarried {};
/// The command in the guest gets another option in its place, which takes no value.
struct Replaced {
  std::string_view word;
};
/// It cannot be given with --vm.
struct Unusable {
  std::string_view reason;
};
using InGuest = std::variant<Passed, Kept, ProgramCarried, Replaced, Unusable>;

// ---------------------------------------------------------------- the usage

/// How the usage shows it.
struct Usage {
  enum class Place : std::uint8_t {
    Nowhere,  ///< other options' lines speak of it, or nothing does
    Column,   ///< in the left or the right half of a line, as its turn is
    Joined,   ///< behind the option before it
    Line,     ///< a line for itself
  } place = Place::Nowhere;
  std::string_view synopsis;  ///< "-s FILE"
  std::string_view meaning;   ///< "run a script"
};

struct Row {
  char letter = '\0';     ///< zero: it has none
  std::string_view name;  ///< of the long option, without "--"; empty: it has none
  Takes takes = Takes::Nothing;
  Effect effect;
  InGuest in_guest;
  Usage usage;
};

/// All options, in the order of the usage. A row has a letter or a name.
std::span<const Row> rows();

/// "-s" or "--vm".
std::string spelled(const Row& row);

}  // namespace kinst::command::option
