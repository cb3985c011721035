// How far something long has come, on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace kinst::session {

/// One line of standard error that is written over again and is gone at the end. It
/// appears where standard error is a terminal, for what takes more than a second or has
/// so many parts that it may.
class ProgressLine {
 public:
  /// act: "attaching"
  explicit ProgressLine(std::string_view act) : act_(act) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ProgressLine(ProgressLine&&) = delete;
  ProgressLine& operator=(ProgressLine&&) = delete;
  ~ProgressLine() { clear(); }

  /// `done` of `all` parts are done.
  void show(std::size_t done, std::size_t all);
  /// Takes the line away.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::string act_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_at_;
  bool is_shown_ = false;
};

}  // namespace kinst::session
