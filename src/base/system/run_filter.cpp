// Files in memory instead of pipes: neither side waits for the other.
#include "base/system/run_filter.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>

#include "base/system/child.h"
#include "base/system/file_descriptor.h"
#include "base/system/inherited_state.h"
#include "base/system/read_file.h"
#include "base/system/write_all.h"

namespace kinst {
namespace {

Result<FileDescriptor> make_memory_file() {
  FileDescriptor file(memfd_create("kinst", MFD_CLOEXEC));
  if (!file) {
    return system_error("make a file in memory", errno);
  }
  return file;
}

Result<void> rewind(int file) {
  if (lseek(file, 0, SEEK_SET) < 0) {
    return system_error("rewind a file in memory", errno);
  }
  return {};
}

Result<void> fill(int file, std::string_view text) {
  if (const int problem = write_all(file, text); problem != 0) {
    return system_error("write to a file in memory", problem);
  }
  return rewind(file);
}

// What is typed at a terminal is for the reader, which may take it for something else
// than its end.
class IgnoredInterrupt {
 public:
  IgnoredInterrupt() {
    note_inherited_state();
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, &before_);
  }
  IgnoredInterrupt(const IgnoredInterrupt&) = delete;
  IgnoredInterrupt& operator=(const IgnoredInterrupt&) = delete;
  IgnoredInterrupt(IgnoredInterrupt&&) = delete;
  IgnoredInterrupt& operator=(IgnoredInterrupt&&) = delete;
  ~IgnoredInterrupt() { sigaction(SIGINT, &before_, nullptr); }

 private:
  struct sigaction before_ {};
};

}  // namespace

Result<FilterOutcome> run_filter(const std::string& program,
                                 const std::vector<std::string>& arguments,
                                 std::string_view input, Complaints complaints) {
  const FileDescriptor given = KINST_TRY(make_memory_file());
  const FileDescriptor output = KINST_TRY(make_memory_file());
  const FileDescriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  KINST_CHECK(fill(given.get(), input));
  Child child = KINST_TRY(Child::start(
      program, arguments,
      {.input = given.get(),
       .output = output.get(),
       .errors = complaints == Complaints::Dropped ? nothing.get() : STDERR_FILENO},
      Orphan::IsKilled));
  const std::optional<int> status =
      KINST_TRY(child.wait_until_stop(std::chrono::milliseconds(0)));
  if (!status) {
    return FilterOutcome{.output = {}, .exit_status = -1};
  }
  KINST_CHECK(rewind(output.get()));
  return FilterOutcome{.output = KINST_TRY(read_all(output.get(), "a file in memory")),
                       .exit_status = exit_status(*status)};
}

Result<int> run_reader(const std::string& program,
                       const std::vector<std::string>& arguments,
                       std::string_view input) {
  const FileDescriptor given = KINST_TRY(make_memory_file());
  KINST_CHECK(fill(given.get(), input));
  const IgnoredInterrupt ignored;
  Child child = KINST_TRY(
      Child::start(program, arguments, {.input = given.get()}, Orphan::LivesOn));
  return exit_status(KINST_TRY(child.wait()));
}

}  // namespace kinst
