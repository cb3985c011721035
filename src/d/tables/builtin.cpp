// The rows of D's built-in variables. Types: the DTrace guide, "Variables".
#include "d/tables/builtin.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace kinst::d {
namespace {

constexpr auto builtins = std::to_array<BuiltinInfo>({
    {Builtin::Arg0, "arg0", "int64_t"},
    {Builtin::Arg1, "arg1", "int64_t"},
    {Builtin::Arg2, "arg2", "int64_t"},
    {Builtin::Arg3, "arg3", "int64_t"},
    {Builtin::Arg4, "arg4", "int64_t"},
    {Builtin::Arg5, "arg5", "int64_t"},
    {Builtin::Arg6, "arg6", "int64_t"},
    {Builtin::Arg7, "arg7", "int64_t"},
    {Builtin::Arg8, "arg8", "int64_t"},
    {Builtin::Arg9, "arg9", "int64_t"},
    {Builtin::Args, "args", "void", true},
    {Builtin::Caller, "caller", "uintptr_t"},
    {Builtin::Cpu, "cpu", "int"},
    {Builtin::CurrentThread, "curthread", "struct task_struct *"},
    {Builtin::Epid, "epid", "uint64_t"},
    {Builtin::ErrorNumber, "errno", "int"},
    {Builtin::ExecName, "execname", "string"},
    {Builtin::Gid, "gid", "gid_t"},
    {Builtin::Id, "id", "uint_t"},
    {Builtin::Ipl, "ipl", "uint_t"},
    {Builtin::Pid, "pid", "pid_t"},
    {Builtin::ParentPid, "ppid", "pid_t"},
    {Builtin::ProbeProvider, "probeprov", "string"},
    {Builtin::ProbeModule, "probemod", "string"},
    {Builtin::ProbeFunction, "probefunc", "string"},
    {Builtin::ProbeName, "probename", "string"},
    {Builtin::Regs, "regs", "uint64_t", true},
    {Builtin::Uregs, "uregs", "uint64_t", true},
    {Builtin::StackDepth, "stackdepth", "uint32_t"},
    {Builtin::UserStackDepth, "ustackdepth", "uint32_t"},
    {Builtin::UserCaller, "ucaller", "uint64_t"},
    {Builtin::Tid, "tid", "id_t"},
    {Builtin::Timestamp, "timestamp", "uint64_t"},
    {Builtin::VirtualTimestamp, "vtimestamp", "uint64_t"},
    {Builtin::WallTimestamp, "walltimestamp", "int64_t"},
    {Builtin::Uid, "uid", "uid_t"},
    {Builtin::Instruction, "insn", "string"},
    {Builtin::Mnemonic, "mnemonic", "string"},
    {Builtin::InstructionLength, "insnlen", "uint32_t"},
    {Builtin::MemoryAddress, "memaddr", "uintptr_t"},
    {Builtin::MemorySize, "memsize", "uint32_t"},
    {Builtin::MemoryRead, "memread", "int"},
    {Builtin::MemoryWrite, "memwrite", "int"},
    {Builtin::MemoryValue, "memval", "uint64_t"},
    {Builtin::BranchTaken, "branchtaken", "int"},
    {Builtin::BranchTarget, "branchtarget", "uintptr_t"},
    {Builtin::SourceFile, "srcfile", "string"},
    {Builtin::SourceLine, "srcline", "int"},
});

constexpr bool is_builtin_order() {
  for (std::size_t i = 0; i < builtins.size(); ++i) {
    if (builtins[i].builtin != static_cast<Builtin>(i)) {
      return false;
    }
  }
  return true;
}
static_assert(is_builtin_order(), "builtin_info() indexes by the enumerator");

}  // namespace

std::optional<BuiltinInfo> find_builtin(std::string_view name) {
  const auto* const found = std::ranges::find(builtins, name, &BuiltinInfo::name);
  return found == builtins.end() ? std::nullopt : std::optional(*found);
}

const BuiltinInfo& builtin_info(Builtin builtin) {
  return builtins.at(static_cast<std::size_t>(builtin));
}

std::span<const BuiltinInfo> all_builtins() {
  return builtins;
}

}  // namespace kinst::d
