// A probe: a place that can fire, and how the kernel is to be asked for it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/address.h"
#include "isa/instruction.h"
#include "kernel/tracepoints.h"
#include "types/type.h"

namespace kinst::provider {

/// BEGIN, END and ERROR: run by kinst itself.
enum class OwnProbe : std::uint8_t { Begin, End, Error };

/// An instruction of the kernel; the probe key is its address.
struct KernelInstruction {
  KernelAddress address{};   ///< of the instruction, as the program sees R_RIP
  KernelAddress function{};  ///< of the function's first byte
  isa::Instruction instruction;
  /// Whether nothing of the function has run before it, whenever it is reached, so that
  /// the arguments are where the caller put them.
  bool is_entry = false;
};

/// profile-N and tick-N.
struct Timer {
  std::uint64_t period_ns = 0;
  bool on_every_cpu = false;  ///< profile; tick fires on one
};

/// Which end of a function or a system call.
enum class Edge : std::uint8_t { Entry, Return };

/// A system call of programs of the machine's full width.
struct SystemCall {
  std::uint32_t number = 0;
  Edge edge = Edge::Entry;
};

/// An instruction at which an end of a function is traced.
struct FunctionBreakpoint {
  KernelAddress address{};
  /// Whether the function's result is known there: not at a tail call.
  bool has_result = true;

  bool operator==(const FunctionBreakpoint&) const = default;
};

/// An end of a kernel function.
struct KernelFunction {
  KernelAddress address{};
  Edge edge = Edge::Entry;
  /// Its number in the kernel's BTF, if it is traced by a program of its own (fentry,
  /// fexit); else 0.
  std::uint32_t traced_id = 0;
  /// The instructions at which it is traced; empty if the kernel finds the end.
  std::vector<FunctionBreakpoint> breakpoints;
};

/// What of a function in a module that is not loaded.
enum class ComingPlace : std::uint8_t {
  Entry,
  Return,
  Instruction,  ///< the first that can be traced
};

/// A place in a module that is not loaded. The kernel finds it by the probe's module
/// and function each time that the module comes, before any code of that runs.
struct ComingFunction {
  ComingPlace place = ComingPlace::Entry;
  /// It stands for any number of places that a pattern or a selector will mean, which
  /// have to be looked for when the module is there.
  bool is_awaited = false;
};

/// A static tracepoint by the record that its event makes.
struct Tracepoint {
  kernel::TracepointName tracepoint;
  kernel::TracepointFormat format;
};

/// A static tracepoint by the arguments that the kernel's code gives it.
struct RawTracepoint {
  std::string tracepoint;
  std::uint32_t arguments = 0;  ///< how many
};

enum class UserPlaceKind : std::uint8_t { Entry, Return, Instruction };

/// An instruction by which a user function is left.
struct UserExit {
  std::uint64_t file_offset = 0;
  /// From the function's first byte; negative where a part that was split off stands
  /// before it.
  std::int32_t offset = 0;
  /// As FunctionBreakpoint's.
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
  /// Where a return is traced; its `address` and `file_offset` are the function's.
  std::vector<UserExit> exits;
};

/// What the kernel keeps for a place in user code and gives to the program there:
///
///     63       33 | 32         | 31         0 |
///     offset      | has result | the key      |
///
/// The upper half is a return's, see UserExit, and 0 elsewhere.
constexpr std::uint64_t user_cookie(std::uint64_t key, const UserExit& exit) {
  return key | std::uint64_t{exit.has_result} << 32U |
         static_cast<std::uint64_t>(exit.offset) << 33U;
}

/// Where a probe is. More kinds come with more providers; each has its file here.
using Site =
    std::variant<OwnProbe, KernelInstruction, Timer, SystemCall, KernelFunction,
                 ComingFunction, Tracepoint, RawTracepoint, UserInstruction>;

/// What the rest of a key is where one program serves many probes that are not
/// instructions; the key's top byte. Ids leave it 0, kernel addresses set all its bits.
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

/// One probe. Its key, which tells it in records from every other probe of the run, is
/// an instruction's address where the same program serves many instructions, key_in()
/// where it serves many other probes; else its id.
struct Probe {
  std::uint32_t id = 0;  ///< stable within a run; BEGIN, END and ERROR are 1, 2 and 3
  std::string provider;
  std::string module;
  std::string function;
  std::string name;
  Site site;
  std::uint64_t key = 0;
};

/// A typed argument of a probe, for args[] and -lv.
struct ProbeArgument {
  std::string name;
  /// Its type, or, where the kernel tells it as text only, how C spells it.
  std::optional<types::TypeId> type;
  std::string spelling;
  /// Where it points, if it is a pointer that was told as text.
  types::AddressSpace space = types::AddressSpace::Kernel;
};

}  // namespace kinst::provider
