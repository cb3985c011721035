// D's built-in variables: one row for each, with all that the stages ask of it. What
// computes it is in codegen/expression/builtin_code.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "d/tables/need.h"
#include "record/meaning.h"

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

/// What a probe must have for a built-in variable to mean something there.
enum class BuiltinOf : std::uint8_t {
  Firing,         ///< nothing: whatever fires has a thread, a time and names
  Arguments,      ///< arg0, arg1, …
  Registers,      ///< registers that it interrupted
  Instruction,    ///< an instruction of the kernel
  MemoryOperand,  ///< an instruction that reads or writes memory
  Branch,         ///< an instruction that can send control elsewhere
};

/// What the index of a built-in variable says.
enum class BuiltinIndex : std::uint8_t {
  None,
  Argument,       ///< args[N]
  Register,       ///< regs[N]
  UserRegister,   ///< uregs[N]
  MaximumFrames,  ///< the option maxframes, which the checker puts there
};

struct BuiltinInfo {
  Builtin builtin{};
  std::string_view name;
  /// D's spelling of its type: "int64_t", "string", "struct task_struct *".
  std::string_view type;
  Needs needs;
  BuiltinOf of = BuiltinOf::Firing;
  /// How it is recorded. What is recorded as the probe's key can only be computed with
  /// if it is one of the texts that programs find among their constants.
  record::Meaning meaning = record::Meaning::Value;
  BuiltinIndex index = BuiltinIndex::None;
  /// Which of the probe's arguments it is, for arg0 to arg9.
  std::optional<std::uint32_t> argument;

  /// Whether D programs write an index behind it.
  [[nodiscard]] constexpr bool is_array() const {
    return index != BuiltinIndex::None && index != BuiltinIndex::MaximumFrames;
  }
};

/// The row of a built-in variable by its name in D; nothing if there is none.
std::optional<BuiltinInfo> find_builtin(std::string_view name);

/// The row of `builtin`.
const BuiltinInfo& builtin_info(Builtin builtin);

std::span<const BuiltinInfo> all_builtins();

}  // namespace kinst::d
