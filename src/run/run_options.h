// The options of loading and running a compiled program.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "compile/compile.h"

namespace kinst::run {

/// What happens when the buffer for records is full.
enum class BufferPolicy : std::uint8_t {
  Switch,  ///< records are lost and counted
  Fill,    ///< tracing ends
  Ring,    ///< old records make room; what is left is printed at the end
};

struct RunOptions {
  BufferPolicy buffer_policy = BufferPolicy::Switch;  ///< bufpolicy
  bool resizes_buffer = true;                         ///< bufresize=auto
  /// switchrate: how long records are gathered; 0: they are taken as they come.
  std::chrono::nanoseconds switch_interval{0};
  /// statusrate: how often drops and exit() are looked for.
  std::chrono::nanoseconds status_interval = std::chrono::seconds(1);
  std::optional<int> only_cpu;      ///< cpu: the only one to trace on
  bool shows_verifier_log = false;  ///< bpflog
  /// bpflogsize: how much the verifier may write of each program.
  std::uint32_t verifier_log_bytes = 16U << 20U;
  /// expedite: some settings of the machine are changed for a while.
  bool expedites = true;
  bool leaves_user_addresses = false;  ///< noresolve: they get no symbols

  bool operator==(const RunOptions&) const = default;
};

/// Checks that each record of the program fits into the buffer.
/// Errors: a record does not fit. As in DTrace, a buffer that is too small for any
/// record is refused, even if it would be rounded up to a usable size; and a buffer
/// that is too large is made smaller only with bufresize=auto.
Result<void> check_buffer(const compile::Compilation& compilation,
                          const RunOptions& options);

/// Binds this process, and so BEGIN and END, to the CPU that the option cpu names. Does
/// nothing without that option. Errors: the CPU is not online.
Result<void> stay_on_cpu(const RunOptions& options);

}  // namespace kinst::run
