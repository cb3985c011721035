// A program that is loaded and attached: how it is started, drained and stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "bpf/attachment.h"
#include "bpf/load.h"
#include "bpf/map.h"
#include "bpf/ring_buffer.h"
#include "provider/attach.h"
#include "runtime/abi.h"
#include "session/compile.h"

namespace kinst::session {

using TakeRecord = std::function<void(std::span<const std::byte>)>;

struct RunOptions {
  std::uint32_t log_bytes = 0;  ///< as bpf::load() has it
  /// As provider::Attacher has them.
  std::optional<int> only_cpu;
  bpf::GracePeriods grace_periods = bpf::GracePeriods::Expedite;
};

/// Owns everything in the kernel that belongs to one run. Destroying it detaches and
/// unloads; the attachments go first.
class Running {
 public:
  /// Links and loads the programs of `made`, which must outlive this. Nothing is
  /// attached and nothing fires yet.
  static tl::expected<Running, bpf::LoadError> load(const Compilation& made,
                                                    const RunOptions& options);

  /// Attaches every program but those that kinst runs itself. Returns the probes that
  /// the kernel did not take. Errors: nothing could be attached for a program, or
  /// bpf::interrupted() if `progress` says so; nothing stays attached then.
  Result<std::vector<provider::RefusedProbe>> attach(
      const bpf::ProgressReport& progress);

  /// Runs BEGIN's or END's program, here and now.
  Result<void> run_own(provider::OwnProbe which);

  /// Lets attached probes record, or stops them.
  void set_active(bool is_active);
  /// exit() was called, with this status.
  [[nodiscard]] bool is_exiting() const;
  [[nodiscard]] int exit_status() const;

  /// Gives all records that are there to `take`; returns how many.
  std::size_t drain(const TakeRecord& take) { return records_.consume(take); }
  /// Readable when there are records.
  [[nodiscard]] int descriptor() const { return records_.descriptor(); }

  /// Hits of probes at which the kernel ran no program. Only while attached.
  [[nodiscard]] std::uint64_t missed() const;
  /// Each CPU's counters.
  [[nodiscard]] std::vector<kinst_counters> counters() const;
  [[nodiscard]] bpf::Object& object() { return object_; }

  /// Told how many of all probes are done.
  using TellProgress = std::function<void(std::size_t done, std::size_t all)>;
  /// Detaches everything; the destructor does it, too.
  void detach(const TellProgress& tell);

 private:
  Running(const Compilation& made, bpf::Object object, bpf::RingBuffer records,
          bpf::MappedArray control, bpf::MappedArray states,
          std::unique_ptr<provider::Attacher> attacher);

  [[nodiscard]] kinst_control& control() const;
  /// How many probes attach() attaches, and detach() detaches.
  [[nodiscard]] std::size_t attached_probes() const;

  const Compilation* made_;
  bpf::Object object_;
  bpf::RingBuffer records_;
  bpf::MappedArray control_;
  bpf::MappedArray states_;
  std::unique_ptr<provider::Attacher> attacher_;
  std::vector<bpf::OwnedAttachment> attachments_;
};

}  // namespace kinst::session
