// Where a program that was just executed is to be stopped, so that what it consists of
// is known before it does anything.
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
  /// An int in the process that is 0 when the place is reached for good; until then the
  /// process has to go on. Nothing: the first time is the right one.
  std::optional<std::uint64_t> zero_when_reached;
};

/// Where the dynamic linker of a process comes by when it has changed what is loaded.
struct LinkerPlace {
  const LoadedObject* linker = nullptr;  ///< of the process's objects
  std::uint64_t file_offset = 0;
  /// An int in the process that is 0 when the change is complete.
  std::uint64_t zero_when_complete = 0;
};

/// Nothing where the program has no dynamic linker, or one that does not tell
/// debuggers.
std::optional<LinkerPlace> linker_place(Process& process);

/// process: stands at its first instruction. A program whose main() has no name, as it
/// was stripped, is stopped where it is entered, before its own constructors; so is one
/// whose dynamic linker does not say when it is done.
/// Errors: the program's file cannot be read. Not for Exec.
Result<StopPlace> stop_place(Process& process, EvaluationTime when);

}  // namespace kinst::user
