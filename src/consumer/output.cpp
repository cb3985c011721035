#include "consumer/output.h"

#include <unistd.h>

#include <cerrno>

#include "base/system/open_output.h"
#include "base/system/write_all.h"

namespace kinst::consumer {

Result<void> Output::flush() {
  const int problem = is_given_up_ ? 0 : write_all(current(), text_);
  text_.clear();
  if (problem == ETIMEDOUT) {
    is_given_up_ = true;
    return error("cannot write the output: its reader takes nothing; the rest is lost");
  }
  if (problem != 0) {
    return system_error("write the output", problem);
  }
  return {};
}

Result<void> Output::reopen(const std::string& path) {
  KINST_CHECK(flush());
  if (path.empty()) {
    file_.reset();
  } else {
    file_ = KINST_TRY(open_to_append(path));
  }
  is_given_up_ = false;
  return {};
}

void Output::truncate() {
  text_.clear();
  // The kernel refuses this for terminals and pipes, whose output cannot be taken back.
  if (::ftruncate(current(), 0) == 0) {
    ::lseek(current(), 0, SEEK_SET);
  }
}

}  // namespace kinst::consumer
