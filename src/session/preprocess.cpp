#include "session/preprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "base/file_descriptor.h"

extern char**
    environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it out

namespace kinst::session {
namespace {

Result<FileDescriptor> make_memory_file() {
  FileDescriptor file(memfd_create("kinst", MFD_CLOEXEC));
  if (!file) {
    return system_error("make a file in memory", errno);
  }
  return file;
}

Result<void> write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0) {
      return system_error("write to a file in memory", errno);
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (lseek(file, 0, SEEK_SET) < 0) {
    return system_error("rewind a file in memory", errno);
  }
  return {};
}

Result<std::string> read_all(int file) {
  if (lseek(file, 0, SEEK_SET) < 0) {
    return system_error("rewind a file in memory", errno);
  }
  std::string text;
  std::array<char, 65536> piece{};
  while (true) {
    const ssize_t got = read(file, piece.data(), piece.size());
    if (got < 0) {
      return system_error("read a file in memory", errno);
    }
    if (got == 0) {
      return text;
    }
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
}

// "-D__Linux_6_1_0_57_amd64": the system, as dtrace(1) defines it.
std::string system_definition() {
  utsname names{};
  uname(&names);
  std::string definition = fmt::format("-D__{}_{}", names.sysname, names.release);
  std::replace_if(
      definition.begin() + 2, definition.end(),
      [](char c) { return c == '.' || c == '-' || c == '+'; }, '_');
  return definition;
}

std::vector<std::string> arguments_of(const Settings& settings) {
  const std::string& program = settings.preprocessor;
  std::vector<std::string> arguments = {program.substr(program.rfind('/') + 1),
                                        "-D__linux",
                                        "-D__unix",
                                        "-D__SVR4",
                                        "-D__SUNW_D=1",
                                        "-D__SUNW_D_VERSION=0x02000000",
                                        "-U__GNUC__",
                                        system_definition()};
  if (settings.shows_included_files) {
    arguments.emplace_back("-H");
  }
  arguments.insert(arguments.end(), settings.preprocessor_arguments.begin(),
                   settings.preprocessor_arguments.end());
  arguments.emplace_back(settings.c_conformance == 's' ? "-traditional-cpp"
                                                       : "-std=c99");
  // Under this name its messages speak of the text.
  arguments.emplace_back("/dev/stdin");
  return arguments;
}

// Runs the program with these files as its standard input and output; its wait status.
Result<int> run(const std::string& program, std::vector<std::string> arguments,
                int input, int output) {
  std::vector<char*> pointers;
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
    return tl::unexpected(in_context(
        "-C needs the C preprocessor (Debian's package cpp, or -x cpppath=PROGRAM)",
        system_error(fmt::format("run {}", program), failure).value()));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return system_error(fmt::format("wait for {}", program), errno);
    }
  }
  return status;
}

}  // namespace

Result<std::string> preprocess(std::string_view text, std::string_view name,
                               const Settings& settings) {
  if (text.starts_with("#!")) {
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  const FileDescriptor input = KINST_TRY(make_memory_file());
  const FileDescriptor output = KINST_TRY(make_memory_file());
  KINST_CHECK(write_all(input.get(), text));
  const int status = KINST_TRY(
      run(settings.preprocessor, arguments_of(settings), input.get(), output.get()));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return error("failed to compile {}: Preprocessor failed to process input program",
                 name);
  }
  return read_all(output.get());
}

}  // namespace kinst::session
