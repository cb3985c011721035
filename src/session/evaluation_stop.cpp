// ptrace(2) holds the child where it executes its program. From there to main() it
// runs until a breakpoint of the machine sends it a signal, which its tracer gets to
// see first. The signal is one that programs ignore: should this process die meanwhile,
// neither a breakpoint nor a deadly signal stays behind, as both would with ptrace's
// own breakpoints. The program may get that signal for reasons of its own, too: the
// breakpoint's is the one that stops it at the breakpoint.
#include "session/evaluation_stop.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "bpf/attach_breakpoint.h"
#include "bpf/function_builder.h"
#include "bpf/link.h"
#include "bpf/load.h"
#include "isa/isa.h"
#include "user/process.h"

namespace kinst::session {
namespace {

constexpr int stop_signal = SIGURG;

Result<void> resume(pid_t child, int signal) {
  if (ptrace(PTRACE_CONT, child, nullptr, signal) != 0) {
    return system_error(fmt::format("let process {} go on", child), errno);
  }
  return {};
}

// The child's next stop, as waitpid(2) gives it. Waits in short naps, so that the user
// can give up on a program that never gets there.
Result<int> wait_for_stop(pid_t child, const std::function<bool()>& is_interrupted) {
  constexpr auto nap = std::chrono::microseconds(200);
  int status = 0;
  while (true) {
    const pid_t got = waitpid(child, &status, WNOHANG | __WALL);
    if (got < 0 && errno != EINTR) {
      return system_error(fmt::format("wait for process {}", child), errno);
    }
    if (got == child) {
      break;
    }
    if (is_interrupted()) {
      return error(
          "interrupted before the command of -c had come to where its program is "
          "looked at (-x evaltime)");
    }
    std::this_thread::sleep_for(nap);
  }
  if (!WIFSTOPPED(status)) {
    return error("the command of -c ended before its program began");
  }
  return status;
}

bool is_event(int status, int event) {
  return status >> 8 == (SIGTRAP | (event << 8));
}

// The signal that a stop holds back; 0 if it is of another kind.
int signal_of(int status) {
  return status >> 16 == 0 ? WSTOPSIG(status) : 0;
}

Result<void> run_to_execution(pid_t child,
                              const std::function<bool()>& is_interrupted) {
  while (true) {
    const int status = KINST_TRY(wait_for_stop(child, is_interrupted));
    if (is_event(status, PTRACE_EVENT_EXEC)) {
      return {};
    }
    KINST_CHECK(resume(child, signal_of(status)));
  }
}

// A program that sends the signal to whom it runs in.
Result<bpf::Object> load_signal_program() {
  bpf::FunctionBuilder builder("stop");
  builder.emit(bpf::mov(bpf::Register::R1, stop_signal));
  builder.call(bpf::Helper::SendSignal);
  builder.emit(bpf::mov(bpf::Register::R0, 0));
  builder.exit();
  bpf::Program program;
  program.name = "kinst_stop";
  program.type = bpf::ProgramType::PerfEvent;
  program.functions.push_back(std::move(builder).finish());
  bpf::ObjectSpecification specification;
  specification.programs.push_back(std::move(program));
  const bpf::Image image = KINST_TRY(bpf::link(specification, {}));
  auto object = bpf::load(image);
  if (!object) {
    return tl::unexpected(Error{object.error().message});
  }
  return *std::move(object);
}

// ptrace's registers begin as the kernel's pt_regs.
std::optional<std::uint64_t> program_counter(pid_t child) {
  const isa::Isa& isa = isa::native();
  std::vector<std::byte> registers(isa.pt_regs_bytes);
  iovec buffer{.iov_base = registers.data(), .iov_len = registers.size()};
  const std::size_t offset =
      isa.registers[static_cast<std::size_t>(isa.program_counter)].pt_regs_offset;
  std::uint64_t value = 0;
  if (ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &buffer) != 0 ||
      offset + sizeof value > buffer.iov_len) {
    return std::nullopt;
  }
  std::memcpy(&value, registers.data() + offset, sizeof value);
  return value;
}

bool is_at_breakpoint(pid_t child, const user::StopPlace& place) {
  const auto at = program_counter(child);
  return !at || *at == place.address;
}

bool is_reached(pid_t child, const user::StopPlace& place) {
  if (!place.zero_when_reached) {
    return true;
  }
  int value = 0;
  const FileDescriptor memory(
      open(fmt::format("/proc/{}/mem", child).c_str(), O_RDONLY | O_CLOEXEC));
  return pread(memory.get(), &value, sizeof value,
               static_cast<off_t>(*place.zero_when_reached)) != sizeof value ||
         value == 0;
}

Result<Reached> run_to_place(pid_t child, const user::StopPlace& place,
                             const std::function<bool()>& is_interrupted) {
  const bpf::Object object = KINST_TRY(load_signal_program());
  const bpf::OwnedAttachment breakpoint =
      KINST_TRY(bpf::attach_breakpoint(object.programs.front(), child, place.address));
  int signal = 0;
  while (true) {
    KINST_CHECK(resume(child, signal));
    const int status = KINST_TRY(wait_for_stop(child, is_interrupted));
    if (is_event(status, PTRACE_EVENT_EXIT)) {
      return Reached::Exit;
    }
    signal = signal_of(status);
    if (signal == stop_signal && is_at_breakpoint(child, place)) {
      if (is_reached(child, place)) {
        return Reached::Place;
      }
      signal = 0;
    }
  }
}

}  // namespace

Result<void> follow_execution(pid_t child) {
  constexpr int options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SEIZE, child, nullptr, options) != 0) {
    return system_error(fmt::format("hold process {}", child), errno);
  }
  return {};
}

Result<Reached> run_to_evaluation(pid_t child, user::EvaluationTime when,
                                  const std::function<bool()>& is_interrupted) {
  KINST_CHECK(run_to_execution(child, is_interrupted));
  if (when == user::EvaluationTime::Exec) {
    return Reached::Place;
  }
  user::Process process = KINST_TRY(user::Process::open(child));
  const user::StopPlace place = KINST_TRY(user::stop_place(process, when));
  return run_to_place(child, place, is_interrupted);
}

Result<void> release(pid_t child) {
  if (ptrace(PTRACE_DETACH, child, nullptr, nullptr) != 0) {
    return system_error(fmt::format("let process {} go", child), errno);
  }
  return {};
}

}  // namespace kinst::session
