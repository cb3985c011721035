// D's options: -x on the command line, #pragma D option, setopt() while tracing.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "user/evaltime.h"

namespace kinst::compile {

/// What happens when the buffer for records is full.
enum class BufferPolicy : std::uint8_t {
  Switch,  ///< records are lost and counted
  Fill,    ///< tracing ends
  Ring,    ///< old records make room; what is left is printed at the end
};

/// How far the command of -c has run when its probes are looked for.
using user::EvaluationTime;

/// The ways to trace the ends of kernel functions.
enum class FunctionWay : std::uint8_t {
  Fastest,
  Fentry,
  KprobeMulti,
  Breakpoint,
  Kprobe
};

struct Settings {
  // Options of compilation.
  bool allows_unused_arguments = false;      ///< argref
  bool default_arguments = false;            ///< defaultargs
  bool allows_empty_programs = false;        ///< empty
  bool shows_error_tags = false;             ///< errtags
  bool allows_unmatched = false;             ///< zdefs, -Z
  bool prefers_descriptions = false;         ///< pspec
  bool loads_libraries = true;               ///< nolibs
  std::string system_library_folder;         ///< syslibdir; empty: kinst's own
  std::vector<std::string> library_folders;  ///< libdir, -L
  bool shows_code = false;                   ///< verbose, -S
  EvaluationTime evaluation_time = EvaluationTime::Main;

  // Options of the C preprocessor.
  bool runs_preprocessor = false;                   ///< cpp, -C
  bool shows_included_files = false;                ///< cpphdrs, -H
  std::string preprocessor = "cpp";                 ///< cpppath
  std::vector<std::string> preprocessor_arguments;  ///< -D, -U, -I, cppargs, in order
  char c_conformance = 'a';                         ///< stdc, -X: a, c, s or t

  // Options of a run.
  bool destructive = false;                                        ///< -w
  std::uint64_t buffer_bytes = std::uint64_t{4} << 20U;            ///< bufsize, -b
  BufferPolicy buffer_policy = BufferPolicy::Switch;               ///< bufpolicy
  bool resizes_buffer = true;                                      ///< bufresize=auto
  std::uint64_t aggregation_bytes = std::uint64_t{4} << 20U;       ///< aggsize
  std::uint64_t dynamic_variable_bytes = std::uint64_t{1} << 20U;  ///< dynvarsize
  std::uint64_t string_bytes = 256;                                ///< strsize
  std::uint64_t scratch_bytes = 256;                               ///< scratchsize
  std::uint64_t speculations = 1;                                  ///< nspec
  std::uint64_t speculation_bytes = std::uint64_t{4} << 20U;       ///< specsize
  std::uint64_t stack_frames = 20;                                 ///< stackframes
  std::uint64_t user_stack_frames = 100;                           ///< ustackframes
  std::uint64_t java_stack_frames = 50;                            ///< jstackframes
  std::uint64_t java_stack_string_bytes = 512;                     ///< jstackstrsize
  std::uint64_t maximum_frames = 127;                              ///< maxframes
  std::chrono::nanoseconds status_interval = std::chrono::seconds(1);  ///< statusrate
  /// Changes to the environment of the command of -c, in order: NAME=VALUE for setenv,
  /// NAME for unsetenv.
  std::vector<std::string> target_environment;
  std::optional<std::uint64_t> cpu;  ///< the only one to trace on
  bool shows_verifier_log = false;   ///< bpflog
  std::uint64_t verifier_log_bytes = std::uint64_t{16} << 20U;  ///< bpflogsize
  bool leaves_addresses = false;  ///< noresolve: no symbols

  // Options that only kinst has.
  std::uint64_t most_probes = 10000;  ///< maxprobes: a description's; 0: no limit
  FunctionWay function_way = FunctionWay::Fastest;  ///< fbt
  bool expedites = true;  ///< expedite: by settings of the machine, for a while

  // Options of the output. setopt() may change them while tracing.
  bool quiet = false;        ///< -q
  bool flow_indent = false;  ///< -F
  bool raw_bytes = false;    ///< rawbytes
  bool drop_tags = false;    ///< droptags
  std::uint64_t stack_indent = 14;
  std::uint64_t print_bytes = 8192;  ///< printsize
  bool sorts_by_key = false;         ///< aggsortkey
  std::uint64_t sort_key_position = 0;
  std::uint64_t sort_position = 0;
  bool sorts_reversed = false;                       ///< aggsortrev
  bool packs_histograms = false;                     ///< aggpack
  bool zooms_histograms = false;                     ///< aggzoom
  bool heads_histograms = false;                     ///< agghist
  std::optional<bool> draws_in_ascii;                ///< encoding; else by the locale
  bool is_json = false;                              ///< oformat=json, -O json
  std::chrono::nanoseconds switch_interval{0};       ///< 0: as records come
  std::chrono::nanoseconds aggregation_interval{0};  ///< aggrate
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

/// Sets options from environment variables like DTRACE_OPT_BUFSIZE=1m.
/// environment: strings "NAME=VALUE". Variables that name no option of kinst are
/// ignored.
/// Errors: the first error of set_option().
Result<void> set_from_environment(Settings& settings,
                                  const std::vector<std::string>& environment);

}  // namespace kinst::compile
