// D's options: -x on the command line, #pragma D option, setopt() while tracing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command/options/preprocessor_options.h"
#include "compile/compile.h"
#include "compile/library_files.h"
#include "consumer/output_options.h"
#include "run/run_options.h"
#include "user/evaltime.h"

namespace kinst::command {

/// What D's options set. Each stage's options stand in the struct that it takes, with
/// their defaults; only what belongs to no stage stands here by itself.
struct Settings {
  bool default_arguments = false;     ///< defaultargs
  bool shows_error_tags = false;      ///< errtags
  bool prefers_descriptions = false;  ///< pspec
  bool shows_code = false;            ///< verbose, -S
  /// strsize, and the zero byte: the size of D's type string.
  std::uint32_t string_size = 256 + 1;
  bool runs_preprocessor = false;  ///< cpp, -C
  PreprocessorOptions preprocessing;
  compile::LibraryOptions libraries;
  compile::CompileOptions compilation;
  /// evaltime: how far the command of -c has run when its probes are looked for.
  user::EvaluationTime evaluation_time = user::EvaluationTime::Main;
  /// Changes to the environment of the command of -c, in order: NAME=VALUE for setenv,
  /// NAME for unsetenv.
  std::vector<std::string> target_environment;
  run::RunOptions tracing;
  consumer::OutputOptions output;

  bool operator==(const Settings&) const = default;
};

/// Where an option is set. Each place may set fewer options than the place before it.
enum class SettingMoment : std::uint8_t { CommandLine, Pragma, Running };

/// What --vm does to an option of D.
enum class SettingInGuest : std::uint8_t {
  Passed,         ///< set in the guest
  Done,           ///< done before a program comes into the guest, and not set there
  FolderCarried,  ///< set in the guest, into which the folder that it names is copied
};

}  // namespace kinst::command
