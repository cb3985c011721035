// Thousands of kprobes under few names: the way in which instructions are traced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "bpf/attach/attachment.h"
#include "bpf/attach/borrowed_setting.h"
#include "bpf/attach/watcher.h"
#include "bpf/load/load.h"

namespace kinst::bpf {

/// A probe that the kernel did not take, and why.
struct RefusedProbe {
  std::size_t index = 0;  ///< in the addresses given to attach
  std::string reason;

  bool operator==(const RefusedProbe&) const = default;
};

enum class KprobeKind : std::uint8_t {
  Instruction,  ///< before the instruction at the address
  Return,       ///< when the function that begins at the address returns
};

/// A probe of a function by name, in a module that may be loaded later.
struct ComingKprobe {
  std::string module;
  std::string function;
  KprobeKind kind = KprobeKind::Instruction;
  std::uint64_t cookie = 0;  ///< as run_at_event() has it
};

/// Why the kernel refused a probe, by the error number.
std::string kprobe_refusal(int number);

/// Kprobes at many addresses that run one program.
class KprobeAttachment : public Attachment {
 public:
  /// One for each address given to attach, in their order; zeros for refused ones.
  [[nodiscard]] virtual Result<std::vector<ProbeCount>> counts() const = 0;
  [[nodiscard]] virtual const std::vector<RefusedProbe>& refused() const = 0;
};

/// Makes grouped kprobe events. Open it once in a run, before there are other threads:
/// it starts the watcher, and removes events that killed runs of kinst left behind.
class KprobeEvents {
 public:
  /// Errors: no tracefs, no kprobes in this kernel, no permission.
  static Result<KprobeEvents> open(SettingPolicy policy = SettingPolicy::Borrow);

  /// Runs a Kprobe program at each address. The address must be in the text of the
  /// kernel or of a module: the kernel accepts any other address silently, and that
  /// probe never fires. The program tells the probes apart by the instruction pointer
  /// and must return 0: else the kernel goes on to write a perf record at each hit.
  /// Probes that the kernel refuses are left out and listed; it is an error only if
  /// nothing is left, or `progress` stops.
  Result<std::unique_ptr<KprobeAttachment>> attach(
      const LoadedProgram& program, std::span<const KernelAddress> addresses,
      KprobeKind kind, const ProgressReport& progress = {});

  /// Runs a Kprobe program at functions of modules, loaded or not. The kernel inserts
  /// the probes each time that the module is loaded, before any of the module's code
  /// runs, and removes them when it is unloaded. The program tells the probes apart by
  /// the cookie. Each probe is an event. If a loaded module lacks the function, only
  /// the kernel's log says so.
  /// Source: kernel/trace/trace_kprobe.c, trace_kprobe_module_callback.
  Result<std::unique_ptr<KprobeAttachment>> attach_coming(
      const LoadedProgram& program, std::span<const ComingKprobe> probes,
      const ProgressReport& progress = {});

 private:
  struct Shared;
  class Events;
  explicit KprobeEvents(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  std::shared_ptr<Shared> shared_;
};

}  // namespace kinst::bpf
