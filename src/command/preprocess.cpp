#include "command/preprocess.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/system/run_filter.h"

namespace kinst::command {
namespace {

// "-D__Linux_6_1_0_57_amd64": the system, as dtrace(1) defines it.
std::string system_definition(std::string_view release) {
  std::string definition = fmt::format("-D__Linux_{}", release);
  std::replace_if(
      definition.begin() + 2, definition.end(),
      [](char c) { return c == '.' || c == '-' || c == '+'; }, '_');
  return definition;
}

std::vector<std::string> arguments_of(const PreprocessorOptions& options,
                                      std::string_view release) {
  const std::string& program = options.program;
  std::vector<std::string> arguments = {program.substr(program.rfind('/') + 1),
                                        "-D__linux",
                                        "-D__unix",
                                        "-D__SVR4",
                                        "-D__SUNW_D=1",
                                        "-D__SUNW_D_VERSION=0x02000000",
                                        "-U__GNUC__",
                                        system_definition(release)};
  if (options.shows_included_files) {
    arguments.emplace_back("-H");
  }
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  arguments.emplace_back(options.c_conformance == 's' ? "-traditional-cpp"
                                                      : "-std=c99");
  // Under this name its messages speak of the text.
  arguments.emplace_back("/dev/stdin");
  return arguments;
}

}  // namespace

std::string running_release() {
  utsname names{};
  uname(&names);
  return names.release;
}

Result<std::string> preprocess(std::string_view text, std::string_view name,
                               const PreprocessorOptions& options,
                               std::string_view release) {
  if (text.starts_with("#!")) {
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  if (text.find('\0') != std::string_view::npos) {
    return std::string(text);  // no text: the lexer says so, cpp would print it all
  }
  auto out = run_filter(options.program, arguments_of(options, release), text);
  if (!out) {
    return tl::unexpected(in_context(
        "-C needs the C preprocessor (Debian's package cpp, or -x cpppath=PROGRAM)",
        out.error()));
  }
  if (out->exit_status != 0) {
    return error("failed to compile {}: Preprocessor failed to process input program",
                 name);
  }
  return std::move(out->output);
}

}  // namespace kinst::command
