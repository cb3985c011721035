#include "command/guest_checks.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>

#include "base/system/find_program.h"
#include "base/system/run_filter.h"
#include "base/text/words.h"
#include "command/macro_values.h"
#include "command/program_texts.h"
#include "command/report.h"
#include "compile/compile.h"
#include "compile/libraries.h"
#include "compile/library_files.h"
#include "compile/match/system.h"
#include "run/target.h"

namespace kinst::command {
namespace {

namespace fs = std::filesystem;

// Whether the error may come from a type that this kernel lacks and the guest's may
// have.
bool may_be_a_type_there(const Diagnostic& one) {
  return one.message.find("unknown type") != std::string::npos ||
         one.message.find("expected a predicate or actions") != std::string::npos;
}

bool is_brought(const fs::path& program, std::span<const guest::File> files) {
  const fs::path wanted = fs::absolute(program).lexically_normal();
  return std::ranges::any_of(files, [&](const guest::File& file) {
    const fs::path inside = wanted.lexically_relative(file.destination);
    return !inside.empty() && *inside.begin() != "..";
  });
}

bool has_applet(const std::string& name) {
  const auto busybox = find_program("busybox");
  const auto listed = busybox
                          ? run_filter(busybox->native(), {busybox->native(), "--list"},
                                       {}, Complaints::Dropped)
                          : Result<FilterOutcome>();
  std::istringstream names(listed ? listed->output : std::string());
  for (std::string one; std::getline(names, one);) {
    if (one == name) {
      return true;
    }
  }
  return false;
}

// Folders in which the guest has its own programs.
bool is_usual_folder(const fs::path& folder) {
  return folder == "/bin" || folder == "/sbin" || folder == "/usr/bin" ||
         folder == "/usr/sbin";
}

}  // namespace

bool check_syntax(const CommandLine& line, std::vector<compile::ProgramText> texts) {
  compile::Libraries libraries(compile::find_libraries(line.settings.libraries).files,
                               static_cast<std::uint32_t>(texts.size()));
  d::MacroValues macros = macro_values(line);
  if (!line.target_commands.empty()) {
    macros.variables["target"] = 1;  // whichever it will be
  }
  compile::KernelCode code;
  compile::System system(code);
  Diagnostics diagnostics;
  static_cast<void>(compile::parse(texts, libraries, macros, system, diagnostics));
  if (!diagnostics.has_errors() ||
      !system.kernel_types.find(types::NameKind::Struct, "task_struct") ||
      std::ranges::any_of(diagnostics.all(), may_be_a_type_there)) {
    return true;
  }
  tell_diagnostics(diagnostics, sources_of(texts, libraries), line);
  return false;
}

Result<void> check_guest_command(const CommandLine& line,
                                 std::span<const guest::File> files) {
  if (line.target_commands.empty()) {
    return {};
  }
  const auto words = split_words(line.target_commands.front());
  if (!words || words->empty()) {
    return {};  // which is told as it is without --vm
  }
  const fs::path program = words->front();
  const bool is_path = program.has_parent_path();
  const std::string name = program.filename();
  const auto here = is_path ? std::optional(program) : find_program(name);
  std::error_code ignored;
  if (!here || !fs::exists(*here, ignored) || is_brought(*here, files)) {
    return {};
  }
  const bool is_usual = !is_path || is_usual_folder(program.parent_path());
  const bool comes_along = name == "cat" || name == "kinst" || has_applet(name);
  if (is_usual && comes_along) {
    return {};
  }
  return error(
      "the virtual machine has no {}, the command of -c: --vm-file {} puts it there",
      program.native(), here->native());
}

}  // namespace kinst::command
