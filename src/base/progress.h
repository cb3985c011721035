// How a long operation reports its progress, and how it is stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/result.h"

namespace kinst {

enum class Progress : std::uint8_t { Continue, Stop };

/// Called with the number of finished parts of an operation and the number of all its
/// parts. If it returns Stop, the operation ends with the error `interrupted` and
/// leaves nothing half done. May be empty.
using ProgressReport = std::function<Progress(std::size_t done, std::size_t all)>;

/// The error of work that its ProgressReport stopped.
inline Error interrupted() {
  return {"interrupted"};
}

/// Calls `report`. Errors: `interrupted`, if the operation is to stop.
inline Result<void> tell_progress(const ProgressReport& report, std::size_t done,
                                  std::size_t all) {
  if (report && report(done, all) == Progress::Stop) {
    return tl::unexpected(interrupted());
  }
  return {};
}

}  // namespace kinst
