// The rows of D's built-in variables. Types: the DTrace guide, "Variables".
#include "d/tables/builtin.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace kinst::d {
namespace {

using record::Meaning;
using Of = BuiltinOf;
using Index = BuiltinIndex;

constexpr BuiltinInfo argument(Builtin builtin, std::string_view name,
                               std::uint32_t number) {
  return {.builtin = builtin,
          .name = name,
          .type = "int64_t",
          .of = Of::Arguments,
          .argument = number};
}

constexpr BuiltinInfo array(Builtin builtin, std::string_view name,
                            std::string_view type, Needs needs, Of of, Index index) {
  return {.builtin = builtin,
          .name = name,
          .type = type,
          .needs = needs,
          .of = of,
          .index = index};
}

constexpr BuiltinInfo depth(Builtin builtin, std::string_view name, Need need) {
  return {.builtin = builtin,
          .name = name,
          .type = "uint32_t",
          .needs = {need},
          .index = Index::MaximumFrames};
}

constexpr auto builtins = std::to_array<BuiltinInfo>({
    argument(Builtin::Arg0, "arg0", 0),
    argument(Builtin::Arg1, "arg1", 1),
    argument(Builtin::Arg2, "arg2", 2),
    argument(Builtin::Arg3, "arg3", 3),
    argument(Builtin::Arg4, "arg4", 4),
    argument(Builtin::Arg5, "arg5", 5),
    argument(Builtin::Arg6, "arg6", 6),
    argument(Builtin::Arg7, "arg7", 7),
    argument(Builtin::Arg8, "arg8", 8),
    argument(Builtin::Arg9, "arg9", 9),
    array(Builtin::Args, "args", "void", {}, Of::Arguments, Index::Argument),
    {Builtin::Caller, "caller", "uintptr_t", {Need::Registers}},
    {Builtin::Cpu, "cpu", "int"},
    {Builtin::CurrentThread, "curthread", "struct task_struct *"},
    {Builtin::Epid, "epid", "uint64_t"},
    {Builtin::ErrorNumber, "errno", "int"},
    {Builtin::ExecName, "execname", "string"},
    {Builtin::Gid, "gid", "gid_t"},
    {Builtin::Id, "id", "uint_t", {}, Of::Firing, Meaning::ProbeId},
    {Builtin::Ipl, "ipl", "uint_t"},
    {Builtin::Pid, "pid", "pid_t"},
    {Builtin::ParentPid, "ppid", "pid_t", {Need::KernelOffsets}},
    {Builtin::ProbeProvider,
     "probeprov",
     "string",
     {},
     Of::Firing,
     Meaning::ProbeProvider},
    {Builtin::ProbeModule, "probemod", "string", {}, Of::Firing, Meaning::ProbeModule},
    {Builtin::ProbeFunction,
     "probefunc",
     "string",
     {},
     Of::Firing,
     Meaning::ProbeFunction},
    {Builtin::ProbeName, "probename", "string", {}, Of::Firing, Meaning::ProbeName},
    array(Builtin::Regs, "regs", "uint64_t", {Need::Registers}, Of::Registers,
          Index::Register),
    array(Builtin::Uregs, "uregs", "uint64_t", {}, Of::Firing, Index::UserRegister),
    depth(Builtin::StackDepth, "stackdepth", Need::Registers),
    depth(Builtin::UserStackDepth, "ustackdepth", Need::UserStack),
    {Builtin::UserCaller, "ucaller", "uint64_t", {Need::UserStack}},
    {Builtin::Tid, "tid", "id_t"},
    {Builtin::Timestamp, "timestamp", "uint64_t", {Need::Time}},
    {Builtin::VirtualTimestamp, "vtimestamp", "uint64_t", {Need::KernelOffsets}},
    {Builtin::WallTimestamp, "walltimestamp", "int64_t"},
    {Builtin::Uid, "uid", "uid_t"},
    {Builtin::Instruction, "insn", "string", {}, Of::Instruction, Meaning::Instruction},
    {Builtin::Mnemonic, "mnemonic", "string", {}, Of::Instruction, Meaning::Mnemonic},
    {Builtin::InstructionLength,
     "insnlen",
     "uint32_t",
     {Need::Operands},
     Of::Instruction},
    {Builtin::MemoryAddress,
     "memaddr",
     "uintptr_t",
     {Need::Operands},
     Of::MemoryOperand},
    {Builtin::MemorySize, "memsize", "uint32_t", {Need::Operands}, Of::MemoryOperand},
    {Builtin::MemoryRead, "memread", "int", {Need::Operands}, Of::MemoryOperand},
    {Builtin::MemoryWrite, "memwrite", "int", {Need::Operands}, Of::MemoryOperand},
    {Builtin::MemoryValue, "memval", "uint64_t", {Need::Operands}, Of::MemoryOperand},
    {Builtin::BranchTaken, "branchtaken", "int", {Need::Operands}, Of::Branch},
    {Builtin::BranchTarget, "branchtarget", "uintptr_t", {Need::Operands}, Of::Branch},
    {Builtin::SourceFile,
     "srcfile",
     "string",
     {},
     Of::Instruction,
     Meaning::SourceFile},
    {Builtin::SourceLine, "srcline", "int", {}, Of::Instruction, Meaning::SourceLine},
});

}  // namespace

std::optional<BuiltinInfo> find_builtin(std::string_view name) {
  const auto* const found = std::ranges::find(builtins, name, &BuiltinInfo::name);
  return found == builtins.end() ? std::nullopt : std::optional(*found);
}

const BuiltinInfo& builtin_info(Builtin builtin) {
  const auto* const found = std::ranges::find(builtins, builtin, &BuiltinInfo::builtin);
  assert(found != builtins.end());
  return *found;
}

std::span<const BuiltinInfo> all_builtins() {
  return builtins;
}

}  // namespace kinst::d
