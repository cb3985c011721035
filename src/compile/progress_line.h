// Shows the progress of a long operation on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace kinst::compile {

/// A line on standard error that is rewritten and removed at the end. It appears only
/// on a terminal, and only if the operation takes more than a second or has so many
/// parts that it may.
class ProgressLine {
 public:
  /// act: "attaching"
  explicit ProgressLine(std::string_view act) : act_(act) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ProgressLine(ProgressLine&&) = delete;
  ProgressLine& operator=(ProgressLine&&) = delete;
  ~ProgressLine() { clear(); }

  /// Shows that `done` of `all` parts are done.
  void show(std::size_t done, std::size_t all);
  /// Removes the line.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::string act_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_at_;
  bool is_shown_ = false;
};

}  // namespace kinst::compile
