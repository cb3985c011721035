#include "bpf/attach/attach_uprobes.h"

#include <bpf/bpf.h>
#include <fmt/core.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "bpf/attach/perf_event.h"

namespace kinst::bpf {
namespace {

// events/…/uprobe/format: ref_ctr_offset is the upper half of config. Bit 0, retprobe,
// stays 0: a return probe replaces return addresses on the program's stack, which
// breaks what reads them (exceptions, unwinding, Go's runtime) or leaves without
// returning (longjmp, swapcontext).
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
  attributes.config = std::uint64_t{place.semaphore_offset} << semaphore_shift;
  const char* path = target.path_to_open().c_str();
  static_assert(sizeof attributes.uprobe_path == sizeof path);
  std::memcpy(&attributes.uprobe_path, &path, sizeof path);
  attributes.probe_offset = place.file_offset;
  return attributes;
}

// The part of bpf_attr for BPF_LINK_CREATE, of include/uapi/linux/bpf.h since 6.6; the
// headers that programs are built with may be older.
struct UprobeMultiRequest {
  std::uint32_t program = 0;
  std::uint32_t target = 0;
  std::uint32_t attach_type = uprobe_multi_attach_type;
  std::uint32_t link_flags = 0;
  const char* path = nullptr;
  const std::uint64_t* offsets = nullptr;
  const std::uint64_t* semaphores = nullptr;
  const std::uint64_t* cookies = nullptr;
  std::uint32_t count = 0;
  std::uint32_t flags = 0;
  std::int32_t process = 0;
  std::uint32_t padding = 0;
};
static_assert(sizeof(UprobeMultiRequest) == 64);

FileDescriptor create_link(const UprobeMultiRequest& request) {
  return FileDescriptor(
      static_cast<int>(syscall(SYS_bpf, BPF_LINK_CREATE, &request, sizeof request)));
}

class UprobeLinks : public Attachment {
 public:
  void add(FileDescriptor link) { links_.push_back(std::move(link)); }
  [[nodiscard]] bool empty() const { return links_.empty(); }

 private:
  std::vector<FileDescriptor> links_;
};

FileDescriptor try_places(const LoadedProgram& program, const UprobeTarget& target,
                          std::span<const UprobePlace> places) {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint64_t> semaphores;
  std::vector<std::uint64_t> cookies;
  for (const UprobePlace& place : places) {
    offsets.push_back(place.file_offset);
    semaphores.push_back(place.semaphore_offset);
    cookies.push_back(place.cookie);
  }
  UprobeMultiRequest request;
  request.program = static_cast<std::uint32_t>(program.descriptor.get());
  request.path = target.path_to_open().c_str();
  request.offsets = offsets.data();
  request.semaphores = semaphores.data();
  request.cookies = cookies.data();
  request.count = static_cast<std::uint32_t>(places.size());
  request.process = target.process < 0 ? 0 : target.process;
  return create_link(request);
}

// If the kernel refuses one place, it refuses all. Each half is then tried by itself,
// until the refused places are found.
class AllAtOnce {
 public:
  AllAtOnce(const LoadedProgram& program, const UprobeTarget& target,
            std::span<const UprobePlace> places, const ProgressReport& progress)
      : program_(program), target_(target), places_(places), progress_(progress) {}

  Result<AttachedUprobes> attach() {
    KINST_CHECK(attach(0, places_.size()));
    if (links_->empty()) {
      return error("cannot attach program {} to {}: {}", program_.name, target_.path,
                   refused_.empty() ? "no probes" : refused_.front().reason);
    }
    return AttachedUprobes{.attachment = std::move(links_),
                           .refused = std::move(refused_)};
  }

 private:
  Result<void> attach(std::size_t begin, std::size_t count) {
    KINST_CHECK(tell_progress(progress_, begin, places_.size()));
    FileDescriptor link = try_places(program_, target_, places_.subspan(begin, count));
    if (link) {
      links_->add(std::move(link));
      return {};
    }
    if (count == 1) {
      refused_.push_back({begin, refusal(errno)});
      return {};
    }
    if (errno == ESRCH || errno == ENOENT || errno == EBADF) {
      return error("cannot attach program {} to {}: {}", program_.name, target_.path,
                   refusal(errno));
    }
    KINST_CHECK(attach(begin, count / 2));
    return attach(begin + count / 2, count - count / 2);
  }

  const LoadedProgram& program_;
  const UprobeTarget& target_;
  std::span<const UprobePlace> places_;
  const ProgressReport& progress_;
  std::unique_ptr<UprobeLinks> links_ = std::make_unique<UprobeLinks>();
  std::vector<RefusedUprobe> refused_;
};

}  // namespace

// The test of libbpf's features.c. A kernel that knows uprobe_multi refuses a directory
// with EBADF. It refuses a negative process with EINVAL if "process" means all threads
// of a process; at first it did not.
bool uprobe_multi_available() {
  const std::array<bpf_insn, 2> code = {bpf_insn{.code = BPF_ALU64 | BPF_MOV | BPF_K},
                                        bpf_insn{.code = BPF_JMP | BPF_EXIT}};
  bpf_prog_load_opts options{.sz = sizeof options};
  options.expected_attach_type = static_cast<bpf_attach_type>(uprobe_multi_attach_type);
  const FileDescriptor program(bpf_prog_load(BPF_PROG_TYPE_KPROBE, "probe", "GPL",
                                             code.data(), code.size(), &options));
  if (!program) {
    return false;
  }
  const std::uint64_t offset = 1;
  UprobeMultiRequest request;
  request.program = static_cast<std::uint32_t>(program.get());
  request.path = "/";
  request.offsets = &offset;
  request.count = 1;
  if (create_link(request) || errno != EBADF) {
    return false;
  }
  request.process = -1;
  return !create_link(request) && errno == EINVAL;
}

Result<AttachedUprobes> attach_uprobes(const LoadedProgram& program,
                                       const UprobeTarget& target,
                                       std::span<const UprobePlace> places,
                                       const ProgressReport& progress) {
  if (program.expected_attach_type == uprobe_multi_attach_type && !places.empty()) {
    return AllAtOnce(program, target, places, progress).attach();
  }
  const std::uint32_t type = KINST_TRY(perf_event_type("uprobe"));
  // All processes: on one CPU, as the program runs on all; see attach_tracepoint.
  const bool everywhere = target.process < 0;
  const PerfTarget whose{.process = target.process,
                         .cpu = everywhere ? KINST_TRY(online_cpus()).front() : -1};
  auto attachment = std::make_unique<PerfAttachment>();
  AttachedUprobes attached;
  for (std::size_t i = 0; i < places.size(); ++i) {
    KINST_CHECK(tell_progress(progress, i, places.size()));
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

Result<FileDescriptor> attach_idle_uprobe(const UprobeTarget& target,
                                          std::uint64_t file_offset) {
  const std::uint32_t type = KINST_TRY(perf_event_type("uprobe"));
  return open_perf_event(attributes_of(type, target, {.file_offset = file_offset}),
                         {.process = target.process, .cpu = -1},
                         fmt::format("a uprobe in {}", target.path));
}

}  // namespace kinst::bpf
