#include "bpf/attach/attach_kprobe_perf.h"

#include <cerrno>
#include <utility>

#include "bpf/attach/perf_event.h"

namespace kinst::bpf {
namespace {

// Bit 0 of config makes it a return probe: events/…/kprobe/format/retprobe.
constexpr std::uint64_t at_return = 1;

class SingleAttachment : public KprobeAttachment {
 public:
  SingleAttachment(std::shared_ptr<const Survivor> watcher, SettingPolicy policy)
      : watcher_(std::move(watcher)), policy_(policy) {}
  SingleAttachment(const SingleAttachment&) = delete;
  SingleAttachment& operator=(const SingleAttachment&) = delete;
  SingleAttachment(SingleAttachment&&) = delete;
  SingleAttachment& operator=(SingleAttachment&&) = delete;
  ~SingleAttachment() override { SingleAttachment::detach({}); }

  [[nodiscard]] std::size_t parts() const override { return perf_.size(); }
  void detach(const std::function<void()>& part_is_gone) override {
    if (empty()) {
      return;
    }
    const BorrowedSetting expedited = expedite_grace_periods(policy_);
    perf_.detach(part_is_gone);
  }

  /// Attaches one probe, or lists it as refused. Errors: the program does not fit.
  Result<void> add(const LoadedProgram& program, const perf_event_attr& attributes,
                   int cpu, std::size_t index) {
    FileDescriptor event = try_perf_event(attributes, {.cpu = cpu});
    if (!event) {
      refused_.push_back({index, kprobe_refusal(errno)});
      return {};
    }
    return perf_.add(program, std::move(event), 0, "a kprobe");
  }

  [[nodiscard]] bool empty() const { return perf_.size() == 0; }
  [[nodiscard]] Result<std::vector<ProbeCount>> counts() const override {
    return error("the kernel counts the hits of probes in tracefs only");
  }
  [[nodiscard]] const std::vector<RefusedProbe>& refused() const override {
    return refused_;
  }

 private:
  std::shared_ptr<const Survivor> watcher_;  ///< as long as there are probes
  SettingPolicy policy_;
  PerfAttachment perf_;
  std::vector<RefusedProbe> refused_;
};

}  // namespace

Result<SingleKprobes> SingleKprobes::open(SettingPolicy policy) {
  const std::uint32_t type = KINST_TRY(perf_event_type("kprobe"));
  restore_abandoned_settings();
  return SingleKprobes(
      type, std::make_shared<const Survivor>(KINST_TRY(start_watcher())), policy);
}

Result<std::unique_ptr<KprobeAttachment>> SingleKprobes::attach(
    const LoadedProgram& program, std::span<const KernelAddress> addresses,
    KprobeKind kind, const ProgressReport& progress) {
  const int cpu = KINST_TRY(online_cpus()).front();
  auto attachment = std::make_unique<SingleAttachment>(watcher_, policy_);
  const BorrowedSetting expedited = expedite_grace_periods(policy_);
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    KINST_CHECK(tell_progress(progress, i, addresses.size()));
    perf_event_attr attributes{};
    attributes.type = event_type_;
    attributes.config = kind == KprobeKind::Return ? at_return : 0;
    attributes.kprobe_addr = number(addresses[i]);
    KINST_CHECK(attachment->add(program, attributes, cpu, i));
  }
  if (attachment->empty()) {
    const auto& refused = attachment->refused();
    return error("cannot attach program {}: {}", program.name,
                 refused.empty() ? "no probes" : refused.front().reason);
  }
  return attachment;
}

}  // namespace kinst::bpf
