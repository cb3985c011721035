// What long work tells of itself, and how it is told to stop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/result.h"

namespace kinst {

enum class Progress : std::uint8_t { Continue, Stop };

/// Told how many parts of some work are done; its answer Stop ends the work with the
/// error `interrupted`, nothing left half done. May be empty.
using ProgressReport = std::function<Progress(std::size_t done, std::size_t all)>;

/// The error of work that its ProgressReport stopped.
inline Error interrupted() {
  return {"interrupted"};
}

/// Reports; fails with `interrupted` if the work is to stop.
inline Result<void> tell_progress(const ProgressReport& report, std::size_t done,
                                  std::size_t all) {
  if (report && report(done, all) == Progress::Stop) {
    return tl::unexpected(interrupted());
  }
  return {};
}

}  // namespace kinst
