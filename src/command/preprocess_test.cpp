#include "command/preprocess.h"

#include <gtest/gtest.h>

namespace kinst::command {
namespace {

// Without the markers that cpp puts between lines.
std::string without_markers(const std::string& text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (text[at] != '#' && text[at] != '\n') {
      out += text.substr(at, end - at);
    }
    at = end;
  }
  return out;
}

TEST(Preprocess, ReplacesMacrosOfTheTextAndOfTheCommandLine) {
  PreprocessorOptions options;
  options.arguments = {"-DPROBE=BEGIN", "-U__linux"};
  const Result<std::string> made = preprocess(
      "#!/usr/sbin/kinst -Cs\n#define TWO 2\n#ifdef __linux\nlinux\n#endif\n"
      "PROBE { trace(TWO); trace(__SUNW_D); }\n",
      "p.d", options, "6.1");
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(without_markers(*made), "BEGIN { trace(2); trace(1); }\n");
}

TEST(Preprocess, SaysThatTheProgramIsMissing) {
  PreprocessorOptions options;
  options.program = "/no/such/cpp";
  EXPECT_EQ(
      preprocess("", "p.d", options, "6.1").error().message,
      "-C needs the C preprocessor (Debian's package cpp, or -x cpppath=PROGRAM): "
      "cannot run /no/such/cpp: No such file or directory");
}

TEST(Preprocess, LeavesWhatIsNoTextToTheLexer) {
  const std::string binary("\177ELF\0\1", 6);
  EXPECT_EQ(preprocess(binary, "p.d", {}, "6.1"), binary);
}

TEST(Preprocess, FailsWithTheProgram) {
  testing::internal::CaptureStderr();
  const Result<std::string> made = preprocess("#error no\n", "script 'p.d'", {}, "6.1");
  testing::internal::GetCapturedStderr();
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().message,
            "failed to compile script 'p.d': Preprocessor failed to process input "
            "program");
}

}  // namespace
}  // namespace kinst::command
