// A program that is loaded and attached: how it is started, drained and stopped.
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

#include "base/file_descriptor.h"
#include "base/result.h"
#include "bpf/attachment.h"
#include "bpf/load.h"
#include "bpf/map.h"
#include "bpf/ring_buffer.h"
#include "provider/attach.h"
#include "runtime/abi.h"
#include "session/compile.h"

namespace kinst::session {

/// A probe that came while a run goes on.
struct LaterProbe {
  /// Its number is given when it is attached, unless it has been there before and has
  /// the number that it was given then.
  provider::Probe probe;
  /// Where it is in a module that has come, as provider::Probe::key tells instructions
  /// and functions apart; 0 elsewhere.
  std::uint64_t place = 0;
  /// Keeps the path in the probe's site: a process may have another file in its place.
  std::shared_ptr<const FileDescriptor> file;
  /// The probes that stood for it (provider::is_awaited), as indexes of the run's.
  std::set<std::size_t> awaited;
  /// Of an instruction of the kernel, as `insn` and `mnemonic` tell it.
  std::string instruction;
  std::string mnemonic;
};

using TakeRecord = std::function<void(std::span<const std::byte>)>;

struct RunOptions {
  std::uint32_t log_bytes = 0;  ///< as bpf::load() has it
  /// As provider::Attacher has them.
  std::optional<int> only_cpu;
  bpf::SettingPolicy setting_policy = bpf::SettingPolicy::Borrow;
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
  /// interrupted() if `progress` says so; nothing stays attached then.
  Result<std::vector<provider::RefusedProbe>> attach(const ProgressReport& progress);

  /// Attaches the probes in the code of a process anew, which has executed a program in
  /// another thread than its first: what was attached before means that first thread's
  /// memory, and the process's is another now. To be called while it stands still, from
  /// any thread; what is said of attachments elsewhere waits meanwhile.
  /// Errors: what could not be attached again; the rest is. interrupted() if `progress`
  /// says so.
  Result<void> attach_anew(pid_t process, const ProgressReport& progress);

  /// Attaches probes that came while the run goes on, and gives them numbers. Those of
  /// a module replace what was attached in one of that name. From any thread; `tell` is
  /// told of each before it can fire, with a reference that is valid as long as this.
  /// Returns those that the kernel did not take, as indexes of `probes`.
  /// Errors: as attach_anew(), and where there is no room for their names.
  Result<std::vector<provider::RefusedProbe>> attach_later(
      std::vector<LaterProbe>& probes,
      const std::function<void(const provider::Probe&)>& tell,
      const ProgressReport& progress);

  /// Runs BEGIN's or END's program, here and now.
  Result<void> run_own(provider::OwnProbe which);

  /// Lets attached probes record, or stops them.
  void set_active(bool is_active);
  /// The run lasts: from now on hits shall be cheap, if it then takes longer to end.
  /// Does nothing the second time.
  void let_optimize() { attacher_->let_optimize(); }
  /// exit() was called, with this status.
  [[nodiscard]] bool is_exiting() const;
  [[nodiscard]] int exit_status() const;

  /// Gives the records that are there to `take`, at most `limit`; returns how many.
  std::size_t drain(const TakeRecord& take, std::size_t limit) {
    return records_.consume(take, limit);
  }
  /// Whether no record is there, nor being written.
  [[nodiscard]] bool is_drained() const { return records_.is_empty(); }
  /// Readable when there are records.
  [[nodiscard]] int descriptor() const { return records_.descriptor(); }

  /// Hits of probes that ran no clauses, while probes could record: another probe was
  /// being handled on that CPU, or a BPF program was running there. Where only the
  /// kernel's counts of hits tell, it is a lower bound: hits at the very moment of
  /// starting and stopping are left out.
  [[nodiscard]] std::uint64_t missed() const;
  /// Each CPU's counters.
  [[nodiscard]] std::vector<kinst_counters> counters() const;
  [[nodiscard]] bpf::Object& object() { return object_; }

  /// Told how many of all probes are done.
  using TellProgress = std::function<void(std::size_t done, std::size_t all)>;
  /// Detaches everything; the destructor does it, too.
  void detach(const TellProgress& tell);

 private:
  /// What a loaded program has.
  struct Parts {
    bpf::Object object;
    bpf::RingBuffer records;
    bpf::MappedArray control;
    bpf::MappedArray states;
  };
  Running(const Compilation& made, Parts parts, const RunOptions& options);

  /// Probes that are attached; those in user code for each process.
  struct Attached {
    pid_t process = -1;
    std::string module;  ///< that has come later; empty: in none
    bpf::OwnedAttachment attachment;
  };
  /// Attaches those of `all` to a group's program.
  Result<void> attach_part(std::size_t group, pid_t process,
                           std::span<const provider::Probe> all,
                           std::span<const std::size_t> probes,
                           const ProgressReport& progress,
                           std::vector<Attached>& attachments);
  Result<void> name_later(std::span<const LaterProbe> probes);
  void number_later(std::vector<LaterProbe>& probes,
                    const std::function<void(const provider::Probe&)>& tell);
  Result<void> place_later(std::span<const LaterProbe> probes);

  [[nodiscard]] kinst_control& control() const;
  /// How many probes attach() attaches, and detach() detaches.
  [[nodiscard]] std::size_t attached_probes() const;

  /// What kernel and programs have counted so far, since the attaching.
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

  const Compilation* made_;
  bpf::Object object_;
  bpf::RingBuffer records_;
  bpf::MappedArray control_;
  bpf::MappedArray states_;
  std::unique_ptr<provider::Attacher> attacher_;
  std::vector<Attached> attachments_;
  /// Those that came later, and by group which of them it serves.
  std::deque<provider::Probe> later_;
  std::set<std::shared_ptr<const FileDescriptor>> files_of_later_;
  std::map<std::size_t, std::vector<std::size_t>> later_of_group_;
  std::map<std::string, std::vector<std::uint64_t>> places_of_module_;
  std::size_t constants_end_ = 0;  ///< behind the last name; 0: not yet known
  /// Of what is attached, once the run is followed by a thread of its own.
  std::unique_ptr<std::mutex> attaching_ = std::make_unique<std::mutex>();
  Tally at_start_;
  Tally at_stop_;
};

}  // namespace kinst::session
