// Finds the end of a stream that is never closed.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace kinst::guest {

/// A port of the guest stays open when the command has ended, so the guest writes a
/// mark behind the last byte. This cuts the mark off a stream that comes in pieces, and
/// holds bytes back only while they could begin the mark.
class EndMark {
 public:
  explicit EndMark(std::string mark) : mark_(std::move(mark)) {}

  /// Takes the next piece of the stream; returns the bytes that are now known to be the
  /// command's. What follows the mark is dropped.
  std::string take(std::string_view piece);

  /// What is still held back, for a stream that ended without its mark.
  std::string rest() { return std::exchange(held_back_, {}); }

  /// Whether the whole mark has been seen.
  [[nodiscard]] bool seen() const { return seen_; }

 private:
  std::string mark_;
  std::string held_back_;
  bool seen_ = false;
};

}  // namespace kinst::guest
