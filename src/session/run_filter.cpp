// Files in memory instead of pipes: neither side waits for the other.
#include "session/run_filter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/file_descriptor.h"
#include "base/read_file.h"
#include "base/write_all.h"

namespace kinst::session {
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

// Runs the program with these files as its standard input and output; its wait status.
Result<int> run(const std::string& program, std::vector<std::string> arguments,
                int input, int output) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) {
    pointers.push_back(argument.data());
  }
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child = -1;
  const int failure = posix_spawnp(&child, program.c_str(), &actions, nullptr,
                                   pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    return system_error(fmt::format("run {}", program), failure);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return system_error(fmt::format("wait for {}", program), errno);
    }
  }
  return status;
}

int exit_status(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
}

}  // namespace

Result<FilterOutcome> run_filter(const std::string& program,
                                 std::vector<std::string> arguments,
                                 std::string_view input) {
  const FileDescriptor given = KINST_TRY(make_memory_file());
  const FileDescriptor output = KINST_TRY(make_memory_file());
  KINST_CHECK(fill(given.get(), input));
  const int status =
      KINST_TRY(run(program, std::move(arguments), given.get(), output.get()));
  KINST_CHECK(rewind(output.get()));
  return FilterOutcome{.output = KINST_TRY(read_all(output.get(), "a file in memory")),
                       .exit_status = exit_status(status)};
}

Result<int> run_reader(const std::string& program, std::vector<std::string> arguments,
                       std::string_view input) {
  const FileDescriptor given = KINST_TRY(make_memory_file());
  KINST_CHECK(fill(given.get(), input));
  return exit_status(
      KINST_TRY(run(program, std::move(arguments), given.get(), STDOUT_FILENO)));
}

}  // namespace kinst::session
