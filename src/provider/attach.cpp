// Each kind of site has its way of attaching in bpf.
#include "provider/attach.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "bpf/attach_functions.h"
#include "bpf/attach_sampling.h"
#include "bpf/attach_tracepoint.h"
#include "bpf/attach_uprobes.h"

namespace kinst::provider {

struct Attacher::Work {
  const bpf::LoadedProgram& program;
  std::span<const Probe> all;
  std::span<const std::size_t> probes;
  const bpf::ProgressReport& progress;

  [[nodiscard]] const Probe& probe(std::size_t number) const {
    return all[probes[number]];
  }
};

namespace {

Attached only(bpf::OwnedAttachment attachment) {
  Attached result;
  result.attachments.push_back(std::move(attachment));
  return result;
}

Result<Attached> attach_timers(const bpf::LoadedProgram& program,
                               std::span<const Probe> all,
                               std::span<const std::size_t> probes) {
  Attached result;
  for (const std::size_t index : probes) {
    const auto& timer = std::get<Timer>(all[index].site);
    result.attachments.push_back(KINST_TRY(bpf::attach_sampling(
        program, std::chrono::nanoseconds(timer.period_ns),
        timer.on_every_cpu ? bpf::SampledCpus::All : bpf::SampledCpus::One)));
  }
  return result;
}

Result<Attached> attach_raw(const bpf::LoadedProgram& program,
                            const std::string& tracepoint) {
  return only(KINST_TRY(bpf::attach_raw_tracepoint(program, tracepoint)));
}

Result<Attached> attach_record(const bpf::LoadedProgram& program,
                               const Tracepoint& site) {
  return only(KINST_TRY(bpf::attach_tracepoint(
      program, site.format.id,
      fmt::format("tracepoint {}:{}", site.tracepoint.system, site.tracepoint.name))));
}

// The kernel takes the places of one file at a time.
Result<Attached> attach_user(const bpf::LoadedProgram& program,
                             std::span<const Probe> all,
                             std::span<const std::size_t> indexes,
                             const bpf::ProgressReport& progress) {
  std::map<std::tuple<pid_t, std::string, bool>, std::vector<std::size_t>> by_file;
  for (const std::size_t index : indexes) {
    const auto& site = std::get<UserInstruction>(all[index].site);
    by_file[{site.process, site.file, site.kind == UserPlaceKind::Return}].push_back(
        index);
  }
  Attached result;
  for (const auto& [where, probes] : by_file) {
    const auto& [process, file, is_return] = where;
    std::vector<bpf::UprobePlace> places;
    for (const std::size_t index : probes) {
      const Probe& probe = all[index];
      places.push_back(
          {.file_offset = std::get<UserInstruction>(probe.site).file_offset,
           .cookie = probe.key});
    }
    auto attached = bpf::attach_uprobes(
        program,
        {.path = file,
         .process = process,
         .kind = is_return ? bpf::UprobeKind::Return : bpf::UprobeKind::Instruction},
        places, progress);
    if (!attached) {
      return tl::unexpected(in_context(
          "cannot attach " + full_name(all[probes.front()]), attached.error()));
    }
    for (const bpf::RefusedUprobe& one : attached->refused) {
      result.refused.push_back(
          {.probe = full_name(all[probes[one.index]]), .reason = one.reason});
    }
    result.attachments.push_back(std::move(attached->attachment));
  }
  return result;
}

}  // namespace

std::string full_name(const Probe& probe) {
  return fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function,
                     probe.name);
}

Result<Attached> Attacher::attach_kprobes(const Work& work, bpf::KprobeKind kind,
                                          std::span<const KernelAddress> addresses) {
  if (!kprobes_) {
    kprobes_ = KINST_TRY(bpf::Kprobes::open());
  }
  auto attached = kprobes_->attach(work.program, addresses, kind, work.progress);
  if (!attached) {
    return tl::unexpected(
        work.probes.size() == 1
            ? in_context("cannot attach " + full_name(work.probe(0)), attached.error())
            : attached.error());
  }
  Attached result;
  for (const bpf::RefusedProbe& one : (*attached)->refused()) {
    result.refused.push_back(
        {.probe = full_name(work.probe(one.index)), .reason = one.reason});
  }
  result.attachments.push_back(*std::move(attached));
  return result;
}

Result<Attached> Attacher::attach_instructions(const Work& work) {
  std::vector<KernelAddress> addresses;
  for (std::size_t number = 0; number < work.probes.size(); ++number) {
    addresses.push_back(std::get<KernelInstruction>(work.probe(number).site).address);
  }
  return attach_kprobes(work, bpf::KprobeKind::Instruction, addresses);
}

Result<Attached> Attacher::attach_functions(const Work& work, Edge edge) {
  const bool is_entry = edge == Edge::Entry;
  std::vector<KernelAddress> addresses;
  for (std::size_t number = 0; number < work.probes.size(); ++number) {
    addresses.push_back(std::get<KernelFunction>(work.probe(number).site).address);
  }
  if (work.program.expected_attach_type == bpf::kprobe_multi_attach_type) {
    return only(KINST_TRY(bpf::attach_kprobe_multi(
        work.program, addresses,
        is_entry ? bpf::FunctionPlace::Entry : bpf::FunctionPlace::Return)));
  }
  return attach_kprobes(
      work, is_entry ? bpf::KprobeKind::Instruction : bpf::KprobeKind::Return,
      addresses);
}

Result<Attached> Attacher::attach(const bpf::LoadedProgram& program,
                                  std::span<const Probe> all,
                                  std::span<const std::size_t> probes,
                                  const bpf::ProgressReport& progress) {
  const Work work{program, all, probes, progress};
  return std::visit(
      Overloaded{[](const OwnProbe&) -> Result<Attached> { return Attached{}; },
                 [&](const KernelInstruction&) { return attach_instructions(work); },
                 [&](const Timer&) { return attach_timers(program, all, probes); },
                 [&](const SystemCall& first) {
                   return attach_raw(
                       program, first.edge == Edge::Entry ? "sys_enter" : "sys_exit");
                 },
                 [&](const KernelFunction& first) {
                   return attach_functions(work, first.edge);
                 },
                 [&](const Tracepoint& site) { return attach_record(program, site); },
                 [&](const RawTracepoint& site) {
                   return attach_raw(program, site.tracepoint);
                 },
                 [&](const UserInstruction&) {
                   return attach_user(program, all, probes, progress);
                 }},
      all[probes.front()].site);
}

}  // namespace kinst::provider
