// Perf events that run programs. Most ways of attaching use them.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/system/file_descriptor.h"
#include "bpf/attach/attachment.h"
#include "bpf/load/load.h"

namespace kinst::bpf {

/// Which process's events, on which CPU; -1 means all. The kernel refuses all of both.
struct PerfTarget {
  pid_t process = -1;
  int cpu = -1;
};

/// The number by which the kernel knows a dynamic kind of event: "kprobe", "uprobe".
/// Errors: this kernel has none of that name.
Result<std::uint32_t> perf_event_type(const std::string& name);

/// Opens a disabled perf event. If the kernel refuses it, the result is empty and errno
/// says why.
FileDescriptor try_perf_event(const perf_event_attr& attributes, PerfTarget target);

/// The same with a sentence for an error: "cannot open WHAT: …".
Result<FileDescriptor> open_perf_event(const perf_event_attr& attributes,
                                       PerfTarget target, std::string_view what);

/// Makes a perf event run a program and starts it. `cookie` is what the program gets
/// from bpf_get_attach_cookie. The program ceases to run when both the event and the
/// returned link are closed.
Result<FileDescriptor> run_at_event(const LoadedProgram& program,
                                    const FileDescriptor& event, std::uint64_t cookie,
                                    std::string_view what);

/// The CPUs that are online, in order. Errors: sysfs cannot be read.
Result<std::vector<int>> online_cpus();

/// Owns perf events and the programs' links to them.
class PerfAttachment : public Attachment {
 public:
  /// Runs the program at an event, and takes ownership of the event.
  Result<void> add(const LoadedProgram& program, FileDescriptor event,
                   std::uint64_t cookie, std::string_view what);
  /// Opens an event for `target` and runs the program at it.
  Result<void> open_and_add(const LoadedProgram& program,
                            const perf_event_attr& attributes, PerfTarget target,
                            std::uint64_t cookie, std::string_view what);
  [[nodiscard]] std::size_t size() const { return links_.size(); }
  [[nodiscard]] std::size_t parts() const override { return size(); }
  void detach(const std::function<void()>& part_is_gone) override;
  ~PerfAttachment() override { PerfAttachment::detach({}); }

  PerfAttachment() = default;
  PerfAttachment(const PerfAttachment&) = delete;
  PerfAttachment& operator=(const PerfAttachment&) = delete;
  PerfAttachment(PerfAttachment&&) = delete;
  PerfAttachment& operator=(PerfAttachment&&) = delete;

 private:
  std::vector<FileDescriptor> events_;
  std::vector<FileDescriptor> links_;
};

}  // namespace kinst::bpf
