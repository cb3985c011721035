#include "bpf/borrowed_setting.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>
#include <utility>

namespace kinst::bpf {
namespace {

constexpr MachineSetting grace_periods{"/sys/kernel/rcu_expedited", '0', '1',
                                       "/run/kinst-rcu_expedited"};
constexpr MachineSetting optimization{"/proc/sys/debug/kprobes-optimization", '1', '0',
                                      "/run/kinst-kprobes-optimization"};
constexpr std::array all_settings = {grace_periods, optimization};

bool set(const MachineSetting& setting, char value) {
  const FileDescriptor file(open(setting.path, O_WRONLY | O_CLOEXEC));
  return file && write(file.get(), &value, 1) == 1;
}

bool is_as_usual(const MachineSetting& setting) {
  const FileDescriptor file(open(setting.path, O_RDONLY | O_CLOEXEC));
  char now = '\0';
  return file && read(file.get(), &now, 1) == 1 && now == setting.usual;
}

// Whether the note is locked by this process now, and still is the one in its place.
bool take(const FileDescriptor& note) {
  struct stat status {};
  return note && flock(note.get(), LOCK_EX | LOCK_NB) == 0 &&
         fstat(note.get(), &status) == 0 && status.st_nlink == 1;
}

void restore(const MachineSetting& setting) {
  // Nothing can be done if this fails, and nothing is broken: only slower or faster.
  static_cast<void>(set(setting, setting.usual));
  unlink(setting.note);
}

// Each line of the list is a probe, with what has become of it behind its place.
bool is_any_probe_optimized() {
  std::ifstream list("/sys/kernel/debug/kprobes/list");
  bool found = !list;
  for (std::string line; !found && std::getline(list, line);) {
    found = line.find("[OPTIMIZED]") != std::string::npos;
  }
  return found;
}

}  // namespace

BorrowedSetting::BorrowedSetting(const MachineSetting& setting) {
  if (!is_as_usual(setting)) {
    return;
  }
  mkdir("/run", 0755);  // the smallest systems have none
  constexpr int only_owner = 0600;
  FileDescriptor note(
      open(setting.note, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, only_owner));
  if (!take(note)) {
    return;
  }
  if (!set(setting, setting.borrowed)) {
    unlink(setting.note);
    return;
  }
  setting_ = setting;
  note_ = std::move(note);
}

BorrowedSetting::BorrowedSetting(BorrowedSetting&& other) noexcept
    : setting_(std::exchange(other.setting_, std::nullopt)),
      note_(std::move(other.note_)) {}

BorrowedSetting& BorrowedSetting::operator=(BorrowedSetting&& other) noexcept {
  if (this != &other) {
    give_back();
    setting_ = std::exchange(other.setting_, std::nullopt);
    note_ = std::move(other.note_);
  }
  return *this;
}

void BorrowedSetting::give_back() {
  if (setting_) {
    restore(*setting_);
    setting_.reset();
    note_.reset();
  }
}

BorrowedSetting expedite_grace_periods(SettingPolicy policy) {
  return policy == SettingPolicy::Borrow ? BorrowedSetting(grace_periods)
                                         : BorrowedSetting();
}

BorrowedSetting leave_kprobes_unoptimized(SettingPolicy policy) {
  return policy == SettingPolicy::Borrow && !is_any_probe_optimized()
             ? BorrowedSetting(optimization)
             : BorrowedSetting();
}

bool restore_abandoned_settings() {
  bool is_done = true;
  for (const MachineSetting& setting : all_settings) {
    const FileDescriptor note(open(setting.note, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
    if (take(note)) {
      restore(setting);
    } else if (note) {
      is_done = false;
    }
  }
  return is_done;
}

}  // namespace kinst::bpf
