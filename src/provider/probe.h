// A probe: a place that can fire, and what the kernel needs to know to attach it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/address.h"
#include "isa/instruction.h"
#include "kernel/code/tracepoints.h"
#include "types/type.h"

namespace kinst::provider {

/// The probes that kinst runs itself.
enum class DtraceProbe : std::uint8_t { Begin, End, Error };

/// An instruction of the kernel; the probe key is its address.
struct KernelInstruction {
  KernelAddress address{};   ///< the instruction's; R_RIP has this value
  KernelAddress function{};  ///< the address of the function's first byte
  isa::Instruction instruction;
  /// Whether this instruction is always executed before the rest of the function, so
  /// that the arguments are still where the caller put them.
  bool is_entry = false;
};

/// profile-N and tick-N.
struct Timer {
  std::uint64_t period_ns = 0;
  bool on_every_cpu = false;  ///< profile; tick fires on one
};

/// Which end of a function or a system call.
enum class Edge : std::uint8_t { Entry, Return };

/// A system call of 64-bit programs (on a 64-bit machine).
struct SystemCall {
  std::uint32_t number = 0;
  Edge edge = Edge::Entry;
};

/// An end of a kernel function.
struct KernelFunction {
  KernelAddress address{};
  Edge edge = Edge::Entry;
};

/// Which place of a function in a module that is not loaded.
enum class ComingPlace : std::uint8_t {
  Entry,
  Return,
  Instruction,  ///< the first instruction that can be traced
};

/// A place in a module that is not loaded. Each time the module is loaded, the kernel
/// finds the place by the probe's module and function, before any code of the module
/// runs.
struct ComingFunction {
  ComingPlace place = ComingPlace::Entry;
  /// Whether this is a placeholder for the probes of a pattern or selector, which must
  /// be searched once the module is loaded.
  bool is_awaited = false;
};

/// A static tracepoint whose program reads the record of the tracepoint's event.
struct Tracepoint {
  kernel::TracepointName tracepoint;
  kernel::TracepointFormat format;
};

/// A static tracepoint whose program reads the arguments that the kernel passes to it.
struct RawTracepoint {
  std::string tracepoint;
  std::uint32_t arguments = 0;  ///< how many
};

enum class UserPlaceKind : std::uint8_t { Entry, Return, Instruction };

/// An instruction by which a user function is left.
struct UserExit {
  std::uint64_t file_offset = 0;
  /// The exit's offset from the function's first byte; negative if it is in a part that
  /// was split off and placed before the function.
  std::int32_t offset = 0;
  /// Whether the function's result is known at this instruction. It is not where the
  /// function jumps to another.
  bool has_result = true;

  bool operator==(const UserExit&) const = default;
};

/// A place in the code of one process.
struct UserInstruction {
  pid_t process = -1;
  UserPlaceKind kind = UserPlaceKind::Instruction;
  std::uint64_t address = 0;  ///< in the process
  std::string file;           ///< a path through which the code can be opened
  std::uint64_t file_offset = 0;
  /// What a return is: all instructions by which the function is left. `address` and
  /// `file_offset` are then the function's.
  std::vector<UserExit> exits;
};

/// The cookie that the kernel keeps for a place in user code and passes to the program:
///
///     63       33 | 32         | 31         0 |
///     offset      | has result | the key      |
///
/// The upper half describes the exit at a return (see UserExit), and is 0 elsewhere.
constexpr std::uint64_t user_cookie(std::uint64_t key, const UserExit& exit) {
  return key | std::uint64_t{exit.has_result} << 32U |
         static_cast<std::uint64_t>(exit.offset) << 33U;
}

/// The place of a probe.
using Site =
    std::variant<DtraceProbe, KernelInstruction, Timer, SystemCall, KernelFunction,
                 ComingFunction, Tracepoint, RawTracepoint, UserInstruction>;

/// The top byte of a probe's key, if one program serves many probes that are not at
/// instructions. It says what the rest of the key is. A key that is an id has 0 there;
/// a kernel address has all bits set there.
enum class KeySpace : std::uint8_t {
  SystemCallEntry = 1,
  SystemCallReturn = 2,
  FunctionEntry = 3,
  FunctionReturn = 4,
};

constexpr std::uint64_t key_in(KeySpace space, std::uint64_t value) {
  return (value & ((std::uint64_t{1} << 56U) - 1)) |
         (std::uint64_t{static_cast<std::uint8_t>(space)} << 56U);
}

/// One probe. Its key identifies it in the records of a run. The key is the
/// instruction's address if one program serves many instructions, key_in() if one
/// program serves many other probes, and otherwise the id.
struct Probe {
  std::uint32_t id = 0;  ///< stable within a run; BEGIN, END and ERROR are 1, 2 and 3
  std::string provider;
  std::string module;
  std::string function;
  std::string name;
  Site site;
  std::uint64_t key = 0;
};

/// "kinst:vmlinux:vfs_read:4"
inline std::string full_name(const Probe& probe) {
  return probe.provider + ':' + probe.module + ':' + probe.function + ':' + probe.name;
}

/// A typed argument of a probe, for args[] and -lv.
struct ProbeArgument {
  std::string name;
  /// The argument's type. If the kernel gives the type only as text, it is missing, and
  /// `spelling` is the type in C.
  std::optional<types::TypeId> type;
  std::string spelling;
  /// The address space of a pointer whose type was given as text.
  types::AddressSpace space = types::AddressSpace::Kernel;
};

}  // namespace kinst::provider
