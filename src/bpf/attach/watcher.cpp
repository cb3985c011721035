// The watcher is a fork that never calls exec(): it needs only what is in memory, and
// the command's file may no longer exist when it is needed. It is a child that sends no
// signal when it ends, so that no wait() for the others sees it.
#include "bpf/attach/watcher.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <utility>

#include "base/system/tracefs.h"
#include "bpf/attach/borrowed_setting.h"
#include "bpf/attach/kprobe_group.h"

namespace kinst::bpf {
namespace {

constexpr char farewell = 'q';

/// Closes every descriptor but the life line. Otherwise the watcher would keep probes
/// alive, and pipes that other processes read from.
void let_go_of_everything(int life_line) {
  const int nothing = open("/dev/null", O_RDWR);
  for (int standard = 0; standard <= 2; ++standard) {
    dup2(nothing, standard);
  }
  dup2(life_line, 3);
  syscall(SYS_close_range, 4, ~0U, 0);
  if (chdir("/") != 0) {
    return;
  }
}

/// Repeats a step until it has worked. Several tries are needed, because the dead
/// process's probes are in use until the kernel has closed all its descriptors.
template <typename Step>
void insist(const Step& step) {
  constexpr int tries = 100;
  constexpr std::chrono::milliseconds pause(50);
  for (int i = 0; i < tries && !step(); ++i) {
    std::this_thread::sleep_for(pause);
  }
}

void remove_probes(const std::string& group) {
  if (const auto tracefs = Tracefs::open()) {
    insist([&] { return remove_group(*tracefs, group).has_value(); });
  }
}

[[noreturn]] void watch(int life_line, const std::string& group) {
  setsid();
  prctl(PR_SET_NAME, "kinst-watcher");
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  let_go_of_everything(life_line);
  char byte = 0;
  if (read(3, &byte, 1) == 0) {
    remove_probes(group);
  }
  // Done after an orderly end as well, as giving back the settings may have failed. If
  // it did not fail, there is no note.
  insist(restore_abandoned_settings);
  _exit(0);
}

}  // namespace

Result<Watcher> Watcher::start() {
  const std::string group = group_name(KINST_TRY(this_process()));
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return system_error("make a pipe to the watcher", errno);
  }
  const FileDescriptor watched_end(ends[0]);
  FileDescriptor life_line(ends[1]);
  // As fork(), but without SIGCHLD at its end (clone(2), "the child termination
  // signal"); the kernel takes what is left of it away when this process ends.
  const long child = syscall(SYS_clone, 0UL, nullptr, nullptr, nullptr, 0UL);
  if (child == 0) {
    life_line.reset();
    watch(watched_end.get(), group);
  }
  if (child < 0) {
    return system_error("start the watcher", errno);
  }
  return Watcher(std::move(life_line));
}

Watcher::~Watcher() {
  if (life_line_) {
    [[maybe_unused]] const ssize_t count = write(life_line_.get(), &farewell, 1);
  }
}

}  // namespace kinst::bpf
