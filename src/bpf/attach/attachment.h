// The result of all ways of attaching.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/progress.h"
#include "base/result.h"

namespace kinst::bpf {

/// What the kernel counted at a probe, or at several.
struct ProbeCount {
  /// Hits at which it meant to run the program. Not every one did: the kernel runs no
  /// BPF program of a probe while another runs on the same CPU.
  std::uint64_t hits = 0;
  std::uint64_t missed = 0;  ///< hits while a probe was being handled on this CPU

  bool operator==(const ProbeCount&) const = default;
};

/// Probes that run a program until this is destroyed. It keeps no reference to the
/// LoadedProgram, whose descriptor may be closed before.
class Attachment {
 public:
  Attachment() = default;
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;
  Attachment(Attachment&&) = delete;
  Attachment& operator=(Attachment&&) = delete;
  virtual ~Attachment() = default;

  /// What the kernel counted at all its probes since they were attached; zeros where it
  /// does not count.
  [[nodiscard]] virtual Result<ProbeCount> counted() const { return ProbeCount{}; }

  /// The number of parts that detach() detaches one after the other.
  [[nodiscard]] virtual std::size_t parts() const { return 1; }
  /// Detaches the parts, and calls `part_is_gone` after each. The destructor detaches
  /// what is left, or everything if this was not called.
  virtual void detach(const std::function<void()>& /*part_is_gone*/) {}
};

using OwnedAttachment = std::unique_ptr<Attachment>;

}  // namespace kinst::bpf
