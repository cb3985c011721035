// Probes are appended to one event by repeating its name:
//
//     p:GROUP/EVENT 0xADDRESS i=\NUMBER:u32
//
// One perf event of it, with one program, then serves them all. The argument i is never
// evaluated. It is there because the kernel takes two raw addresses under one name for
// the same probe unless an argument differs (trace_kprobe_has_same_kprobe); the other
// way to tell them apart, _text+OFFSET, costs a search through all symbols for each
// probe in 6.1 and does not reach modules on every machine.
//
// Measured (6.1, 6.12): to add a probe costs the same whether an event has 20 or 4000;
// each event costs some 5 ms to open and to close. So few events, and large ones.
#include "bpf/attach/attach_kprobe_events.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "base/system/tracefs.h"
#include "bpf/attach/kprobe_group.h"
#include "bpf/attach/perf_event.h"

namespace kinst::bpf {

/// What all attachments of a run hold on to.
struct KprobeEvents::Shared {
  Tracefs tracefs;
  FileDescriptor commands;  ///< kprobe_events, for appending
  Survivor watcher;
  GroupOwner owner;
  SettingPolicy policy = SettingPolicy::Borrow;
  std::size_t next_event = 0;
};

namespace {

// The kernel compares each new probe with all before it in its event.
constexpr std::size_t probes_per_event = 4096;

Result<std::uint64_t> event_id(const Tracefs& tracefs, const std::string& path) {
  const std::string text = KINST_TRY(tracefs.read("events/" + path + "/id"));
  std::uint64_t id = 0;
  std::from_chars(text.data(), text.data() + text.size(), id);
  return id;
}

// A child process has this process's descriptors until it closes them, and an event in
// use cannot be removed. If an event stays in use for longer, the next run removes it;
// it no longer fires.
void remove_even_if_busy(int commands, const std::string& path) {
  constexpr int tries = 50;
  constexpr std::chrono::milliseconds pause(10);
  for (int i = 0; i < tries && remove_event(commands, path) == EBUSY; ++i) {
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

std::string kprobe_refusal(int number) {
  switch (number) {
    case EILSEQ:
      return "the address is inside an instruction";
    case EINVAL:
      return "the kernel allows no probe there";
    case ENOENT:
      return "no code is there";
    default:
      return std::strerror(number);
  }
}

/// The events that one call of attach made.
class KprobeEvents::Events : public KprobeAttachment {
 public:
  Events(std::shared_ptr<Shared> shared, std::size_t probe_count)
      : shared_(std::move(shared)), probe_count_(probe_count) {}
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  Events(Events&&) = delete;
  Events& operator=(Events&&) = delete;

  ~Events() override { Events::detach({}); }

  [[nodiscard]] std::size_t parts() const override { return events_.size(); }
  void detach(const std::function<void()>& part_is_gone) override;

  /// Adds the probes and starts the program at them.
  Result<void> attach(const LoadedProgram& program,
                      std::span<const KernelAddress> addresses, KprobeKind kind,
                      const ProgressReport& progress);

  /// The same for places by name.
  Result<void> attach_coming(const LoadedProgram& program,
                             std::span<const ComingKprobe> probes,
                             const ProgressReport& progress);

  [[nodiscard]] Result<std::vector<ProbeCount>> counts() const override;
  [[nodiscard]] Result<ProbeCount> counted() const override {
    ProbeCount sum;
    for (const ProbeCount& probe : KINST_TRY(counts())) {
      sum.hits += probe.hits;
      sum.missed += probe.missed;
    }
    return sum;
  }
  [[nodiscard]] const std::vector<RefusedProbe>& refused() const override {
    return refused_;
  }

 private:
  struct Event {
    std::string name;
    std::vector<std::size_t> probes;  ///< indices of its addresses, in kernel's order
    std::uint64_t cookie = 0;
  };

  [[nodiscard]] std::string path(const Event& event) const {
    return fmt::format("{}/{}", group_name(shared_->owner), event.name);
  }
  void add_event();
  /// Adds a probe to the last event. place: as the kernel reads it.
  void add_probe(const std::string& place, std::size_t index, KprobeKind kind);
  /// Starts the program at what has been added.
  Result<void> start(const LoadedProgram& program);

  std::shared_ptr<Shared> shared_;
  std::size_t probe_count_;
  std::vector<Event> events_;
  std::vector<RefusedProbe> refused_;
  std::optional<PerfAttachment> perf_;
};

void KprobeEvents::Events::add_event() {
  // kprobe_profile gives no group: the event's name must be unique by itself.
  const GroupOwner& owner = shared_->owner;
  events_.push_back({.name = fmt::format("k{}_{}_{}", owner.process, owner.start_time,
                                         shared_->next_event),
                     .probes = {}});
  ++shared_->next_event;
}

void KprobeEvents::Events::add_probe(const std::string& place, std::size_t index,
                                     KprobeKind kind) {
  Event& event = events_.back();
  const std::string command =
      fmt::format("{}:{} {} i=\\{}:u32\n", kind == KprobeKind::Return ? 'r' : 'p',
                  path(event), place, index);
  if (::write(shared_->commands.get(), command.data(), command.size()) < 0) {
    refused_.push_back({index, kprobe_refusal(errno)});
  } else {
    event.probes.push_back(index);
  }
}

void KprobeEvents::Events::detach(const std::function<void()>& part_is_gone) {
  if (events_.empty()) {
    return;
  }
  const BorrowedSetting expedited = expedite_grace_periods(shared_->policy);
  perf_.reset();
  for (; !events_.empty(); events_.pop_back()) {
    remove_even_if_busy(shared_->commands.get(), path(events_.back()));
    if (part_is_gone) {
      part_is_gone();
    }
  }
}

Result<void> KprobeEvents::Events::attach(const LoadedProgram& program,
                                          std::span<const KernelAddress> addresses,
                                          KprobeKind kind,
                                          const ProgressReport& progress) {
  const BorrowedSetting expedited = expedite_grace_periods(shared_->policy);
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    KINST_CHECK(tell_progress(progress, i, addresses.size()));
    if (events_.empty() || events_.back().probes.size() == probes_per_event) {
      add_event();
    }
    add_probe(fmt::format("{:#x}", number(addresses[i])), i, kind);
  }
  return start(program);
}

Result<void> KprobeEvents::Events::attach_coming(const LoadedProgram& program,
                                                 std::span<const ComingKprobe> probes,
                                                 const ProgressReport& progress) {
  const BorrowedSetting expedited = expedite_grace_periods(shared_->policy);
  for (std::size_t i = 0; i < probes.size(); ++i) {
    KINST_CHECK(tell_progress(progress, i, probes.size()));
    add_event();
    events_.back().cookie = probes[i].cookie;
    add_probe(fmt::format("{}:{}", probes[i].module, probes[i].function), i,
              probes[i].kind);
  }
  return start(program);
}

Result<void> KprobeEvents::Events::start(const LoadedProgram& program) {
  std::erase_if(events_, [](const Event& event) { return event.probes.empty(); });
  if (events_.empty()) {
    return error("cannot attach program {}: {}", program.name,
                 refused_.empty() ? "no probes" : refused_.front().reason);
  }
  const int cpu = KINST_TRY(online_cpus()).front();
  perf_.emplace();
  for (const Event& event : events_) {
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_TRACEPOINT;
    attributes.config = KINST_TRY(event_id(shared_->tracefs, path(event)));
    attributes.sample_period = 1;
    // Opened on one CPU, the program runs on all: see attach_tracepoint.
    KINST_CHECK(perf_->open_and_add(program, attributes, {.cpu = cpu}, event.cookie,
                                    fmt::format("probe event {}", path(event))));
  }
  return {};
}

Result<std::vector<ProbeCount>> KprobeEvents::Events::counts() const {
  std::vector<ProbeCount> counts(probe_count_);
  std::istringstream profile(KINST_TRY(shared_->tracefs.read("kprobe_profile")));
  // Each line: event, hits, missed. An event's probes stand in the order of adding.
  std::vector<std::size_t> seen(events_.size());
  std::string name;
  ProbeCount count;
  while (profile >> name >> count.hits >> count.missed) {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (events_[i].name == name && seen[i] < events_[i].probes.size()) {
        counts[events_[i].probes[seen[i]++]] = count;
      }
    }
  }
  return counts;
}

Result<KprobeEvents> KprobeEvents::open(SettingPolicy policy) {
  Tracefs tracefs = KINST_TRY(Tracefs::open());
  if (faccessat(tracefs.descriptor(), "kprobe_events", F_OK, 0) != 0) {
    return error(
        "this kernel has no kprobes (CONFIG_KPROBE_EVENTS); --vm traces the kernel of "
        "a guest instead");
  }
  FileDescriptor commands = KINST_TRY(tracefs.open_commands("kprobe_events"));
  remove_abandoned_groups(tracefs);
  restore_abandoned_settings();
  Survivor watcher = KINST_TRY(start_watcher());
  const GroupOwner owner = KINST_TRY(this_process());
  return KprobeEvents(std::make_shared<Shared>(Shared{
      std::move(tracefs), std::move(commands), std::move(watcher), owner, policy}));
}

Result<std::unique_ptr<KprobeAttachment>> KprobeEvents::attach(
    const LoadedProgram& program, std::span<const KernelAddress> addresses,
    KprobeKind kind, const ProgressReport& progress) {
  auto events = std::make_unique<Events>(shared_, addresses.size());
  KINST_CHECK(events->attach(program, addresses, kind, progress));
  return events;
}

Result<std::unique_ptr<KprobeAttachment>> KprobeEvents::attach_coming(
    const LoadedProgram& program, std::span<const ComingKprobe> probes,
    const ProgressReport& progress) {
  auto events = std::make_unique<Events>(shared_, probes.size());
  KINST_CHECK(events->attach_coming(program, probes, progress));
  return events;
}

}  // namespace kinst::bpf
