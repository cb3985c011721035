// From loaded programs to probes that fire.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "bpf/attach_kprobes.h"
#include "bpf/attachment.h"
#include "bpf/load.h"
#include "provider/probe.h"

namespace kinst::provider {

/// A probe that the kernel did not take when others were attached, and why.
struct RefusedProbe {
  std::size_t probe = 0;  ///< index of the run's probes
  std::string reason;
};

/// Attaches the programs of one run. One for a run: the way kprobes are made is opened
/// once.
class Attacher {
 public:
  /// only_cpu: timers run on this CPU alone. setting_policy: of kprobes.
  Attacher(std::optional<int> only_cpu, bpf::SettingPolicy setting_policy)
      : only_cpu_(only_cpu), setting_policy_(setting_policy) {}

  /// Attaches `program` to the probes, all of one kind of site and none of them kinst's
  /// own (BEGIN, END, ERROR: those are run, not attached).
  /// probes: indexes into `all`. progress: told between probes; may stop the attaching.
  /// Errors: what the kernel refused, with the probe's name, if it refused them all;
  /// nothing stays attached then. Single refusals are in refused().
  Result<std::vector<bpf::OwnedAttachment>> attach(const bpf::LoadedProgram& program,
                                                   std::span<const Probe> all,
                                                   std::span<const std::size_t> probes,
                                                   const ProgressReport& progress);

  /// Opens the way in which kprobes are made, for those that come later: to be done
  /// before there are other threads. Errors: as bpf::Kprobes::open().
  Result<void> prepare_kprobes();

  /// As bpf::Kprobes has it.
  void let_optimize();

  [[nodiscard]] const std::vector<RefusedProbe>& refused() const { return refused_; }

 private:
  using Attachments = std::vector<bpf::OwnedAttachment>;
  /// What is to be attached in one go.
  struct Work;

  Result<bpf::Kprobes*> kprobes();
  Result<Attachments> attach_kprobes(const Work& work, bpf::KprobeKind kind,
                                     std::span<const KernelAddress> addresses);
  Result<Attachments> attached_kprobes(
      const Work& work, Result<std::unique_ptr<bpf::KprobeAttachment>> attached);
  Result<Attachments> attach_instructions(const Work& work);
  Result<Attachments> attach_breakpoints(const Work& work);
  Result<Attachments> attach_functions(const Work& work, Edge edge);
  /// functions: of work's probes from `begin` on.
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
  /// Files with probes, by process and path, to be found when the path leads nowhere.
  std::map<std::pair<pid_t, std::string>, FileDescriptor> files_;
};

}  // namespace kinst::provider
