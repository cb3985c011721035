// The command line as dtrace(1) has it, with kinst's long options.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "d/ast.h"
#include "isa/isa.h"
#include "session/settings.h"

namespace kinst::session {

/// What the command is to do.
enum class Mode : std::uint8_t {
  Trace,
  List,         ///< -l
  Version,      ///< -V
  Help,         ///< --help, or -h without a program
  Disassemble,  ///< --disas
  Annotate,     ///< --annotate
};

/// A program as the command line gives it.
struct ProgramArgument {
  bool is_file = false;  ///< -s: `text` is a path
  std::string text;
  /// Which of -P, -m, -f, -n and -i it is.
  d::DescriptionField last_field = d::DescriptionField::Name;
};

/// --vm: run the command in a throwaway machine.
struct GuestRequest {
  std::optional<std::string> image;  ///< of the kernel; nothing: choose one
};

/// A word of the command line as --vm gives it to the command in the machine, or the
/// place of a program, which may have been read and preprocessed here.
struct GuestWord {
  std::string text;
  std::optional<std::size_t> program;  ///< its number
};

struct CommandLine {
  std::string command;  ///< what it was called by, without folders
  std::string path;     ///< what it was called by, $0 in -n texts
  Mode mode = Mode::Trace;
  std::vector<ProgramArgument> programs;  ///< in order
  std::vector<std::string> arguments;     ///< $1 and so on
  Settings settings;
  bool only_compiles = false;                ///< -e
  bool is_verbose = false;                   ///< -v
  std::optional<std::string> output_path;    ///< -o
  std::vector<pid_t> processes;              ///< -p
  std::vector<std::string> target_commands;  ///< -c
  std::string functions;                     ///< of --disas and --annotate
  isa::Syntax syntax = isa::Syntax::Att;     ///< --att, --intel
  std::optional<std::string> html_path;      ///< --html
  bool prints_page_source = false;           ///< --html-source, which --vm uses
  std::optional<GuestRequest> guest;
  std::vector<std::string> guest_files;  ///< --vm-file
  std::vector<GuestWord> guest_words;    ///< behind the command's name
  /// --output-descriptor, which --vm uses: as -o, but open already.
  std::optional<int> output_descriptor;
};

/// Why a command line is refused. The message is empty where the usage is the answer.
struct CommandLineError {
  std::string message;
  int exit_status = 2;
  bool names_help = false;  ///< the message is to be followed by how to get help
};

/// Reads the command line.
/// arguments: argv, the command's name first. Options may stand anywhere, together
/// (-qn), with their value in the next word, and be repeated; behind "--" all words are
/// macro arguments. settings: what the environment has set already.
tl::expected<CommandLine, CommandLineError> parse_command_line(
    const std::vector<std::string>& arguments, Settings settings);

/// How the command is called and its options, for a screen of 24 lines.
std::string usage(std::string_view command);

/// "kinst: kinst 0.1.0, D 2.0\n", as -V prints.
std::string version(std::string_view command);

}  // namespace kinst::session
