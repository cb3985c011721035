// Writing to descriptors of any kind.
#pragma once

#include <chrono>
#include <string_view>

#include "base/system/stop_signals.h"

namespace kinst {

/// Writes all of it, waiting where the descriptor does not take it at once; goes on
/// after interruptions. Returns 0, or errno of what went wrong: ETIMEDOUT when the
/// process is ending (is_ending()) and nothing was taken for as long as `patience`, or
/// when another stop signal has come since the first.
[[nodiscard]] int write_all(int descriptor, std::string_view text,
                            std::chrono::milliseconds patience = patience_after_signal);

}  // namespace kinst
