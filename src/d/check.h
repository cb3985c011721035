// The checker: a parsed D program to a typed one, or what is wrong with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "d/ast.h"
#include "d/environment.h"
#include "d/typed_program.h"
#include "types/type.h"

namespace kinst::d {

/// Where the bytes of a struct or union are that a function was given by value.
struct RecordPlace {
  /// The argN that hold them, 8 each; empty if they are on the stack only.
  std::vector<std::uint32_t> words;
  /// There they are so far above what the register holds, which is an index of regs[].
  std::uint32_t stack_register = 0;
  std::uint64_t stack_offset_bytes = 0;

  bool operator==(const RecordPlace&) const = default;
};

/// An element of args[].
struct ProbeArgument {
  /// What the kernel or the program under trace has; nothing: a 64-bit integer.
  std::optional<types::TypeId> native;
  /// The type that D's users see, as D spells it ("psinfo_t *"), if it is another; a
  /// translator of the D libraries makes it.
  std::string translated;
  /// Which native argument it is (argN).
  std::uint32_t native_index = 0;
  /// Of a struct or union by value, which is no single argN.
  std::optional<RecordPlace> record;
  /// Why it cannot be read, as a sentence without its end; empty if it can.
  std::string why_unreadable;
};

/// What a clause may use depends on the probes its description stands for.
struct ProbeContext {
  /// For messages: "kinst::vfs_read:4".
  std::string description;
  /// Its place among the descriptions of all programs.
  std::size_t number = 0;
  /// The description matches nothing, which is an error that has been told.
  bool is_absent = false;
  /// Types of args[], of the first probe; nothing if there is none yet. What the others
  /// have is asked when it matters: Environment::argument_difference().
  std::optional<std::vector<ProbeArgument>> arguments;
  /// arg0 to arg9 mean something there. They do not in the middle of a function.
  bool has_arg_variables = true;
  /// regs[]
  bool has_registers = false;
  /// What is known of an instruction: insn, memaddr, branchtaken, …
  bool is_instruction = false;
  /// Instructions only; each of them leaves its function.
  bool is_return = false;
  /// Instructions only; false only if no probe of the description has one.
  bool has_memory_operand = true;
  bool has_branch = true;
};

/// Options that a program's meaning depends on.
struct CheckOptions {
  bool destructive = false;  ///< -w
  std::uint32_t stack_frames = 20;
  std::uint32_t user_stack_frames = 100;
  std::uint32_t maximum_frames = 127;
  std::uint32_t jstack_frames = 50;
  std::uint32_t jstack_string_bytes = 512;
  /// What alloca() and its relatives have in one clause, bytes.
  std::uint32_t scratch_bytes = 256;
};

/// A text's program, in the order in which the command line gave them.
struct Unit {
  const Program* program = nullptr;
  /// A D library: its faults are warnings, and cost only the faulty declaration.
  bool is_library = false;
};

/// Programs that run together; they share globals and aggregations, and each has its
/// own this->.
struct Programs {
  std::span<const Unit> units;
  /// One for each probe description of all units' clauses, in source order.
  std::span<const ProbeContext> probes;
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
