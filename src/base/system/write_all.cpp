#include "base/system/write_all.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <optional>

namespace kinst {
namespace {

using Clock = std::chrono::steady_clock;

// Regular files never make a write wait, and Nudges cost as much as a small write.
bool can_block(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode);
}

// Measures how long the reader has taken nothing since the process began to end.
class Stall {
 public:
  explicit Stall(std::chrono::milliseconds patience) : patience_(patience) {}

  void end() { since_ = {}; }
  bool is_too_long() {
    if (!is_ending()) {
      return false;
    }
    const Clock::time_point now = Clock::now();
    since_ = since_ == Clock::time_point() ? now : since_;
    // A stop signal was taken before; a second one asks for an end at once.
    return (was_ending_ && is_stop_pending()) || now - since_ >= patience_;
  }

 private:
  std::chrono::milliseconds patience_;
  bool was_ending_ = is_ending() && !is_stop_pending();
  Clock::time_point since_;  // epoch: the wait has not begun
};

}  // namespace

int write_all(int descriptor, std::string_view text,
              std::chrono::milliseconds patience) {
  // Written in parts of this size, so that the progress of a slow reader is seen.
  constexpr std::size_t most_at_once = std::size_t{1} << 16U;
  std::optional<Nudges> nudges;
  if (!text.empty() && can_block(descriptor)) {
    nudges.emplace();
  }
  Stall stall(patience);
  while (!text.empty()) {
    const std::size_t length =
        nudges ? std::min(text.size(), most_at_once) : text.size();
    const ssize_t count = ::write(descriptor, text.data(), length);
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
      stall.end();
      continue;
    }
    if (errno == EAGAIN) {
      pollfd wanted{.fd = descriptor, .events = POLLOUT, .revents = 0};
      ::poll(&wanted, 1, -1);  // nudged, too
    } else if (errno != EINTR) {
      return errno;
    }
    if (stall.is_too_long()) {
      return ETIMEDOUT;
    }
  }
  return 0;
}

}  // namespace kinst
