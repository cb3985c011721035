// The command line as dtrace(1) has it, with kinst's long options.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "command/options/settings.h"
#include "d/syntax/ast.h"
#include "isa/isa.h"

namespace kinst::command {

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
  /// Which of -P, -m, -f, -n and -i gave it.
  d::DescriptionField last_field = d::DescriptionField::Name;

  bool operator==(const ProgramArgument&) const = default;
};

/// --vm: run the command in a throwaway machine.
struct GuestRequest {
  std::optional<std::string> image;  ///< the kernel to boot; nothing: choose one

  bool operator==(const GuestRequest&) const = default;
};

/// A word of the command line for the command in the virtual machine. A program is
/// passed by its number, because it may have been read and preprocessed on this
/// machine.
struct GuestWord {
  std::string text;
  /// An index of CommandLine::programs, which is the value of the option `text`.
  std::optional<std::size_t> program;

  bool operator==(const GuestWord&) const = default;
};

struct CommandLine {
  std::string command;  ///< argv[0] without folders
  std::string path;     ///< argv[0]; $0 in programs of -n
  Mode mode = Mode::Trace;
  std::vector<ProgramArgument> programs;  ///< in order
  std::vector<std::string> arguments;     ///< $1 and so on
  Settings settings;
  bool only_compiles = false;                ///< -e
  bool is_verbose = false;                   ///< -v
  std::optional<std::string> output_path;    ///< -o
  std::vector<pid_t> processes;              ///< -p
  std::vector<std::string> target_commands;  ///< -c
  std::string functions;                     ///< the argument of --disas or --annotate
  isa::Syntax syntax = isa::Syntax::Att;     ///< --att, --intel
  std::optional<std::string> html_path;      ///< --html
  bool prints_page_source = false;           ///< --html-source, which --vm uses
  std::optional<GuestRequest> guest;
  std::vector<std::string> guest_files;  ///< --vm-file
  std::vector<GuestWord> guest_words;    ///< argv[1] and so on, for the guest
  /// --output-descriptor, which --vm uses: an open descriptor in place of the file of
  /// -o.
  std::optional<int> output_descriptor;

  bool operator==(const CommandLine&) const = default;
};

/// Why a command line is refused. If the message is empty, the usage is to be printed
/// instead.
struct CommandLineError {
  std::string message;
  int exit_status = 2;
  bool names_help = false;  ///< print how to get help, too
};

/// For functions that return an expected value or a CommandLineError.
tl::unexpected<CommandLineError> refuse(std::string message, int exit_status);
/// The same for what is no command line, with status 2 and the way to get help.
tl::unexpected<CommandLineError> refuse_usage(std::string message);

}  // namespace kinst::command
