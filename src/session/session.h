// One invocation of the command: from program texts to an exit status.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "consumer/presentation.h"
#include "d/macros.h"
#include "session/compile.h"

namespace kinst::session {

enum class OutputForm : std::uint8_t { Text, Json };

/// What the command line and the program's pragmas ask for, validated.
struct Request {
  /// What the command calls itself: "kinst", "dtrace".
  std::string command = "kinst";
  std::vector<ProgramText> texts;
  d::MacroValues macros;
  std::optional<std::string> target_command;  ///< -c
  std::optional<std::string> output_path;     ///< -o
  CompileOptions compile;
  consumer::OutputOptions output;
  OutputForm form = OutputForm::Text;
  std::uint64_t speculation_bytes = 4096;
  std::chrono::nanoseconds switch_interval = std::chrono::seconds(1);
  std::size_t most_probes = 0;
  ShowTags tags = ShowTags::No;
  bool is_verbose = false;
  bool only_compiles = false;  ///< -e
  bool shows_code = false;     ///< -S
};

/// Compiles, traces until it is over, and prints. Everything that is said goes to
/// standard output and standard error as dtrace(1) does. Returns the exit status: 1 if
/// something was wrong, the program's exit() otherwise.
int run(Request request);

}  // namespace kinst::session
