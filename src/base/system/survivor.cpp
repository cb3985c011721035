#include "base/system/survivor.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace kinst {
namespace {

// Closes every descriptor but the life line, which becomes number 3. Otherwise the
// survivor would keep probes alive, and pipes that other processes read from.
void let_go_of_everything(int life_line) {
  dup2(life_line, 3);
  const int nothing = open("/dev/null", O_RDWR);
  for (int standard = 0; standard <= 2; ++standard) {
    dup2(nothing, standard);
  }
  syscall(SYS_close_range, 4, ~0U, 0);
  [[maybe_unused]] const int moved = chdir("/");
}

[[noreturn]] void survive(int life_line, const std::string& name,
                          const std::function<void(Ending)>& task) {
  setsid();
  prctl(PR_SET_NAME, name.c_str());
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  let_go_of_everything(life_line);
  char byte = 0;
  task(read(3, &byte, 1) == 0 ? Ending::Killed : Ending::Orderly);
  _exit(0);
}

}  // namespace

Result<Survivor> Survivor::start(const std::string& name,
                                 const std::function<void(Ending)>& task) {
  const std::string process_name = "kinst-" + name;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return system_error(fmt::format("make a pipe to the {}", name), errno);
  }
  const FileDescriptor watched_end(ends[0]);
  FileDescriptor life_line(ends[1]);
  // As fork(), but without SIGCHLD at its end (clone(2), "the child termination
  // signal"); the kernel takes what is left of it away when this process ends.
  const long child = syscall(SYS_clone, 0UL, nullptr, nullptr, nullptr, 0UL);
  if (child == 0) {
    survive(watched_end.get(), process_name, task);
  }
  if (child < 0) {
    return system_error(fmt::format("start the {}", name), errno);
  }
  return Survivor(std::move(life_line), static_cast<pid_t>(child));
}

Survivor::~Survivor() {
  if (life_line_) {
    say_farewell();
  }
}

bool Survivor::say_farewell() const {
  return write(life_line_.get(), "q", 1) == 1;
}

void Survivor::dismiss() {
  if (life_line_ && say_farewell()) {
    waitpid(process_, nullptr, __WALL);
  }
  life_line_.reset();
}

}  // namespace kinst
