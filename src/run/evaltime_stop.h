// Stops a program that is being started at the point that DTrace's option evaltime
// names.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "user/evaltime.h"

namespace kinst::run {

/// Where a program has stopped.
enum class Reached : std::uint8_t {
  Place,  ///< at the point of evaltime
  Exit,   ///< at its exit, before that point; its memory is still mapped
};

/// Makes this thread the tracer of a child that will execute a program. Does not stop
/// the child. If this process dies, the child continues unharmed.
Result<void> follow_execution(pid_t child);

/// Lets the child continue until it has executed its program and has come to the point
/// that `when` names, and stops it there. For Exec this is before the program's first
/// instruction. Signals that the program gets meanwhile are delivered as usual.
/// is_interrupted: called while waiting; if it returns true, the wait ends with an
/// error.
/// Errors: the child ended before its first instruction; what the system refused.
Result<Reached> run_to_evaluation(pid_t child, user::EvaluationTime when,
                                  const std::function<bool()>& is_interrupted);

/// Lets a child continue that run_to_evaluation() has stopped.
Result<void> release(pid_t child);

}  // namespace kinst::run
