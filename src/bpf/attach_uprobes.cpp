#include "bpf/attach_uprobes.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "bpf/perf_event.h"

namespace kinst::bpf {
namespace {

// events/…/uprobe/format: retprobe is bit 0 of config, ref_ctr_offset its upper half.
constexpr std::uint64_t at_return = 1;
constexpr unsigned semaphore_shift = 32;

std::string refusal(int number) {
  switch (number) {
    case EINVAL:
    case EILSEQ:
    case ENOEXEC:
      return "no instruction that can be probed is there";
    case EOPNOTSUPP:
    case 524:  // ENOTSUPP, the kernel's own
      return "the kernel cannot step over the instruction there";
    case ESRCH:
      return "the process has ended";
    default:
      return std::strerror(number);
  }
}

perf_event_attr attributes_of(std::uint32_t type, const UprobeTarget& target,
                              const UprobePlace& place) {
  perf_event_attr attributes{};
  attributes.type = type;
  attributes.config = target.kind == UprobeKind::Return ? at_return : 0;
  attributes.config |= std::uint64_t{place.semaphore_offset} << semaphore_shift;
  const char* path = target.path.c_str();
  static_assert(sizeof attributes.uprobe_path == sizeof path);
  std::memcpy(&attributes.uprobe_path, &path, sizeof path);
  attributes.probe_offset = place.file_offset;
  return attributes;
}

}  // namespace

Result<AttachedUprobes> attach_uprobes(const LoadedProgram& program,
                                       const UprobeTarget& target,
                                       std::span<const UprobePlace> places,
                                       const ProgressReport& progress) {
  const std::uint32_t type = KINST_TRY(perf_event_type("uprobe"));
  // All processes: on one CPU, as the program runs on all; see attach_tracepoint.
  const bool everywhere = target.process < 0;
  const PerfTarget whose{.process = target.process,
                         .cpu = everywhere ? KINST_TRY(online_cpus()).front() : -1};
  auto attachment = std::make_unique<PerfAttachment>();
  AttachedUprobes attached;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (progress && progress(i, places.size()) == Progress::Stop) {
      return tl::unexpected(interrupted());
    }
    FileDescriptor event =
        try_perf_event(attributes_of(type, target, places[i]), whose);
    if (!event) {
      attached.refused.push_back({i, refusal(errno)});
      continue;
    }
    KINST_CHECK(attachment->add(
        program, std::move(event), places[i].cookie,
        fmt::format("{} at {:#x}", target.path, places[i].file_offset)));
  }
  if (attachment->size() == 0) {
    return error(
        "cannot attach program {} to {}: {}", program.name, target.path,
        attached.refused.empty() ? "no probes" : attached.refused.front().reason);
  }
  attached.attachment = std::move(attachment);
  return attached;
}

}  // namespace kinst::bpf
