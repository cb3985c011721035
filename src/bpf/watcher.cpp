// The watcher is a fork that never execs: it needs nothing but what is in memory here,
// and a file to exec need not exist any more when it is wanted. It is a child that
// sends no signal when it ends, so that no wait() for the others sees it.
#include "bpf/watcher.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "bpf/kprobe_group.h"

namespace kinst::bpf {
namespace {

constexpr const char* setting_path = "/sys/kernel/rcu_expedited";
constexpr char farewell = 'q';

void write_setting(int setting, char value) {
  // Nothing can be done if this fails, and nothing is broken: only slower or faster.
  [[maybe_unused]] const ssize_t count = pwrite(setting, &value, 1, 0);
}

/// Leaves nothing open but the life line, so that no probe lives on, and no pipe that
/// others read from, because the watcher has it open.
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

/// The events of the dead process are in use until the kernel has closed all that it
/// had open: hence several tries.
void tidy_up(const std::string& group, bool expedited) {
  constexpr int tries = 100;
  constexpr std::chrono::milliseconds pause(50);
  if (const auto tracefs = Tracefs::open()) {
    for (int i = 0; i < tries; ++i) {
      if (remove_group(*tracefs, group)) {
        break;
      }
      std::this_thread::sleep_for(pause);
    }
  }
  if (expedited) {
    const FileDescriptor setting(open(setting_path, O_WRONLY | O_CLOEXEC));
    write_setting(setting.get(), '0');
  }
}

[[noreturn]] void watch(int life_line, const std::string& group,
                        const std::atomic<bool>& expedited) {
  setsid();
  prctl(PR_SET_NAME, "kinst-watcher");
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  let_go_of_everything(life_line);
  char byte = 0;
  if (read(3, &byte, 1) == 0) {
    tidy_up(group, expedited);
  }
  _exit(0);
}

}  // namespace

Result<Watcher> Watcher::start(GracePeriods grace_periods) {
  const std::string group = group_name(KINST_TRY(this_process()));
  void* shared = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    return system_error("share memory with the watcher", errno);
  }
  auto* expedited = new (shared) std::atomic<bool>(false);
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
    watch(watched_end.get(), group, *expedited);
  }
  if (child < 0) {
    return system_error("start the watcher", errno);
  }
  return Watcher(std::move(life_line), expedited,
                 grace_periods == GracePeriods::Expedite);
}

Watcher::Watcher(Watcher&& other) noexcept
    : life_line_(std::move(other.life_line_)),
      expedited_(std::exchange(other.expedited_, nullptr)),
      may_expedite_(other.may_expedite_) {}

Watcher::~Watcher() {
  if (life_line_) {
    [[maybe_unused]] const ssize_t count = write(life_line_.get(), &farewell, 1);
  }
  if (expedited_ != nullptr) {
    munmap(expedited_, sizeof *expedited_);
  }
}

ExpeditedGracePeriods::ExpeditedGracePeriods(Watcher& watcher) : watcher_(watcher) {
  if (!watcher.may_expedite()) {
    return;
  }
  FileDescriptor setting(open(setting_path, O_RDWR | O_CLOEXEC));
  char now = '1';
  if (!setting || flock(setting.get(), LOCK_EX | LOCK_NB) != 0 ||
      pread(setting.get(), &now, 1, 0) != 1 || now != '0') {
    return;
  }
  watcher_.set_expedited(true);
  setting_ = std::move(setting);
  write_setting(setting_.get(), '1');
}

ExpeditedGracePeriods::~ExpeditedGracePeriods() {
  if (setting_) {
    write_setting(setting_.get(), '0');
    watcher_.set_expedited(false);
  }
}

}  // namespace kinst::bpf
