// Holds a program that is about to be executed at DTrace's evaltime.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "user/stop_place.h"

namespace kinst::session {

/// Where a program stands when it is looked at.
enum class Reached : std::uint8_t {
  Place,  ///< at DTrace's evaltime
  Exit,   ///< it ends without coming there, and still has what it had loaded
};

/// Makes this thread the tracer of a child that will execute a program. The child is
/// not stopped. If this process dies, the child goes on unharmed.
Result<void> follow_execution(pid_t child);

/// Lets the child go on until it has executed its program and come to the place for
/// `when`, where it stops; for Exec that is before its first instruction.
/// is_interrupted: asked while waiting; true gives up with an error.
/// Signals that the program gets meanwhile are delivered as ever.
/// Errors: the child ended before its first instruction; what the system refused.
Result<Reached> run_to_evaluation(pid_t child, user::EvaluationTime when,
                                  const std::function<bool()>& is_interrupted);

/// Lets a child go that was stopped by run_to_evaluation.
Result<void> release(pid_t child);

}  // namespace kinst::session
