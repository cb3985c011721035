// Stops processes for a moment when their code changes, so that probes can be attached
// before the new code runs.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/system/file_descriptor.h"
#include "base/system/survivor.h"
#include "bpf/attach/attachment.h"
#include "bpf/load/load.h"
#include "bpf/load/map.h"
#include "bpf/load/ring_buffer.h"
#include "user/evaltime.h"

namespace kinst::run {

/// Why a process was stopped.
enum class StopReason : std::uint8_t {
  ExecutedByOther,  ///< another thread than its first has executed a program
  Executed,         ///< its first thread has executed a program
  Loaded,           ///< its dynamic linker has mapped or unmapped libraries
};

struct Stop {
  pid_t process = -1;
  StopReason reason{};
};

/// Stops processes from within the kernel:
///   - each process when another thread than its first has executed a program, before
///     the program's first instruction;
///   - a process that waits for libraries also when its first thread has executed a
///     program, and when its dynamic linker has mapped libraries, before any of their
///     code runs.
///
/// All threads of the process stay stopped until let_go(). The parent may be notified,
/// as of any stop. If this process dies, the stopped processes continue.
class ProcessStops {
 public:
  /// processes: maps each process to whether it waits for libraries. Processes to which
  /// this process may not send signals are ignored, and so are all after the first
  /// `most`.
  /// Errors: what the kernel refused.
  static Result<ProcessStops> start(const std::map<pid_t, bool>& processes);
  static constexpr std::size_t most = 64;

  ProcessStops(ProcessStops&&) noexcept = default;
  ProcessStops& operator=(ProcessStops&&) = delete;
  ProcessStops(const ProcessStops&) = delete;
  ProcessStops& operator=(const ProcessStops&) = delete;
  /// Lets the stopped processes continue.
  ~ProcessStops();

  /// Sets the place where the dynamic linker of a process that waits for libraries
  /// reports a change; the previous place is forgotten. Errors: the place cannot be
  /// probed.
  Result<void> set_linker(pid_t process, const user::LinkerPlace& place);

  /// Readable when a process has been stopped.
  [[nodiscard]] int descriptor() const { return records_.descriptor(); }
  /// The stops since the last call. Each process must be let go by let_go().
  std::vector<Stop> take();
  void let_go(pid_t process);

 private:
  struct Parts {
    bpf::Object object;
    bpf::RingBuffer records;
    bpf::MappedArray slots;
    std::vector<pid_t> processes;            ///< by slot
    std::vector<FileDescriptor> identities;  ///< by slot
    std::map<pid_t, std::size_t> linkers;    ///< indexes of their programs
    Survivor keeper;
  };
  explicit ProcessStops(Parts parts);

  bpf::Object object_;
  bpf::RingBuffer records_;
  bpf::MappedArray slots_;
  std::vector<pid_t> processes_;
  /// Process descriptors, which tell whether a process number still means the same
  /// process.
  std::vector<FileDescriptor> identities_;
  Survivor keeper_;  ///< lets stopped processes continue if this process dies
  bpf::OwnedAttachment executions_;
  std::map<pid_t, std::size_t> linkers_;
  std::map<pid_t, bpf::OwnedAttachment> loads_;
};

}  // namespace kinst::run
