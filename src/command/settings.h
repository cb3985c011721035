// D's options: -x on the command line, #pragma D option, setopt() while tracing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "command/preprocess.h"
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

/// Sets one option. Names and values are DTrace's: sizes with k, m, g, t; rates with ns
/// to day or hz; switches with yes/no, on/off and so on.
/// value: the text behind '='; nothing if there is no '='.
/// Errors: there is no such option (the message offers near names); the option cannot
/// have this value, or cannot be set at this moment; the option can have no meaning on
/// Linux, with the reason.
Result<void> set_option(Settings& settings, std::string_view name,
                        std::optional<std::string_view> value, SettingMoment moment);

/// Sets options from variables of the environment: those like DTRACE_OPT_BUFSIZE=1m,
/// and what TERM and _DTRACE_TESTING say of the output.
/// environment: strings "NAME=VALUE". Variables that name no option of kinst are
/// ignored.
/// Errors: the first error of set_option().
Result<void> set_from_environment(Settings& settings,
                                  const std::vector<std::string>& environment);

/// Whether a variable of the environment sets something here, so that the command in
/// the virtual machine of --vm needs it, too. variable: "NAME=VALUE".
bool is_for_guest(std::string_view variable);

/// What --vm does to an option of D.
enum class SettingInGuest : std::uint8_t {
  Passed,         ///< set in the guest
  Done,           ///< done before a program comes into the guest, and not set there
  FolderCarried,  ///< set in the guest, into which the folder that it names is copied
};

/// Nothing if there is no such option.
std::optional<SettingInGuest> setting_in_guest(std::string_view name);

/// The folders that are to be copied into the guest.
std::vector<std::string> folders_for_guest(const Settings& settings);

}  // namespace kinst::command
