// Processes that stand still for a moment because their code is about to be another.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "bpf/attachment.h"
#include "bpf/load.h"
#include "bpf/map.h"
#include "bpf/ring_buffer.h"
#include "user/stop_place.h"

namespace kinst::session {

/// A child that lets processes go if this one dies.
struct Keeper {
  FileDescriptor life_line;  ///< a pipe; without a farewell its end is our death
  pid_t process = -1;
};

/// Why a process stands still.
enum class StopReason : std::uint8_t {
  ExecutedByOther,  ///< a thread that is not its first executes a program
  Executed,         ///< its first thread does
  Loaded,           ///< its dynamic linker has mapped libraries, or unmapped some
};

struct Stop {
  pid_t process = -1;
  StopReason reason{};
};

/// Stops processes, from within the kernel: where a thread that is not their first
/// executes a program, before its first instruction; and where libraries are waited
/// for, at every such place and where the dynamic linker has loaded them, before any
/// code of theirs runs. All of the process stands still until it is let go; its parent
/// may be told of it as of any stop. Should this process die, what stands still is let
/// go.
class ProcessStops {
 public:
  /// processes: and whether libraries are waited for. Those that this process may not
  /// send signals to are left alone, and so are those behind the first `most`.
  /// Errors: what the kernel refused.
  static Result<ProcessStops> start(const std::map<pid_t, bool>& processes);
  static constexpr std::size_t most = 64;

  ProcessStops(ProcessStops&&) noexcept = default;
  ProcessStops& operator=(ProcessStops&&) = delete;
  ProcessStops(const ProcessStops&) = delete;
  ProcessStops& operator=(const ProcessStops&) = delete;
  /// Lets go what stands still.
  ~ProcessStops();

  /// Where the dynamic linker of a process is now, whose libraries are waited for; the
  /// place before is forgotten. Errors: it cannot be probed.
  Result<void> set_linker(pid_t process, const user::LinkerPlace& place);

  /// Readable when one has been stopped.
  [[nodiscard]] int descriptor() const { return records_.descriptor(); }
  /// What was stopped since the last time; each process has to be let go.
  std::vector<Stop> take();
  void let_go(pid_t process);

 private:
  struct Parts {
    bpf::Object object;
    bpf::RingBuffer records;
    bpf::MappedArray slots;
    std::vector<pid_t> processes;            ///< by slot
    std::vector<FileDescriptor> identities;  ///< by slot
    std::map<pid_t, std::size_t> linkers;    ///< their programs
    Keeper keeper;
  };
  explicit ProcessStops(Parts parts);

  bpf::Object object_;
  bpf::RingBuffer records_;
  bpf::MappedArray slots_;
  std::vector<pid_t> processes_;
  /// Tell whether a process is still the one that had its number at first.
  std::vector<FileDescriptor> identities_;
  Keeper keeper_;
  bpf::OwnedAttachment executions_;
  std::map<pid_t, std::size_t> linkers_;
  std::map<pid_t, bpf::OwnedAttachment> loads_;
};

}  // namespace kinst::session
