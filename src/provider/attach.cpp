// Each kind of site has its way of attaching in bpf.
#include "provider/attach.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <chrono>
#include <map>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "bpf/attach/attach_functions.h"
#include "bpf/attach/attach_sampling.h"
#include "bpf/attach/attach_tracepoint.h"
#include "bpf/attach/attach_uprobes.h"

namespace kinst::provider {

struct Attacher::Work {
  const bpf::LoadedProgram& program;
  const TracedProbes& all;
  std::span<const std::size_t> probes;
  const ProgressReport& progress;

  [[nodiscard]] const Probe& probe(std::size_t number) const {
    return all.probes[probes[number]];
  }
  /// The addresses of the kernel functions that the probes are ends of.
  [[nodiscard]] std::vector<KernelAddress> function_addresses() const {
    std::vector<KernelAddress> addresses;
    for (std::size_t number = 0; number < probes.size(); ++number) {
      addresses.push_back(std::get<KernelFunction>(probe(number).site).address);
    }
    return addresses;
  }
};

namespace {

using Attachments = std::vector<bpf::OwnedAttachment>;

Attachments only(bpf::OwnedAttachment attachment) {
  Attachments attachments;
  attachments.push_back(std::move(attachment));
  return attachments;
}

Result<Attachments> attach_timers(const bpf::LoadedProgram& program,
                                  std::span<const Probe> all,
                                  std::span<const std::size_t> probes,
                                  std::optional<int> only_cpu) {
  Attachments attachments;
  for (const std::size_t index : probes) {
    const auto& timer = std::get<Timer>(all[index].site);
    attachments.push_back(KINST_TRY(bpf::attach_sampling(
        program, std::chrono::nanoseconds(timer.period_ns),
        bpf::SampledCpus{.all = timer.on_every_cpu, .chosen = only_cpu})));
  }
  return attachments;
}

Result<Attachments> attach_raw(const bpf::LoadedProgram& program,
                               const std::string& tracepoint) {
  return only(KINST_TRY(bpf::attach_raw_tracepoint(program, tracepoint)));
}

Result<Attachments> attach_record(const bpf::LoadedProgram& program,
                                  const Tracepoint& site) {
  return only(KINST_TRY(bpf::attach_tracepoint(
      program, site.format.id,
      fmt::format("tracepoint {}:{}", site.tracepoint.system, site.tracepoint.name))));
}

// A return has a place for each instruction by which the function is left.
void add_places(const Probe& probe, std::vector<bpf::UprobePlace>& places) {
  const auto& site = std::get<UserInstruction>(probe.site);
  if (site.kind != UserPlaceKind::Return) {
    places.push_back({.file_offset = site.file_offset, .cookie = probe.key});
    return;
  }
  for (const UserExit& exit : site.exits) {
    places.push_back(
        {.file_offset = exit.file_offset, .cookie = user_cookie(probe.key, exit)});
  }
}

}  // namespace

Result<bpf::Kprobes*> Attacher::kprobes() {
  if (!kprobes_) {
    kprobes_ = KINST_TRY(bpf::Kprobes::open(setting_policy_));
  }
  return &*kprobes_;
}

Result<void> Attacher::prepare_kprobes() {
  KINST_TRY(kprobes());
  return {};
}

void Attacher::let_optimize() {
  if (kprobes_) {
    kprobes_->let_optimize();
  }
}

Result<Attachments> Attacher::attach_kprobes(const Work& work, bpf::KprobeKind kind,
                                             std::span<const KernelAddress> addresses) {
  bpf::Kprobes* way = KINST_TRY(kprobes());
  return attached_kprobes(work,
                          way->attach(work.program, addresses, kind, work.progress));
}

// Notes what the kernel has refused of the probes.
Result<Attachments> Attacher::attached_kprobes(
    const Work& work, Result<std::unique_ptr<bpf::KprobeAttachment>> attached) {
  if (!attached) {
    return tl::unexpected(
        work.probes.size() == 1
            ? in_context("cannot attach " + full_name(work.probe(0)), attached.error())
            : attached.error());
  }
  for (const bpf::RefusedProbe& refusal : (*attached)->refused()) {
    refused_.push_back({.probe = work.probes[refusal.index], .reason = refusal.reason});
  }
  return only(*std::move(attached));
}

Result<Attachments> Attacher::attach_instructions(const Work& work) {
  std::vector<KernelAddress> addresses;
  for (std::size_t number = 0; number < work.probes.size(); ++number) {
    addresses.push_back(std::get<KernelInstruction>(work.probe(number).site).address);
  }
  return attach_kprobes(work, bpf::KprobeKind::Instruction, addresses);
}

// A probe can have several, so what is refused is told by the instruction.
Result<Attachments> Attacher::attach_breakpoints(const Work& work) {
  std::vector<KernelAddress> addresses;
  std::vector<std::size_t> probes;
  for (const std::size_t index : work.probes) {
    const auto& tracing = std::get<ByBreakpoints>(work.all.tracing[index]);
    for (const FunctionBreakpoint& breakpoint : tracing.breakpoints) {
      addresses.push_back(breakpoint.address);
      probes.push_back(index);
    }
  }
  return attach_kprobes({work.program, work.all, probes, work.progress},
                        bpf::KprobeKind::Instruction, addresses);
}

// One function that is refused makes the kernel refuse all: halves find which it is.
Result<void> Attacher::attach_at_once(const Work& work,
                                      std::span<const KernelAddress> functions,
                                      std::size_t begin, Attachments& attachments) {
  const bool is_entry =
      std::get<KernelFunction>(work.probe(begin).site).edge == Edge::Entry;
  auto attached = bpf::attach_kprobe_multi(
      work.program, functions,
      is_entry ? bpf::FunctionPlace::Entry : bpf::FunctionPlace::Return);
  if (attached) {
    attachments.push_back(*std::move(attached));
    return {};
  }
  KINST_CHECK(tell_progress(work.progress, begin, work.probes.size()));
  if (functions.size() > 1) {
    const std::size_t half = functions.size() / 2;
    KINST_CHECK(attach_at_once(work, functions.first(half), begin, attachments));
    return attach_at_once(work, functions.subspan(half), begin + half, attachments);
  }
  constexpr std::size_t too_many = 100;
  if (work.probes.size() == 1 || refused_.size() >= too_many) {
    return tl::unexpected(
        in_context("cannot attach " + full_name(work.probe(begin)), attached.error()));
  }
  refused_.push_back(
      {.probe = work.probes[begin], .reason = "ftrace cannot trace this function"});
  return {};
}

Result<Attachments> Attacher::attach_all_at_once(const Work& work) {
  const std::vector<KernelAddress> addresses = work.function_addresses();
  KINST_CHECK(tell_progress(work.progress, 0, addresses.size()));
  Attachments attachments;
  KINST_CHECK(attach_at_once(work, addresses, 0, attachments));
  return attachments;
}

Result<Attachments> Attacher::attach_functions(const Work& work, Edge edge) {
  return std::visit(
      Overloaded{[&](const ByEvents&) {
                   return attach_kprobes(work,
                                         edge == Edge::Entry
                                             ? bpf::KprobeKind::Instruction
                                             : bpf::KprobeKind::Return,
                                         work.function_addresses());
                 },
                 [&](const AtOnce&) { return attach_all_at_once(work); },
                 [&](const ByFentry&) -> Result<Attachments> {
                   return only(KINST_TRY(bpf::attach_tracing(work.program)));
                 },
                 [&](const ByBreakpoints&) { return attach_breakpoints(work); }},
      work.all.tracing[work.probes.front()]);
}

Result<Attachments> Attacher::attach_coming(const Work& work) {
  std::vector<bpf::ComingKprobe> places;
  for (std::size_t number = 0; number < work.probes.size(); ++number) {
    const Probe& probe = work.probe(number);
    const bool is_return =
        std::get<ComingFunction>(probe.site).place == ComingPlace::Return;
    places.push_back(
        {.module = probe.module,
         .function = probe.function,
         .kind = is_return ? bpf::KprobeKind::Return : bpf::KprobeKind::Instruction,
         .cookie = probe.key});
  }
  bpf::Kprobes* way = KINST_TRY(kprobes());
  return attached_kprobes(work,
                          way->attach_coming(work.program, places, work.progress));
}

// What the process had mapped can be opened through it for as long as it has it mapped;
// what it executes later may be the same file.
std::string Attacher::kept_path(pid_t process, const std::string& file) {
  FileDescriptor& kept = files_[{process, file}];
  if (!kept) {
    kept = FileDescriptor(open(file.c_str(), O_PATH | O_CLOEXEC));
  }
  return kept ? fmt::format("/proc/self/fd/{}", kept.get()) : file;
}

// The kernel takes the places of one file at a time.
Result<Attachments> Attacher::attach_user(const Work& work) {
  std::map<std::pair<pid_t, std::string>, std::vector<std::size_t>> by_file;
  for (const std::size_t index : work.probes) {
    const auto& site = std::get<UserInstruction>(work.all.probes[index].site);
    by_file[{site.process, site.file}].push_back(index);
  }
  Attachments attachments;
  for (const auto& [where, probes_of_file] : by_file) {
    const auto& [process, file] = where;
    std::vector<bpf::UprobePlace> places;
    std::vector<std::size_t> probes;  // of each place
    for (const std::size_t index : probes_of_file) {
      add_places(work.all.probes[index], places);
      probes.resize(places.size(), index);
    }
    auto attached = bpf::attach_uprobes(
        work.program,
        {.path = file, .process = process, .openable = kept_path(process, file)},
        places, work.progress);
    if (!attached) {
      return tl::unexpected(
          in_context("cannot attach " + full_name(work.all.probes[probes.front()]),
                     attached.error()));
    }
    for (const bpf::RefusedUprobe& refusal : attached->refused) {
      refused_.push_back({.probe = probes[refusal.index], .reason = refusal.reason});
    }
    attachments.push_back(std::move(attached->attachment));
  }
  return attachments;
}

Result<Attachments> Attacher::attach(const bpf::LoadedProgram& program,
                                     const TracedProbes& all,
                                     std::span<const std::size_t> probes,
                                     const ProgressReport& progress) {
  const Work work{program, all, probes, progress};
  return std::visit(
      Overloaded{
          [](const DtraceProbe&) -> Result<Attachments> { return Attachments{}; },
          [&](const KernelInstruction&) { return attach_instructions(work); },
          [&](const Timer&) {
            return attach_timers(program, all.probes, probes, only_cpu_);
          },
          [&](const SystemCall& first) {
            return attach_raw(program,
                              first.edge == Edge::Entry ? "sys_enter" : "sys_exit");
          },
          [&](const KernelFunction& first) {
            return attach_functions(work, first.edge);
          },
          [&](const ComingFunction&) { return attach_coming(work); },
          [&](const Tracepoint& site) { return attach_record(program, site); },
          [&](const RawTracepoint& site) {
            return attach_raw(program, site.tracepoint);
          },
          [&](const UserInstruction&) { return attach_user(work); }},
      all.probes[probes.front()].site);
}

}  // namespace kinst::provider
