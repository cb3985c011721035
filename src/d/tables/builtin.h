// D's built-in variables: one row for each, which the checker reads for its type and
// the code generator for how to compute it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kinst::d {

enum class Builtin : std::uint8_t {
  Arg0,
  Arg1,
  Arg2,
  Arg3,
  Arg4,
  Arg5,
  Arg6,
  Arg7,
  Arg8,
  Arg9,
  Args,  ///< args[N]: the probe's typed argument N
  Caller,
  Cpu,
  CurrentThread,
  Epid,
  ErrorNumber,
  ExecName,
  Gid,
  Id,
  Ipl,
  Pid,
  ParentPid,
  ProbeProvider,
  ProbeModule,
  ProbeFunction,
  ProbeName,
  Regs,   ///< regs[N]: the register at a kinst probe
  Uregs,  ///< uregs[N]: the user-space register of the current thread
  StackDepth,
  UserStackDepth,
  UserCaller,
  Tid,
  Timestamp,
  VirtualTimestamp,
  WallTimestamp,
  Uid,
  // What the instruction at a kinst probe does (operands and branches).
  Instruction,
  Mnemonic,
  InstructionLength,
  MemoryAddress,
  MemorySize,
  MemoryRead,
  MemoryWrite,
  MemoryValue,
  BranchTaken,
  BranchTarget,
  SourceFile,
  SourceLine,
};

struct BuiltinInfo {
  Builtin builtin{};
  std::string_view name;
  /// D's spelling of its type: "int64_t", "string", "struct task_struct *".
  std::string_view type;
  /// Takes an index: args, regs, uregs.
  bool is_array = false;
};

/// The row of a built-in variable by its name in D; nothing if there is none.
std::optional<BuiltinInfo> find_builtin(std::string_view name);

/// The row of `builtin`.
const BuiltinInfo& builtin_info(Builtin builtin);

std::span<const BuiltinInfo> all_builtins();

}  // namespace kinst::d
