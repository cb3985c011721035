// Where to stop a program that was just executed, so that its libraries are known
// before it does anything.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "user/process.h"

namespace kinst::user {

/// The values of DTrace's option evaltime.
enum class EvaluationTime : std::uint8_t {
  Exec,      ///< before its first instruction: no library is loaded
  Preinit,   ///< libraries are loaded, none is initialized
  Postinit,  ///< initialized; the same as Main
  Main,      ///< at its main()
};

struct StopPlace {
  std::uint64_t address = 0;  ///< in the process
  /// The address of an int in the process. The process is stopped for good only if the
  /// int is 0 when the place is reached; otherwise it must go on. Nothing: stop when
  /// the place is first reached.
  std::optional<std::uint64_t> zero_when_reached;
};

/// A place that the dynamic linker of a process passes when it has loaded or unloaded a
/// library.
struct LinkerPlace {
  const LoadedObject* linker = nullptr;  ///< of the process's objects
  std::uint64_t file_offset = 0;
  /// An int in the process that is 0 when the change is complete.
  std::uint64_t zero_when_complete = 0;
};

/// Nothing if the program has no dynamic linker, or if its dynamic linker does not
/// inform debuggers.
std::optional<LinkerPlace> linker_place(Process& process);

/// Where to stop the process for an evaluation time.
/// process: stopped at its first instruction. A stripped program, whose main() cannot
/// be found, is stopped at its entry point, before its own constructors; so is a
/// program whose dynamic linker does not say when it is done.
/// Errors: the program's file cannot be read. Not for Exec.
Result<StopPlace> stop_place(Process& process, EvaluationTime when);

}  // namespace kinst::user
