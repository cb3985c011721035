// BPF programs send SIGSTOP to the process that they run in: at the end of execve(),
// and where the dynamic linker reports new libraries to debuggers. The process executes
// no further instruction until SIGCONT lets it continue. SIGCONT is right at any time
// after, because it also cancels a SIGSTOP that has not stopped anything yet.
//
// A child of this process shares the memory in which stops are counted. If this process
// dies, the child lets the processes continue.
#include "run/process_stops.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <utility>

#include "bpf/attach/attach_tracepoint.h"
#include "bpf/attach/attach_uprobes.h"
#include "bpf/code/function_builder.h"
#include "bpf/code/link.h"
#include "compile/kernel_platform.h"

namespace kinst::run {
namespace {

using bpf::Register;

constexpr auto get_ns_current_pid_tgid = bpf::Helper{BPF_FUNC_get_ns_current_pid_tgid};

// The state of one process, shared by the BPF program and both of kinst's processes.
struct Slot {
  std::uint64_t stops = 0;  ///< how often it was stopped
  std::uint64_t answered = 0;
  std::uint64_t process = 0;
  /// The address of an int in the process, which is 0 when its libraries are complete.
  std::uint64_t linker_state = 0;
};
static_assert(sizeof(Slot) == 32);

// What the BPF program reports of a stop.
struct Record {
  std::uint32_t slot = 0;
  std::uint32_t reason = 0;
};
static_assert(sizeof(Record) == 8);

struct Maps {
  bpf::MapId slots{};
  bpf::MapId records{};
};

std::span<Slot> slots_in(const bpf::MappedArray& memory, std::size_t count) {
  // The map's elements are plain words.
  return {reinterpret_cast<Slot*>(memory.bytes().data()), count};
}

// R7 = the number of the current process in the pid namespace of kinst. Jumps to `out`
// if the process has no number there.
void find_process(bpf::Label out, bpf::FunctionBuilder& code) {
  if (compile::is_in_initial_pid_namespace()) {
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

// Stops the current process. R8 = its slot, R9 = the reason. The slot's number is at
// slot_record on the stack.
constexpr std::int16_t slot_record = -8;

void load_slot(std::size_t slot, const Maps& maps, bpf::FunctionBuilder& code) {
  code.load_map_value(Register::R8, maps.slots,
                      static_cast<std::uint32_t>(slot * sizeof(Slot)));
  code.emit(bpf::store(bpf::Size::Word, Register::R10, slot_record,
                       static_cast<std::int32_t>(slot)));
}

void stop(const Maps& maps, bpf::Label out, bpf::FunctionBuilder& code) {
  code.emit(bpf::store(bpf::Size::Word, Register::R10, slot_record + 4, Register::R9));
  code.emit(bpf::mov(Register::R1, SIGSTOP));
  code.call(bpf::Helper::SendSignal);
  code.jump_if(Register::R0, bpf::Condition::NotEqual, 0, out);
  code.emit(bpf::mov(Register::R1, 1));
  code.emit(bpf::atomic(bpf::Size::Double, bpf::Atomic::Add, Register::R8,
                        offsetof(Slot, stops), Register::R1));
  code.load_map(Register::R1, maps.records);
  code.emit(bpf::mov(Register::R2, Register::R10));
  code.emit(bpf::alu(bpf::Arithmetic::Add, Register::R2, slot_record));
  code.emit(bpf::mov(Register::R3, sizeof(Record)));
  code.emit(bpf::mov(Register::R4, 0));
  code.call(bpf::Helper::RingbufOutput);
  code.bind(out);
  code.emit(bpf::mov(Register::R0, 0));
  code.exit();
}

std::int32_t number(StopReason reason) {
  return static_cast<std::int32_t>(reason);
}

// At the raw tracepoint sched_process_exec(task, the thread's number before, …): by now
// the thread has the number of the process's first.
bpf::Program execution_program(const std::vector<pid_t>& processes,
                               const std::map<pid_t, bool>& waits, const Maps& maps) {
  bpf::FunctionBuilder code("executed");
  const bpf::Label out = code.label();
  const bpf::Label found = code.label();
  const bpf::Label by_other = code.label();
  code.emit(bpf::mov(Register::R6, Register::R1));
  code.call(bpf::Helper::GetCurrentPidTgid);
  code.emit(bpf::mov(Register::R7, Register::R0));
  code.emit(bpf::load(bpf::Size::Double, Register::R1, Register::R6, 8));
  code.emit(bpf::mov(Register::R9, number(StopReason::ExecutedByOther)));
  code.jump_if32(Register::R1, bpf::Condition::NotEqual, Register::R7, by_other);
  code.emit(bpf::mov(Register::R9, number(StopReason::Executed)));
  code.bind(by_other);
  find_process(out, code);
  for (std::size_t slot = 0; slot < processes.size(); ++slot) {
    const bpf::Label next = code.label();
    code.jump_if32(Register::R7, bpf::Condition::NotEqual, processes[slot], next);
    if (!waits.at(processes[slot])) {
      code.jump_if(Register::R9, bpf::Condition::Equal, number(StopReason::Executed),
                   out);
    }
    load_slot(slot, maps, code);
    code.jump(found);
    code.bind(next);
  }
  code.jump(out);
  code.bind(found);
  stop(maps, out, code);
  bpf::Program program;
  program.name = "kinst_executed";
  program.type = bpf::ProgramType::RawTracepoint;
  program.functions.push_back(std::move(code).finish());
  return program;
}

// Runs where a process's dynamic linker reports a change to debuggers.
bpf::Program loading_program(std::size_t slot, const Maps& maps) {
  bpf::FunctionBuilder code("loaded");
  const bpf::Label out = code.label();
  load_slot(slot, maps, code);
  constexpr std::int16_t state = -16;
  code.emit(bpf::mov(Register::R1, Register::R10));
  code.emit(bpf::alu(bpf::Arithmetic::Add, Register::R1, state));
  code.emit(bpf::mov(Register::R2, sizeof(int)));
  code.emit(bpf::load(bpf::Size::Double, Register::R3, Register::R8,
                      offsetof(Slot, linker_state)));
  code.call(bpf::Helper::ProbeReadUser);
  code.jump_if(Register::R0, bpf::Condition::NotEqual, 0, out);
  code.emit(bpf::load(bpf::Size::Word, Register::R1, Register::R10, state));
  code.jump_if(Register::R1, bpf::Condition::NotEqual, 0, out);
  code.emit(bpf::mov(Register::R9, number(StopReason::Loaded)));
  stop(maps, out, code);
  bpf::Program program;
  program.name = "kinst_loaded";
  program.type = bpf::ProgramType::Kprobe;
  program.expected_attach_type =
      bpf::uprobe_multi_available() ? bpf::uprobe_multi_attach_type : 0;
  program.functions.push_back(std::move(code).finish());
  return program;
}

// The program for executions, and one for each process that waits for libraries, in the
// order of the slots.
Result<bpf::Object> load(const std::vector<pid_t>& processes,
                         const std::map<pid_t, bool>& waits) {
  bpf::ObjectSpecification specification;
  std::vector<Slot> slots(processes.size());
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    slots[slot].process = static_cast<std::uint64_t>(processes[slot]);
  }
  const auto contents = std::as_bytes(std::span(slots));
  Maps maps;
  maps.slots =
      specification.add_map({.name = "slots",
                             .type = bpf::MapType::Array,
                             .key_size = 4,
                             .value_size = static_cast<std::uint32_t>(contents.size()),
                             .max_entries = 1,
                             .flags = BPF_F_MMAPABLE,
                             .contents = {contents.begin(), contents.end()},
                             .frozen = false});
  maps.records = specification.add_map({.name = "stopped",
                                        .type = bpf::MapType::RingBuffer,
                                        .key_size = 0,
                                        .value_size = 0,
                                        .max_entries = 4096,
                                        .flags = 0,
                                        .contents = {},
                                        .frozen = false});
  specification.programs.push_back(execution_program(processes, waits, maps));
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if (waits.at(processes[slot])) {
      specification.programs.push_back(loading_program(slot, maps));
    }
  }
  const bpf::Image image = KINST_TRY(bpf::link(specification, {}));
  auto object = bpf::load(image);
  if (!object) {
    return tl::unexpected(Error{object.error().message});
  }
  return *std::move(object);
}

// Whether the process is alive and may be sent signals.
bool is_alive(const FileDescriptor& process) {
  return syscall(SYS_pidfd_send_signal, process.get(), 0, nullptr, 0) == 0;
}

// Lets the process continue if it was stopped; returns whether it was.
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

// Started by a process with threads, so the task may only call what is safe between
// fork and exec.
Result<Survivor> start_keeper(std::span<Slot> slots) {
  return Survivor::start("keeper", [slots](Ending ending) {
    // The BPF programs of a dead process run until everything that it had open is
    // closed.
    const int looks = ending == Ending::Killed ? 200 : 0;
    for (int round = 0; round < looks; ++round) {
      std::ranges::for_each(slots, let_go_if_stopped);
      nap(std::chrono::milliseconds(10));
    }
  });
}

}  // namespace

ProcessStops::ProcessStops(Parts parts)
    : object_(std::move(parts.object)),
      records_(std::move(parts.records)),
      slots_(std::move(parts.slots)),
      processes_(std::move(parts.processes)),
      identities_(std::move(parts.identities)),
      keeper_(std::move(parts.keeper)),
      linkers_(std::move(parts.linkers)) {}

Result<ProcessStops> ProcessStops::start(const std::map<pid_t, bool>& processes) {
  std::vector<pid_t> watched;
  std::vector<FileDescriptor> identities;
  std::map<pid_t, std::size_t> linkers;
  for (const auto& [process, waits] : processes) {
    FileDescriptor identity(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
    if (process != getpid() && is_alive(identity) && watched.size() < most) {
      watched.push_back(process);
      identities.push_back(std::move(identity));
      if (waits) {
        linkers.emplace(process, linkers.size() + 1);
      }
    }
  }
  if (watched.empty()) {
    return error("no process may be stopped");
  }
  bpf::Object object = KINST_TRY(load(watched, processes));
  bpf::RingBuffer records = KINST_TRY(bpf::RingBuffer::open(object.maps[1]));
  bpf::MappedArray slots = KINST_TRY(object.maps[0].mapped());
  Survivor keeper = KINST_TRY(start_keeper(slots_in(slots, watched.size())));
  ProcessStops stops({.object = std::move(object),
                      .records = std::move(records),
                      .slots = std::move(slots),
                      .processes = std::move(watched),
                      .identities = std::move(identities),
                      .linkers = std::move(linkers),
                      .keeper = std::move(keeper)});
  stops.executions_ = KINST_TRY(
      bpf::attach_raw_tracepoint(stops.object_.programs[0], "sched_process_exec"));
  return stops;
}

ProcessStops::~ProcessStops() {
  executions_.reset();
  loads_.clear();
  if (!keeper_) {
    return;
  }
  const auto slots = slots_in(slots_, processes_.size());
  std::ranges::for_each(slots, let_go_if_stopped);
  // A BPF program that had just begun may have stopped its process meanwhile.
  nap(std::chrono::milliseconds(1));
  std::ranges::for_each(slots, let_go_if_stopped);
  keeper_.dismiss();
}

Result<void> ProcessStops::set_linker(pid_t process, const user::LinkerPlace& place) {
  const auto program = linkers_.find(process);
  if (program == linkers_.end()) {
    return {};
  }
  loads_.erase(process);
  for (Slot& slot : slots_in(slots_, processes_.size())) {
    if (static_cast<pid_t>(slot.process) == process) {
      std::atomic_ref(slot.linker_state).store(place.zero_when_complete);
    }
  }
  const bpf::UprobePlace at{.file_offset = place.file_offset};
  loads_[process] = KINST_TRY(bpf::attach_uprobes(object_.programs.at(program->second),
                                                  {.path = place.linker->openable,
                                                   .process = process,
                                                   .openable = {}},
                                                  std::span(&at, 1)))
                        .attachment;
  return {};
}

std::vector<Stop> ProcessStops::take() {
  std::vector<Stop> stopped;
  records_.consume([&](std::span<const std::byte> bytes) {
    Record one;
    std::memcpy(&one, bytes.data(), sizeof one);
    if (is_alive(identities_.at(one.slot))) {
      stopped.push_back({.process = processes_.at(one.slot),
                         .reason = static_cast<StopReason>(one.reason)});
    } else {
      let_go(processes_.at(one.slot));  // another has its number now
    }
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

}  // namespace kinst::run
