// A BPF program at the end of execve() sends SIGSTOP to the process that it runs in,
// which then never comes to the program's first instruction; SIGCONT lets it go on, and
// is right at any time after, as it takes back a SIGSTOP that has not stopped anybody
// yet. A child of this process, which shares the memory where the stops are counted,
// lets go what this process cannot any more.
#include "session/process_stops.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <utility>

#include "bpf/attach_tracepoint.h"
#include "bpf/function_builder.h"
#include "bpf/link.h"
#include "session/platform.h"

namespace kinst::session {
namespace {

using bpf::Register;

constexpr auto get_ns_current_pid_tgid = bpf::Helper{BPF_FUNC_get_ns_current_pid_tgid};

// What the program and both processes know of one process.
struct Slot {
  std::uint64_t stops = 0;  ///< how often it was stopped
  std::uint64_t answered = 0;
  std::uint64_t process = 0;
};
static_assert(sizeof(Slot) == 24);

std::span<Slot> slots_in(const bpf::MappedArray& memory, std::size_t count) {
  // The map's elements are plain words.
  return {reinterpret_cast<Slot*>(memory.bytes().data()), count};
}

// R7 = the number of the process that runs, as this process counts them. Goes to `out`
// if it has none.
void find_process(bpf::Label out, bpf::FunctionBuilder& code) {
  if (is_in_initial_pid_namespace()) {
    code.emit(bpf::alu(bpf::Arithmetic::ShiftRight, Register::R7, 32));
    return;
  }
  struct stat name_space {};
  stat("/proc/self/ns/pid", &name_space);
  // struct bpf_pidns_info: the thread's number, and the process's.
  constexpr std::int16_t info = -16;
  code.emit(bpf::store(bpf::Size::Double, Register::R10, info, 0));
  // As the kernel writes device numbers: MKDEV.
  code.load_constant(Register::R1, std::uint64_t{major(name_space.st_dev)} << 20U |
                                       minor(name_space.st_dev));
  code.load_constant(Register::R2, name_space.st_ino);
  code.emit(bpf::mov(Register::R3, Register::R10));
  code.emit(bpf::alu(bpf::Arithmetic::Add, Register::R3, info));
  code.emit(bpf::mov(Register::R4, 8));
  code.call(get_ns_current_pid_tgid);
  code.jump_if(Register::R0, bpf::Condition::NotEqual, 0, out);
  code.emit(bpf::load(bpf::Size::Word, Register::R7, Register::R10, info + 4));
}

// At the raw tracepoint sched_process_exec(task, the thread's number before, …): by now
// the thread has the number of the process's first.
bpf::Program make_program(const std::vector<pid_t>& processes, bpf::MapId slots,
                          bpf::MapId records) {
  bpf::FunctionBuilder code("stop");
  const bpf::Label out = code.label();
  const bpf::Label stop = code.label();
  code.emit(bpf::mov(Register::R6, Register::R1));
  code.call(bpf::Helper::GetCurrentPidTgid);
  code.emit(bpf::mov(Register::R7, Register::R0));
  code.emit(bpf::load(bpf::Size::Double, Register::R1, Register::R6, 8));
  code.jump_if32(Register::R1, bpf::Condition::Equal, Register::R7, out);
  find_process(out, code);
  for (std::size_t slot = 0; slot < processes.size(); ++slot) {
    const bpf::Label next = code.label();
    code.jump_if32(Register::R7, bpf::Condition::NotEqual, processes[slot], next);
    code.load_map_value(Register::R8, slots,
                        static_cast<std::uint32_t>(slot * sizeof(Slot)));
    code.emit(bpf::store(bpf::Size::Double, Register::R10, -8,
                         static_cast<std::int32_t>(slot)));
    code.jump(stop);
    code.bind(next);
  }
  code.jump(out);
  code.bind(stop);
  code.emit(bpf::mov(Register::R1, SIGSTOP));
  code.call(bpf::Helper::SendSignal);
  code.jump_if(Register::R0, bpf::Condition::NotEqual, 0, out);
  code.emit(bpf::mov(Register::R1, 1));
  code.emit(bpf::atomic(bpf::Size::Double, bpf::Atomic::Add, Register::R8,
                        offsetof(Slot, stops), Register::R1));
  code.load_map(Register::R1, records);
  code.emit(bpf::mov(Register::R2, Register::R10));
  code.emit(bpf::alu(bpf::Arithmetic::Add, Register::R2, -8));
  code.emit(bpf::mov(Register::R3, 8));
  code.emit(bpf::mov(Register::R4, 0));
  code.call(bpf::Helper::RingbufOutput);
  code.bind(out);
  code.emit(bpf::mov(Register::R0, 0));
  code.exit();
  bpf::Program program;
  program.name = "kinst_executed";
  program.type = bpf::ProgramType::RawTracepoint;
  program.functions.push_back(std::move(code).finish());
  return program;
}

Result<bpf::Object> load(const std::vector<pid_t>& processes) {
  bpf::ObjectSpecification specification;
  std::vector<Slot> slots(processes.size());
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    slots[slot].process = static_cast<std::uint64_t>(processes[slot]);
  }
  const auto contents = std::as_bytes(std::span(slots));
  const bpf::MapId slots_map =
      specification.add_map({.name = "slots",
                             .type = bpf::MapType::Array,
                             .key_size = 4,
                             .value_size = static_cast<std::uint32_t>(contents.size()),
                             .max_entries = 1,
                             .flags = BPF_F_MMAPABLE,
                             .contents = {contents.begin(), contents.end()},
                             .frozen = false});
  const bpf::MapId records = specification.add_map({.name = "stopped",
                                                    .type = bpf::MapType::RingBuffer,
                                                    .key_size = 0,
                                                    .value_size = 0,
                                                    .max_entries = 4096,
                                                    .flags = 0,
                                                    .contents = {},
                                                    .frozen = false});
  specification.programs.push_back(make_program(processes, slots_map, records));
  const bpf::Image image = KINST_TRY(bpf::link(specification, {}));
  auto object = bpf::load(image);
  if (!object) {
    return tl::unexpected(Error{object.error().message});
  }
  return *std::move(object);
}

// Whether it had not been let go.
bool let_go_if_stopped(Slot& slot) {
  const std::uint64_t stops =
      std::atomic_ref(slot.stops).load(std::memory_order_acquire);
  if (std::atomic_ref(slot.answered).exchange(stops) == stops) {
    return false;
  }
  ::kill(static_cast<pid_t>(slot.process), SIGCONT);
  return true;
}

void nap(std::chrono::nanoseconds time) {
  const timespec length{.tv_sec = 0, .tv_nsec = time.count()};
  nanosleep(&length, nullptr);
}

// Only what may be done between fork and exec, as this process has threads.
[[noreturn]] void keep(int life_line, std::span<Slot> slots) {
  setsid();
  prctl(PR_SET_NAME, "kinst-keeper");
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  dup2(life_line, 0);
  syscall(SYS_close_range, 1, ~0U, 0);
  [[maybe_unused]] const int moved = chdir("/");
  char byte = 0;
  if (::read(0, &byte, 1) == 0) {
    // A dead process's programs begin until all that it had open is closed.
    constexpr int looks = 200;
    for (int look = 0; look < looks; ++look) {
      std::ranges::for_each(slots, let_go_if_stopped);
      nap(std::chrono::milliseconds(10));
    }
  }
  _exit(0);
}

Result<Keeper> start_keeper(std::span<Slot> slots) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return system_error("make a pipe", errno);
  }
  const FileDescriptor watched_end(ends[0]);
  FileDescriptor life_line(ends[1]);
  // As fork(), but without SIGCHLD at its end, so that no wait() for others sees it.
  const long child = syscall(SYS_clone, 0UL, nullptr, nullptr, nullptr, 0UL);
  if (child == 0) {
    keep(watched_end.get(), slots);
  }
  if (child < 0) {
    return system_error("start a process", errno);
  }
  return Keeper{.life_line = std::move(life_line),
                .process = static_cast<pid_t>(child)};
}

}  // namespace

ProcessStops::ProcessStops(Parts parts)
    : object_(std::move(parts.object)),
      records_(std::move(parts.records)),
      slots_(std::move(parts.slots)),
      processes_(std::move(parts.processes)),
      keeper_(std::move(parts.keeper)) {}

Result<ProcessStops> ProcessStops::start(const std::set<pid_t>& processes) {
  std::vector<pid_t> watched;
  for (const pid_t process : processes) {
    if (process != getpid() && ::kill(process, 0) == 0 && watched.size() < most) {
      watched.push_back(process);
    }
  }
  if (watched.empty()) {
    return error("no process may be stopped");
  }
  bpf::Object object = KINST_TRY(load(watched));
  bpf::RingBuffer records = KINST_TRY(bpf::RingBuffer::open(object.maps[1]));
  bpf::MappedArray slots = KINST_TRY(object.maps[0].mapped());
  Keeper keeper = KINST_TRY(start_keeper(slots_in(slots, watched.size())));
  ProcessStops stops({.object = std::move(object),
                      .records = std::move(records),
                      .slots = std::move(slots),
                      .processes = std::move(watched),
                      .keeper = std::move(keeper)});
  stops.attachment_ = KINST_TRY(
      bpf::attach_raw_tracepoint(stops.object_.programs[0], "sched_process_exec"));
  return stops;
}

ProcessStops::~ProcessStops() {
  attachment_.reset();
  if (!keeper_.life_line) {
    return;
  }
  const auto slots = slots_in(slots_, processes_.size());
  std::ranges::for_each(slots, let_go_if_stopped);
  // A program that had just begun may have stopped its process since.
  nap(std::chrono::milliseconds(1));
  std::ranges::for_each(slots, let_go_if_stopped);
  if (::write(keeper_.life_line.get(), "q", 1) == 1) {
    waitpid(keeper_.process, nullptr, __WALL);
  }
}

std::vector<pid_t> ProcessStops::take() {
  std::vector<pid_t> stopped;
  records_.consume([&](std::span<const std::byte> record) {
    std::uint64_t slot = 0;
    std::memcpy(&slot, record.data(), sizeof slot);
    stopped.push_back(processes_.at(slot));
  });
  return stopped;
}

void ProcessStops::let_go(pid_t process) {
  for (Slot& slot : slots_in(slots_, processes_.size())) {
    if (static_cast<pid_t>(slot.process) == process) {
      let_go_if_stopped(slot);
    }
  }
}

}  // namespace kinst::session
