// Probes in user programs, by the place in the file that holds their code.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/system/file_descriptor.h"
#include "bpf/attach/attachment.h"
#include "bpf/load/load.h"

namespace kinst::bpf {

struct UprobePlace {
  std::uint64_t file_offset = 0;  ///< bytes from the file's beginning
  std::uint64_t cookie = 0;       ///< what bpf_get_attach_cookie gives the program
  /// Where the file keeps a counter that is not 0 while someone traces (USDT); 0: none.
  std::uint32_t semaphore_offset = 0;
};

/// Which file's code is probed, and in which processes.
struct UprobeTarget {
  std::string path;    ///< of the program or library, as messages have it
  pid_t process = -1;  ///< with all its threads; -1: all processes
  /// A path to open it by while attaching, if it is another.
  std::string openable;

  [[nodiscard]] const std::string& path_to_open() const {
    return openable.empty() ? path : openable;
  }
};

/// What Program::expected_attach_type must be for places to be attached all at once.
inline constexpr std::uint32_t uprobe_multi_attach_type = 48;

/// Whether this kernel (6.6 and later) attaches uprobes all at once, found out by
/// trying.
bool uprobe_multi_available();

/// A probe that the kernel refused, and why.
struct RefusedUprobe {
  std::size_t index = 0;
  std::string reason;
};

struct AttachedUprobes {
  OwnedAttachment attachment;
  std::vector<RefusedUprobe> refused;
};

/// Runs a Kprobe program at places of a file; all at once if it was loaded for that
/// (uprobe_multi_attach_type), which is thousands of times faster for many. The kernel
/// patches the code when a process maps the file and restores it when the attachment is
/// destroyed, or this process dies. The caller has checked that an instruction begins
/// at each offset: the kernel checks only that it can decode one there, and a wrong
/// place breaks the program. Errors: no uprobes in this kernel, the file cannot be
/// probed, every place refused, or a stop by `progress`.
Result<AttachedUprobes> attach_uprobes(const LoadedProgram& program,
                                       const UprobeTarget& target,
                                       std::span<const UprobePlace> places,
                                       const ProgressReport& progress = {});

/// A uprobe without a program, which lasts until the descriptor is closed. It shows
/// what the kernel does to the code. Errors: as for attach_uprobes().
Result<FileDescriptor> attach_idle_uprobe(const UprobeTarget& target,
                                          std::uint64_t file_offset);

}  // namespace kinst::bpf
