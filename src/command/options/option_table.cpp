#include "command/options/option_table.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <system_error>

namespace kinst::command::option {
namespace {

using Outcome = tl::expected<void, CommandLineError>;
using Given = std::optional<std::string>;

// ---------------------------------------------------------------- values

template <typename Integer>
std::optional<Integer> read_whole(const std::string& text) {
  Integer number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

Outcome add_process(CommandLine& line, const Given& value) {
  const std::optional<pid_t> process = read_whole<pid_t>(*value);
  if (!process || *process <= 0) {
    return refuse(fmt::format("invalid pid: {}: -p takes a process's number", *value),
                  1);
  }
  line.processes.push_back(*process);
  return {};
}

Outcome set_output_descriptor(CommandLine& line, const Given& value) {
  const std::optional<int> descriptor = read_whole<int>(*value);
  if (!descriptor || *descriptor < 0) {
    return refuse("--output-descriptor takes a descriptor's number", 1);
  }
  line.output_descriptor = descriptor;
  return {};
}

Outcome request_guest(CommandLine& line, const Given& image) {
  line.guest = GuestRequest{.image = image};
  return {};
}

// -32 and -64 once chose D's data model.
Outcome refuse_32_bits(CommandLine& /*line*/, const Given& value) {
  return value == "2" ? refuse("-32: D's integers are those of this 64-bit kernel", 1)
                      : refuse_usage(fmt::format("invalid option -- '3{}'", *value));
}

Outcome accept_64_bits(CommandLine& /*line*/, const Given& value) {
  if (value != "4") {
    return refuse_usage(fmt::format("invalid option -- '6{}'", *value));
  }
  return {};
}

// ---------------------------------------------------------------- the table

using Place = Usage::Place;
using d::DescriptionField;

constexpr std::string_view of_own_probes =
    "headers and objects for a program's own probes are not made here; systemtap's "
    "dtrace(1) makes them";

constexpr std::array table = {
    Row{.letter = 'n',
        .takes = Takes::Value,
        .effect = AddsProgram{.last_field = DescriptionField::Name},
        .in_guest = ProgramCarried{},
        .usage = {Place::Line, "-n [[[PROVIDER:]MODULE:]FUNCTION:]NAME",
                  "-f, -m, -P: up to that field; -i ID\n"
                  "     kinst::FUNCTION:OFFSET is an instruction; without OFFSET every "
                  "instruction"}},
    Row{.letter = 'f',
        .takes = Takes::Value,
        .effect = AddsProgram{.last_field = DescriptionField::Function},
        .in_guest = ProgramCarried{}},
    Row{.letter = 'm',
        .takes = Takes::Value,
        .effect = AddsProgram{.last_field = DescriptionField::Module},
        .in_guest = ProgramCarried{}},
    Row{.letter = 'P',
        .takes = Takes::Value,
        .effect = AddsProgram{.last_field = DescriptionField::Provider},
        .in_guest = ProgramCarried{}},
    Row{.letter = 'i',
        .takes = Takes::Value,
        .effect = AddsProgram{.last_field = DescriptionField::Name},
        .in_guest = ProgramCarried{}},
    Row{.letter = 's',
        .takes = Takes::Value,
        .effect = AddsProgram{.is_file = true},
        .in_guest = ProgramCarried{},
        .usage = {Place::Column, "-s FILE", "run a script"}},
    Row{.letter = 'l',
        .effect = ChoosesMode{Mode::List},
        .usage = {Place::Column, "-l", "list matching probes, or a TYPE"}},
    Row{.letter = 'q',
        .effect = SetsDOption{"quiet"},
        .usage = {Place::Column, "-q", "print what is traced only"}},
    Row{.letter = 'o',
        .takes = Takes::Value,
        .effect = SetsText{&CommandLine::output_path},
        .in_guest = Kept{},
        .usage = {Place::Column, "-o FILE", "append the output to FILE"}},
    // check_guest_command() looks whether the guest has the command.
    Row{.letter = 'c',
        .takes = Takes::Value,
        .effect = AddsText{&CommandLine::target_commands},
        .usage = {Place::Column, "-c COMMAND", "run it and end with it"}},
    Row{.letter = 'p',
        .takes = Takes::Value,
        .effect = Acts{add_process},
        .in_guest = Unusable{"-p names a process of this machine; that of --vm has "
                             "none of them"},
        .usage = {Place::Column, "-p PID", "know its symbols, end with it"}},
    Row{.letter = 'w',
        .effect = SetsDOption{"destructive"},
        .usage = {Place::Column, "-w", "permit destructive actions"}},
    Row{.letter = 'Z',
        .effect = SetsDOption{"zdefs"},
        .usage = {Place::Column, "-Z", "permit what matches no probe"}},
    Row{.letter = 'x',
        .takes = Takes::Value,
        .effect = SetsNamedDOption{},
        .usage = {Place::Column, "-x OPT[=V]", "set an option of D"}},
    Row{.letter = 'b',
        .takes = Takes::Value,
        .effect = SetsDOption{"bufsize"},
        .usage = {Place::Column, "-b SIZE", "buffer for records"}},
    Row{.letter = 'F',
        .effect = SetsDOption{"flowindent"},
        .usage = {Place::Column, "-F", "indent entries and returns"}},
    Row{.letter = 'O',
        .takes = Takes::Value,
        .effect = SetsDOption{"oformat"},
        .usage = {Place::Column, "-O json", "one JSON object a line"}},
    Row{.letter = 'e',
        .effect = SetsFlag{&CommandLine::only_compiles},
        .usage = {Place::Column, "-e", "compile only"}},
    Row{.letter = 'v',
        .effect = SetsFlag{&CommandLine::is_verbose},
        .usage = {Place::Column, "-v", "tell more; with -l, arguments"}},
    Row{.letter = 'S',
        .effect = SetsDOption{"verbose"},
        .usage = {Place::Column, "-S", "print the code"}},
    Row{.letter = 'V',
        .name = "version",
        .effect = ChoosesMode{Mode::Version},
        .in_guest = Kept{},
        .usage = {Place::Column, "-V", "print the version"}},
    Row{.letter = 'C',
        .effect = SetsDOption{"cpp"},
        .usage = {Place::Column, "-C", "run cpp on scripts; for it:"}},
    Row{.letter = 'D',
        .takes = Takes::Value,
        .effect = SetsDOption{"define"},
        .usage = {Place::Column, "-D NAME[=V]", ""}},
    Row{.letter = 'U',
        .takes = Takes::Value,
        .effect = SetsDOption{"undef"},
        .usage = {Place::Joined, "-U NAME", ""}},
    Row{.letter = 'I',
        .takes = Takes::Value,
        .effect = SetsDOption{"incdir"},
        .usage = {Place::Joined, "-I PATH", ""}},
    Row{.letter = 'H',
        .effect = SetsDOption{"cpphdrs"},
        .usage = {Place::Joined, "-H", ""}},
    Row{.letter = 'X',
        .takes = Takes::Value,
        .effect = SetsDOption{"stdc"},
        .usage = {Place::Joined, "-X a|c|s|t", ""}},
    Row{.letter = 'L',
        .takes = Takes::Value,
        .effect = SetsDOption{"libdir"},
        .usage = {Place::Column, "-L PATH", "search D libraries there"}},
    Row{.letter = 'h',
        .effect = ChoosesMode{Mode::Help, of_own_probes},
        .in_guest = Kept{},
        .usage = {Place::Column, "-h, --help", "print this"}},
    Row{.name = "help", .effect = AsksForHelp{}, .in_guest = Kept{}},
    Row{.name = "vm",
        .takes = Takes::OptionalValue,
        .effect = Acts{request_guest},
        .in_guest = Kept{},
        .usage = {Place::Line, "--vm[=KERNEL]",
                  "run all of this in a throwaway virtual machine"}},
    Row{.name = "vm-file",
        .takes = Takes::Value,
        .effect = AddsText{&CommandLine::guest_files},
        .in_guest = Kept{},
        .usage = {Place::Line, "--vm-file PATH", "with this file or folder in it"}},
    Row{.name = "disas",
        .takes = Takes::Value,
        .effect = ChoosesMode{Mode::Disassemble},
        .usage = {Place::Line, "--disas FUNCTION,...",
                  "print functions with the offsets of their instructions"}},
    Row{.name = "annotate",
        .takes = Takes::Value,
        .effect = ChoosesMode{Mode::Annotate},
        .usage = {Place::Line, "--annotate FUNCTION",
                  "count a function's instructions; --html FILE for a page"}},
    Row{.name = "html",
        .takes = Takes::Value,
        .effect = SetsText{&CommandLine::html_path},
        .in_guest = Replaced{"--html-source"}},
    Row{.name = "html-source", .effect = SetsFlag{&CommandLine::prints_page_source}},
    Row{.name = "att",
        .effect = SetsSyntax{isa::Syntax::Att},
        .usage = {Place::Line, "--att, --intel", "how instructions are written"}},
    Row{.name = "intel", .effect = SetsSyntax{isa::Syntax::Intel}},
    // The guest's command writes to a descriptor of its own.
    Row{.name = "output-descriptor",
        .takes = Takes::Value,
        .effect = Acts{set_output_descriptor},
        .in_guest = Kept{}},
    Row{.letter = '3', .takes = Takes::Value, .effect = Acts{refuse_32_bits}},
    Row{.letter = '6', .takes = Takes::Value, .effect = Acts{accept_64_bits}},
    Row{.letter = 'a',
        .effect = Refuses{"anonymous tracing (-a) does not exist on Linux"}},
    Row{.letter = 'G', .effect = ChoosesMode{Mode::Help, of_own_probes}},
};

}  // namespace

std::span<const Row> rows() {
  return table;
}

std::string spelled(const Row& row) {
  return row.letter != '\0' ? fmt::format("-{}", row.letter)
                            : fmt::format("--{}", row.name);
}

}  // namespace kinst::command::option
