#include "compile/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "base/system/standard_streams.h"

namespace kinst::compile {

void ProgressLine::show(std::size_t done, std::size_t all) {
  constexpr std::chrono::seconds long_time(1);
  constexpr std::size_t many = 500;
  constexpr std::chrono::milliseconds pause(100);
  const Clock::time_point now = Clock::now();
  const bool is_due =
      is_shown_ ? now - shown_at_ >= pause : all >= many || now - begin_ >= long_time;
  if (!is_due || isatty(STDERR_FILENO) == 0) {
    return;
  }
  write_error_as_is(fmt::format("\r{} {}/{}", act_, done, all));
  is_shown_ = true;
  shown_at_ = now;
}

void ProgressLine::clear() {
  if (std::exchange(is_shown_, false)) {
    write_error_as_is("\r\033[K");
  }
}

}  // namespace kinst::compile
