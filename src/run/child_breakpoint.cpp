// A hardware breakpoint sends the child a signal that programs ignore by default. So if
// this process dies meanwhile, neither a breakpoint nor a deadly signal is left behind.
// The program may get the same signal for other reasons; the breakpoint's is the one
// that stops it at the address.
//
// On some virtual machines hardware breakpoints never fire. There a breakpoint
// instruction is written into the code, as debuggers do. The child would not survive
// that instruction without its tracer, so PTRACE_O_EXITKILL ends the child together
// with this process.
#include "run/child_breakpoint.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <span>
#include <utility>

#include "base/system/file_descriptor.h"
#include "bpf/attach/attach_breakpoint.h"
#include "bpf/code/function_builder.h"
#include "bpf/code/link.h"
#include "bpf/load/load.h"
#include "isa/isa.h"

namespace kinst::run {
namespace {

constexpr int machine_signal = SIGURG;

// A BPF program that sends machine_signal to the process in which it runs.
Result<bpf::Object> load_signal_program() {
  bpf::FunctionBuilder builder("stop");
  builder.emit(bpf::mov(bpf::Register::R1, machine_signal));
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

Result<bpf::OwnedAttachment> set_machine_breakpoint(pid_t child,
                                                    std::uint64_t address) {
  const bpf::Object object = KINST_TRY(load_signal_program());
  return bpf::attach_breakpoint(object.programs.front(), child, address);
}

// The registers of a stopped child. ptrace's layout begins like the kernel's pt_regs.
class Registers {
 public:
  static std::optional<Registers> of(pid_t child) {
    Registers registers;
    registers.bytes_.resize(isa::native().pt_regs_bytes);
    iovec buffer = registers.buffer();
    if (ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &buffer) != 0 ||
        program_counter_offset() + sizeof(std::uint64_t) > buffer.iov_len) {
      return std::nullopt;
    }
    registers.bytes_.resize(buffer.iov_len);
    return registers;
  }

  [[nodiscard]] std::uint64_t program_counter() const {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + program_counter_offset(), sizeof value);
    return value;
  }
  [[nodiscard]] bool put(pid_t child, std::uint64_t program_counter) {
    std::memcpy(bytes_.data() + program_counter_offset(), &program_counter,
                sizeof program_counter);
    iovec buffer = this->buffer();
    return ptrace(PTRACE_SETREGSET, child, NT_PRSTATUS, &buffer) == 0;
  }

 private:
  static std::size_t program_counter_offset() {
    const isa::Isa& isa = isa::native();
    return isa.registers[static_cast<std::size_t>(isa.program_counter)].pt_regs_offset;
  }
  iovec buffer() { return {.iov_base = bytes_.data(), .iov_len = bytes_.size()}; }

  std::vector<std::byte> bytes_;
};

// Read and write the child's memory; true if all bytes were read or written.
bool read_memory(pid_t child, std::uint64_t address, std::span<std::byte> bytes) {
  const FileDescriptor memory(
      open(fmt::format("/proc/{}/mem", child).c_str(), O_RDONLY | O_CLOEXEC));
  return pread(memory.get(), bytes.data(), bytes.size(), static_cast<off_t>(address)) ==
         static_cast<ssize_t>(bytes.size());
}

bool write_memory(pid_t child, std::uint64_t address,
                  std::span<const std::byte> bytes) {
  const FileDescriptor memory(
      open(fmt::format("/proc/{}/mem", child).c_str(), O_WRONLY | O_CLOEXEC));
  return pwrite(memory.get(), bytes.data(), bytes.size(),
                static_cast<off_t>(address)) == static_cast<ssize_t>(bytes.size());
}

tl::unexpected<Error> cannot_stop(pid_t child) {
  return system_error(fmt::format("stop process {} at an instruction", child), errno);
}

}  // namespace

Result<ChildBreakpoint> ChildBreakpoint::set(pid_t child, std::uint64_t address) {
  ChildBreakpoint breakpoint(child, address);
  if (bpf::do_breakpoints_work()) {
    breakpoint.of_machine_ = KINST_TRY(set_machine_breakpoint(child, address));
    return breakpoint;
  }
  const std::span<const std::byte> instruction = isa::native().breakpoint;
  std::vector<std::byte> original(instruction.size());
  if (!read_memory(child, address, original) ||
      !write_memory(child, address, instruction)) {
    return cannot_stop(child);
  }
  breakpoint.original_ = std::move(original);
  return breakpoint;
}

ChildBreakpoint::ChildBreakpoint(ChildBreakpoint&& other) noexcept
    : child_(other.child_),
      address_(other.address_),
      of_machine_(std::move(other.of_machine_)),
      original_(std::exchange(other.original_, {})) {}

ChildBreakpoint::~ChildBreakpoint() {
  // The breakpoint instruction may be gone, because the child has executed another
  // program.
  std::vector<std::byte> there(original_.size());
  if (!original_.empty() && read_memory(child_, address_, there) &&
      std::ranges::equal(there, isa::native().breakpoint)) {
    write_memory(child_, address_, original_);
  }
}

bool ChildBreakpoint::has_stopped(int signal) const {
  if (signal != (of_machine_ == nullptr ? SIGTRAP : machine_signal)) {
    return false;
  }
  auto registers = Registers::of(child_);
  if (of_machine_ != nullptr) {
    return !registers || registers->program_counter() == address_;
  }
  // The child has executed the breakpoint instruction: step back to its address.
  const std::uint64_t behind = address_ + isa::native().breakpoint_pc_advance_bytes;
  return registers && registers->program_counter() == behind &&
         registers->put(child_, address_);
}

Result<int> ChildBreakpoint::step_over() {
  if (original_.empty()) {
    return 0;
  }
  if (!write_memory(child_, address_, original_)) {
    return cannot_stop(child_);
  }
  int kept = 0;
  while (true) {
    int status = 0;
    if (ptrace(PTRACE_SINGLESTEP, child_, nullptr, nullptr) != 0 ||
        waitpid(child_, &status, __WALL) != child_ || !WIFSTOPPED(status)) {
      return cannot_stop(child_);
    }
    const int signal = status >> 16 == 0 ? WSTOPSIG(status) : 0;
    if (signal == SIGTRAP || signal == 0) {
      break;
    }
    kept = signal;
  }
  if (!write_memory(child_, address_, isa::native().breakpoint)) {
    return cannot_stop(child_);
  }
  return kept;
}

}  // namespace kinst::run
