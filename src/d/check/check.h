// The checker: turns a parsed D program into a typed program, or reports what is wrong
// with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.h"
#include "d/check/environment.h"
#include "d/check/probed_code.h"
#include "d/syntax/ast.h"
#include "d/typed/typed_program.h"
#include "types/type.h"

namespace kinst::d {

/// Where a struct or union that a function received by value has its bytes.
struct RecordPlace {
  /// The numbers N of the argN that hold the bytes, 8 bytes each. Empty if the bytes
  /// are only on the stack.
  std::vector<std::uint32_t> words;
  /// On the stack the bytes begin at regs[stack_register] + stack_offset_bytes.
  std::uint32_t stack_register = 0;
  std::uint64_t stack_offset_bytes = 0;

  bool operator==(const RecordPlace&) const = default;
};

/// An element of args[].
struct ProbeArgument {
  /// The argument's type in the kernel or in the traced program. Nothing: a 64-bit
  /// integer.
  std::optional<types::TypeId> native;
  /// The type that a D program sees, in D's spelling ("psinfo_t *"), if it differs from
  /// `native`. A translator of the D libraries makes it.
  std::string translated;
  /// Which native argument it is (argN).
  std::uint32_t native_index = 0;
  /// Where the argument is if it is a struct or union by value, which no single argN
  /// holds.
  std::optional<RecordPlace> record;
  /// Why it cannot be read, as a sentence without its end; empty if it can.
  std::string why_unreadable;
};

/// What a clause may use depends on the probes its description stands for.
struct ProbeContext {
  /// For messages: "kinst::vfs_read:4".
  std::string description;
  /// Its index among the probe descriptions of all programs.
  std::size_t number = 0;
  /// The description matches no probe. That error has been reported already.
  bool is_absent = false;
  /// The args[] of the first probe; nothing if there is no probe yet. Where the other
  /// probes matter, ProbedCode::argument_difference() tells how their args[] differ.
  std::optional<std::vector<ProbeArgument>> arguments;
  /// arg0 to arg9 mean something there. They do not in the middle of a function.
  bool has_arg_variables = true;
  /// regs[]
  bool has_registers = false;
  /// What is known of an instruction: insn, memaddr, branchtaken, …
  bool is_instruction = false;
  /// For instructions only: each of the description's instructions leaves its function.
  bool is_return = false;
  /// For instructions only: false only if no instruction of the description has a
  /// memory operand, or a branch.
  bool has_memory_operand = true;
  bool has_branch = true;
};

/// Options that a program's meaning depends on.
struct CheckOptions {
  bool destructive = false;                 ///< -w
  std::uint32_t stack_frames = 20;          ///< stackframes
  std::uint32_t user_stack_frames = 100;    ///< ustackframes
  std::uint32_t maximum_frames = 127;       ///< maxframes
  std::uint32_t jstack_frames = 50;         ///< jstackframes
  std::uint32_t jstack_string_bytes = 512;  ///< jstackstrsize
  /// scratchsize: bytes that alloca() and its relatives can allocate in one clause.
  std::uint32_t scratch_bytes = 256;

  bool operator==(const CheckOptions&) const = default;
};

/// The program of one text. Programs::units has them in the order of the command line.
struct Unit {
  const Program* program = nullptr;
  /// A D library: an error in it is a warning, and only the faulty declaration is lost.
  bool is_library = false;
};

/// Programs that run together; they share globals and aggregations, and each has its
/// own this->.
struct Programs {
  std::span<const Unit> units;
  /// One for each probe description of all units' clauses, in source order.
  std::span<const ProbeContext> probes;
  /// The code that the probes of these descriptions are in.
  ProbedCode& code;
};

/// Checks programs that run together.
/// table: gets the types that the program makes.
/// Returns nothing if `diagnostics` got an error.
/// Source of the rules: the DTrace guide; where it is silent, what DTrace for Linux
/// accepts and refuses.
std::optional<typed::Program> check(const Programs& programs,
                                    const CheckOptions& options,
                                    Environment& environment, types::TypeTable& table,
                                    Diagnostics& diagnostics);

/// The type that `spelling` names in D ("struct task_struct *", "pid_t"), D's own type
/// names and the environment's considered; nothing if there is none.
std::optional<types::TypeId> find_type(std::string_view spelling,
                                       Environment& environment,
                                       types::TypeTable& table);

}  // namespace kinst::d
