// A loaded program: attaching it, reading its records, stopping it.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/system/file_descriptor.h"
#include "bpf/attach/attachment.h"
#include "bpf/load/load.h"
#include "bpf/load/map.h"
#include "bpf/load/ring_buffer.h"
#include "compile/compile.h"
#include "provider/attach.h"
#include "provider/tracing.h"
#include "run/run_options.h"
#include "runtime/abi.h"

namespace kinst::run {

/// A probe that appeared during the run.
struct LaterProbe {
  /// The probe. It gets its id when it is attached. A probe that was there before keeps
  /// the id that it had then.
  provider::Probe probe;
  /// In a module that was loaded, the place that tells instructions and functions
  /// apart, as in provider::Probe::key; otherwise 0.
  std::uint64_t place = 0;
  /// Keeps the path in the probe's site valid: later, the process may have another file
  /// at that path.
  std::shared_ptr<const FileDescriptor> file;
  /// The placeholders (provider::is_awaited) that it replaces, as indexes of the run's
  /// probes.
  std::set<std::size_t> awaited;
  /// The texts of `insn` and `mnemonic`, if it is at an instruction of the kernel.
  std::string instruction;
  std::string mnemonic;
};

using TakeRecord = std::function<void(std::span<const std::byte>)>;

/// Owns everything in the kernel that belongs to one run. Its destructor detaches the
/// attachments and then unloads the programs.
class Enabling {
 public:
  /// Links and loads the programs of `compilation`, which must outlive this. Does not
  /// attach them, so nothing fires yet.
  static tl::expected<Enabling, bpf::LoadError> load(
      const compile::Compilation& compilation, const RunOptions& options);

  /// Attaches all programs except those that kinst runs itself. Returns the probes that
  /// the kernel refused.
  /// Errors: the kernel refused all probes of a program; interrupted() if `progress`
  /// stops the attaching. Nothing stays attached then.
  Result<std::vector<provider::RefusedProbe>> attach(const ProgressReport& progress);

  /// Attaches the probes in the code of a process anew, after another thread than its
  /// first has executed a program. The old attachments belong to the memory of the
  /// former first thread, and the process has other memory now. The process must be
  /// stopped. May be called from any thread; other changes of attachments wait
  /// meanwhile.
  /// Errors: some probes could not be attached again (the others are attached);
  /// interrupted() if `progress` stops the attaching.
  Result<void> attach_anew(pid_t process, const ProgressReport& progress);

  /// Attaches probes that appeared during the run, and gives them ids. Probes of a
  /// module replace those attached in a module of the same name. May be called from any
  /// thread. `tell` is called for each probe before it can fire, with a reference that
  /// is valid as long as this.
  /// Returns the probes that the kernel refused, as indexes of `probes`.
  /// Errors: as attach_anew(); there is no room for the probes' names.
  Result<std::vector<provider::RefusedProbe>> attach_later(
      std::vector<LaterProbe>& probes,
      const std::function<void(const provider::Probe&)>& tell,
      const ProgressReport& progress);

  /// Runs the program of BEGIN or END, in this thread.
  Result<void> run_dtrace_probe(provider::DtraceProbe which);

  /// Makes attached probes record, or makes them stop.
  void set_active(bool is_active);
  /// To be called when the run lasts long enough that cheap hits are worth a slower end
  /// (see bpf::Kprobes). Further calls do nothing.
  void let_optimize() { attacher_->let_optimize(); }
  /// Whether the program has called exit(); exit_status() is its argument.
  [[nodiscard]] bool is_exiting() const;
  [[nodiscard]] int exit_status() const;

  /// Passes the records in the buffer to `take`, at most `limit`; returns how many.
  std::size_t drain(const TakeRecord& take, std::size_t limit) {
    return records_.consume(take, limit);
  }
  /// Whether the buffer has no record, finished or unfinished.
  [[nodiscard]] bool is_drained() const { return records_.is_empty(); }
  /// Readable when there are records.
  [[nodiscard]] int descriptor() const { return records_.descriptor(); }

  /// The number of hits, while probes could record, at which a probe's clauses did not
  /// run: another probe was being handled on that CPU, or another BPF program was
  /// running there. Where only the kernel's counts of hits tell, this is a lower bound,
  /// because hits at the moment of starting and stopping are left out.
  [[nodiscard]] std::uint64_t missed() const;
  /// The counters of each CPU.
  [[nodiscard]] std::vector<kinst_counters> counters() const;
  [[nodiscard]] bpf::Object& object() { return object_; }

  /// Called with the number of probes that are detached so far, and of all.
  using TellProgress = std::function<void(std::size_t done, std::size_t all)>;
  /// Detaches everything, as the destructor also does.
  void detach(const TellProgress& tell);

 private:
  /// The parts of a loaded program.
  struct Parts {
    bpf::Object object;
    bpf::RingBuffer records;
    bpf::MappedArray control;
    bpf::MappedArray states;
  };
  Enabling(const compile::Compilation& compilation, Parts parts,
           const RunOptions& options);

  /// An attachment of probes. Probes in user code have one for each process.
  struct Attached {
    pid_t process = -1;
    std::string module;  ///< a module that was loaded during the run
    bpf::OwnedAttachment attachment;
  };
  /// Attaches the probes that `probes` selects from `all` to the program of a group.
  Result<void> attach_part(std::size_t group, pid_t process,
                           const provider::TracedProbes& all,
                           std::span<const std::size_t> probes,
                           const ProgressReport& progress,
                           std::vector<Attached>& attachments);
  [[nodiscard]] provider::TracingPlan tracing_of_later(
      const codegen::ProgramGroup& group, std::size_t probes) const;
  Result<void> name_later(std::span<const LaterProbe> probes);
  void number_later(std::vector<LaterProbe>& probes,
                    const std::function<void(const provider::Probe&)>& tell);
  Result<void> place_later(std::span<const LaterProbe> probes);

  [[nodiscard]] kinst_control& control() const;
  /// The number of probes that attach() attaches and detach() detaches.
  [[nodiscard]] std::size_t attached_probes() const;

  /// What the kernel and the BPF programs have counted since the attaching.
  struct Tally {
    std::uint64_t entered = 0;         ///< calls of the programs that count them
    std::uint64_t hits = 0;            ///< hits of their probes by the kernel's count
    std::uint64_t missed = 0;          ///< hits within the handling of another probe
    std::uint64_t refused = 0;         ///< hits at which it did not run those programs,
                                       ///< by its own count
    std::uint64_t refused_others = 0;  ///< the same of other programs
    std::uint64_t nested = 0;          ///< hits given up within another of kinst's own
  };
  void add_own_counts(Tally& tally) const;
  void add_kernel_counts(Tally& tally) const;

  const compile::Compilation* compilation_;
  bpf::Object object_;
  bpf::RingBuffer records_;
  bpf::MappedArray control_;
  bpf::MappedArray states_;
  std::unique_ptr<provider::Attacher> attacher_;
  std::vector<Attached> attachments_;
  /// The probes that appeared during the run; and, by group, the indexes of those that
  /// it serves.
  std::deque<provider::Probe> later_;
  std::set<std::shared_ptr<const FileDescriptor>> files_of_later_;
  std::map<std::size_t, std::vector<std::size_t>> later_of_group_;
  std::map<std::string, std::vector<std::uint64_t>> places_of_module_;
  std::size_t constants_end_ = 0;  ///< end of the last name; 0: not yet known
  /// Protects the attachments once another thread follows processes or modules.
  std::unique_ptr<std::mutex> attaching_ = std::make_unique<std::mutex>();
  Tally at_start_;
  Tally at_stop_;
};

}  // namespace kinst::run
