// From loaded programs to probes that fire.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "bpf/attach_kprobes.h"
#include "bpf/attachment.h"
#include "bpf/load.h"
#include "provider/probe.h"
#include "provider/provider.h"

namespace kinst::provider {

struct Attached {
  std::vector<bpf::OwnedAttachment> attachments;
  /// Probes that the kernel did not take after all, with its reason.
  std::vector<Skipped> refused;
};

/// Attaches programs to probes. Made once for a run and kept until its attachments are
/// gone: it opens the kernel's ways of attaching when one is first needed.
class Attacher {
 public:
  /// Attaches `program` to the probes, all of one kind of site and none of them kinst's
  /// own (BEGIN, END, ERROR: those are run, not attached).
  /// probes: indexes into `all`. progress: told between probes; may stop the attaching.
  /// Errors: what the kernel refused; nothing stays attached then.
  Result<Attached> attach(const bpf::LoadedProgram& program, std::span<const Probe> all,
                          std::span<const std::size_t> probes,
                          const bpf::ProgressReport& progress);

 private:
  /// What is to be attached in one go.
  struct Work;

  Result<Attached> attach_kprobes(const Work& work, bpf::KprobeKind kind,
                                  std::span<const KernelAddress> addresses);
  Result<Attached> attach_instructions(const Work& work);
  Result<Attached> attach_functions(const Work& work, Edge edge);

  std::optional<bpf::Kprobes> kprobes_;
};

/// "kinst:vmlinux:vfs_read:4"
std::string full_name(const Probe& probe);

}  // namespace kinst::provider
