#include "command/options/parse_command_line.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace kinst::command {
namespace {

using Words = std::vector<std::string>;

tl::expected<CommandLine, CommandLineError> parse(Words words) {
  words.insert(words.begin(), "/usr/sbin/kinst");
  return parse_command_line(words, {});
}

// The message and the status of a refusal.
std::string refusal(Words words) {
  const auto parsed = parse(std::move(words));
  if (parsed) {
    return "";
  }
  return fmt::format("{} ({}{})", parsed.error().message, parsed.error().exit_status,
                     parsed.error().names_help ? ", help" : "");
}

TEST(CommandLine, KeepsProgramsInOrderWithTheirFields) {
  const auto line = parse({"-n", "BEGIN", "-s", "a.d", "-mext4", "-P", "kinst", "-f",
                           "vfs_read{trace(1)}", "-i", "7"});
  ASSERT_TRUE(line.has_value());
  std::string programs;
  for (const ProgramArgument& one : line->programs) {
    programs += fmt::format("{}{}:{} ", one.is_file ? "file " : "", one.text,
                            static_cast<int>(one.last_field));
  }
  EXPECT_EQ(programs, "BEGIN:3 file a.d:3 ext4:1 kinst:0 vfs_read{trace(1)}:2 7:3 ");
}

TEST(CommandLine, TakesWordsThatAreNoOptionsAsMacroArguments) {
  const auto line = parse({"one", "-qn", "BEGIN", "-", "two", "--", "-e", "--vm"});
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->arguments, (Words{"one", "-", "two", "-e", "--vm"}));
  EXPECT_TRUE(line->settings.output.quiet);
  EXPECT_FALSE(line->only_compiles);
  EXPECT_EQ(line->command, "kinst");
}

TEST(CommandLine, SetsOptionsOfD) {
  const auto line =
      parse({"-xquiet=off", "-x", "strsize=1k", "-b", "2m", "-wFZC", "-DA=1", "-I",
             "/x", "-O", "json", "-L/lib", "-Xs", "-nBEGIN"});
  ASSERT_TRUE(line.has_value());
  Settings expected;
  expected.string_size = 1024 + 1;
  expected.compilation.storage.buffer_size = 2U << 20U;
  expected.compilation.check.destructive = true;
  expected.compilation.unmatched = compile::Unmatched::IsAllowed;
  expected.output.flow_indent = true;
  expected.output.format = consumer::OutputFormat::Json;
  expected.runs_preprocessor = true;
  expected.preprocessing.arguments = {"-DA=1", "-I/x"};
  expected.preprocessing.c_conformance = 's';
  expected.libraries.folders = {"/lib"};
  EXPECT_EQ(line->settings, expected);
}

TEST(CommandLine, ReadsTheRest) {
  const auto line =
      parse({"-evS", "-oout", "-c", "ls -l", "-n", "BEGIN", "--vm=/boot/vmlinuz",
             "--vm-file", "/a", "--vm-file=/b", "--intel", "-64"});
  ASSERT_TRUE(line.has_value());
  EXPECT_TRUE(line->only_compiles && line->is_verbose && line->settings.shows_code);
  EXPECT_EQ(line->output_path, "out");
  EXPECT_EQ(line->target_commands, (Words{"ls -l"}));
  EXPECT_EQ(line->guest->image, "/boot/vmlinuz");
  EXPECT_EQ(line->guest_files, (Words{"/a", "/b"}));
  EXPECT_EQ(line->syntax, isa::Syntax::Intel);
  EXPECT_EQ(line->mode, Mode::Trace);
  EXPECT_EQ(parse({"-p", "12", "-p13", "-n", "BEGIN"})->processes,
            (std::vector<pid_t>{12, 13}));
}

TEST(CommandLine, KnowsItsModes) {
  EXPECT_EQ(parse({"-l"})->mode, Mode::List);
  EXPECT_TRUE(parse({"-l"})->settings.compilation.unmatched ==
              compile::Unmatched::IsAllowed);
  EXPECT_EQ(parse({"-V"})->mode, Mode::Version);
  EXPECT_EQ(parse({"-h"})->mode, Mode::Help);
  EXPECT_EQ(parse({"--help", "-n", "BEGIN"})->mode, Mode::Help);
  EXPECT_EQ(parse({"--disas", "vfs_read"})->mode, Mode::Disassemble);
  EXPECT_EQ(parse({"--annotate=vfs_read"})->functions, "vfs_read");
}

// What --vm gives to the command in the machine; the texts of programs as "<NUMBER>".
Words in_guest(const std::vector<std::string>& words) {
  Words out;
  const auto line = parse(words);
  for (const GuestWord& word : line->guest_words) {
    out.push_back(word.text);
    if (word.program) {
      out.push_back(fmt::format("<{}>", *word.program));
    }
  }
  return out;
}

TEST(CommandLine, LeavesToTheGuestWhatIsNotSeenToHere) {
  EXPECT_EQ(in_guest({"--vm", "-qo", "file", "-n", "BEGIN", "-sa.d", "-xstrsize=8",
                      "-c", "a -o b", "one"}),
            (Words{"-q", "-n", "<0>", "-s", "<1>", "-x", "strsize=8", "-c", "a -o b",
                   "one"}));
  EXPECT_EQ(in_guest({"--vm=x", "-CHn", "BEGIN", "-x", "cpp", "-DA=1", "-x", "stdc=c",
                      "--vm-file", "a", "--vm-file=b"}),
            (Words{"-n", "<0>"}));
  EXPECT_EQ(in_guest({"--annotate", "f", "--html", "page", "--vm", "--intel"}),
            (Words{"--annotate=f", "--html-source", "--intel"}));
  EXPECT_EQ(in_guest({"-n", "BEGIN", "--vm", "--", "-o", "--vm"}),
            (Words{"-n", "<0>", "--", "-o", "--vm"}));
  EXPECT_EQ(in_guest({"--vm", "-c", "", "-c", "--vm", "-n", "--"}),
            (Words{"-c", "", "-c", "--vm", "-n", "<0>"}));
}

TEST(CommandLine, RefusesWhatIsWrong) {
  EXPECT_EQ(refusal({}), " (2)");
  EXPECT_EQ(refusal({"-y"}), "invalid option -- 'y' (2, help)");
  EXPECT_EQ(refusal({"-n"}), "option requires an argument -- 'n' (2, help)");
  EXPECT_EQ(refusal({"--vmm"}), "unknown option --vmm: did you mean --vm? (2, help)");
  EXPECT_EQ(refusal({"--help=x"}), "option --help takes no value (2, help)");
  EXPECT_EQ(refusal({"--disas"}), "option --disas requires an argument (2, help)");
  EXPECT_EQ(
      refusal({"-lV"}),
      "only one of the options -G, -h, -l, -V, --disas and --annotate can be given "
      "(2)");
  EXPECT_EQ(refusal({"-q"}),
            "no probes specified: -n takes a description, -s a script (1)");
  EXPECT_EQ(refusal({"-p", "0x1", "-nBEGIN"}),
            "invalid pid: 0x1: -p takes a process's number (1)");
  EXPECT_EQ(refusal({"-b", "huge", "-nBEGIN"}),
            "failed to set -b huge: invalid value for the option: it takes a number "
            "of bytes, 1 or more; k, m, g and t behind it are units (1)");
  EXPECT_EQ(refusal({"--vm-file", "/a", "-nBEGIN"}),
            "--vm-file is for the virtual machine of --vm (2)");
  EXPECT_EQ(refusal({"--vm", "-p", "1", "-nBEGIN"}),
            "-p names a process of this machine; that of --vm has none of them (1)");
  EXPECT_EQ(refusal({"-h", "-nBEGIN"}),
            "-h: headers and objects for a program's own probes are not made here; "
            "systemtap's dtrace(1) makes them (1)");
  EXPECT_EQ(refusal({"-x", "foo=1"}),
            "failed to set -x foo=1: invalid option name (1)");
}

}  // namespace
}  // namespace kinst::command
