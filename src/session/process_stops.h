// Processes that stand still for a moment because their code is about to be another.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "bpf/attachment.h"
#include "bpf/load.h"
#include "bpf/map.h"
#include "bpf/ring_buffer.h"

namespace kinst::session {

/// A child that lets processes go if this one dies.
struct Keeper {
  FileDescriptor life_line;  ///< a pipe; without a farewell its end is our death
  pid_t process = -1;
};

/// Stops processes, from within the kernel and before the first instruction of what
/// they execute, where a thread that is not their first executes a program. All of the
/// process stands still until it is let go; it cannot tell, but its parent may be told
/// of it as of any stop. Should this process die, what stands still is let go.
class ProcessStops {
 public:
  /// Processes that this one may not send signals to are left alone, and so are those
  /// behind the first `most`. Errors: what the kernel refused.
  static Result<ProcessStops> start(const std::set<pid_t>& processes);
  static constexpr std::size_t most = 64;

  ProcessStops(ProcessStops&&) noexcept = default;
  ProcessStops& operator=(ProcessStops&&) = delete;
  ProcessStops(const ProcessStops&) = delete;
  ProcessStops& operator=(const ProcessStops&) = delete;
  /// Lets go what stands still.
  ~ProcessStops();

  /// Readable when one has been stopped.
  [[nodiscard]] int descriptor() const { return records_.descriptor(); }
  /// Those that were stopped since the last time; each has to be let go.
  std::vector<pid_t> take();
  void let_go(pid_t process);

 private:
  struct Parts {
    bpf::Object object;
    bpf::RingBuffer records;
    bpf::MappedArray slots;
    std::vector<pid_t> processes;  ///< by slot
    Keeper keeper;
  };
  explicit ProcessStops(Parts parts);

  bpf::Object object_;
  bpf::RingBuffer records_;
  bpf::MappedArray slots_;
  std::vector<pid_t> processes_;
  Keeper keeper_;
  bpf::OwnedAttachment attachment_;
};

}  // namespace kinst::session
