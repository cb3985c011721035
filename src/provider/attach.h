// Attaches loaded programs to probes, so that the probes fire.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/system/file_descriptor.h"
#include "bpf/attach/attach_kprobes.h"
#include "bpf/attach/attachment.h"
#include "bpf/load/load.h"
#include "provider/probe.h"
#include "provider/tracing.h"

namespace kinst::provider {

/// A probe that the kernel refused although it accepted others, and why.
struct RefusedProbe {
  std::size_t probe = 0;  ///< an index of the run's probes
  std::string reason;
};

/// Attaches the programs of one run. A run has a single Attacher, because the kernel's
/// interface for kprobes is opened once.
class Attacher {
 public:
  /// only_cpu: timers fire on this CPU only. setting_policy: for kprobes; see
  /// bpf::Kprobes.
  Attacher(std::optional<int> only_cpu, bpf::SettingPolicy setting_policy)
      : only_cpu_(only_cpu), setting_policy_(setting_policy) {}

  /// Attaches `program` to probes that have sites of one kind and are traced in one
  /// way, for which the program was loaded. kinst's own probes (BEGIN, END, ERROR) are
  /// run, not attached, and must not be among them. probes: indexes of `all`. progress:
  /// called between probes; may stop the attaching. Errors: the kernel refused all
  /// probes; the message names a probe and the reason. Nothing stays attached then. If
  /// the kernel refused only some, they are in refused().
  Result<std::vector<bpf::OwnedAttachment>> attach(const bpf::LoadedProgram& program,
                                                   const TracedProbes& all,
                                                   std::span<const std::size_t> probes,
                                                   const ProgressReport& progress);

  /// Opens the kernel's interface for kprobes, for probes that are attached later. Must
  /// be called before there are other threads. Errors: those of bpf::Kprobes::open().
  Result<void> prepare_kprobes();

  /// See bpf::Kprobes.
  void let_optimize();

  [[nodiscard]] const std::vector<RefusedProbe>& refused() const { return refused_; }

 private:
  using Attachments = std::vector<bpf::OwnedAttachment>;
  /// The probes to attach in one step.
  struct Work;

  Result<bpf::Kprobes*> kprobes();
  Result<Attachments> attach_kprobes(const Work& work, bpf::KprobeKind kind,
                                     std::span<const KernelAddress> addresses);
  Result<Attachments> attached_kprobes(
      const Work& work, Result<std::unique_ptr<bpf::KprobeAttachment>> attached);
  Result<Attachments> attach_instructions(const Work& work);
  Result<Attachments> attach_breakpoints(const Work& work);
  Result<Attachments> attach_functions(const Work& work, Edge edge);
  Result<Attachments> attach_all_at_once(const Work& work);
  /// functions: those of work's probes from index `begin` on.
  Result<void> attach_at_once(const Work& work,
                              std::span<const KernelAddress> functions,
                              std::size_t begin, Attachments& attachments);
  Result<Attachments> attach_coming(const Work& work);
  Result<Attachments> attach_user(const Work& work);
  std::string kept_path(pid_t process, const std::string& file);

  std::optional<int> only_cpu_;
  bpf::SettingPolicy setting_policy_;
  std::optional<bpf::Kprobes> kprobes_;
  std::vector<RefusedProbe> refused_;
  /// Open files that have probes, by process and path. A file can still be opened
  /// through its descriptor when the path no longer leads to it.
  std::map<std::pair<pid_t, std::string>, FileDescriptor> files_;
};

}  // namespace kinst::provider
