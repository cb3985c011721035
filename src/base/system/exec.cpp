#include "base/system/exec.h"

#include <unistd.h>

#include <cerrno>

namespace kinst {

std::vector<char*> exec_pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) {
    // exec() takes char* for historical reasons and changes nothing.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    pointers.push_back(const_cast<char*>(text.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

void report_exec_failure(int pipe) {
  const int cause = errno;
  [[maybe_unused]] const ssize_t written = ::write(pipe, &cause, sizeof cause);
  ::_exit(127);
}

std::optional<int> exec_failure(int pipe) {
  int cause = 0;
  return ::read(pipe, &cause, sizeof cause) == sizeof cause ? std::optional(cause)
                                                            : std::nullopt;
}

}  // namespace kinst
