#include "bpf/attach/borrowed_setting.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
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

FileDescriptor open_setting(const MachineSetting& setting) {
  return FileDescriptor(open(setting.path, O_RDWR | O_CLOEXEC));
}

bool set(int file, char value) {
  ssize_t count = 0;
  do {
    count = pwrite(file, &value, 1, 0);
  } while (count < 0 && errno == EINTR);
  return count == 1;
}

bool has(int file, char value) {
  char now = '\0';
  return pread(file, &now, 1, 0) == 1 && now == value;
}

// Whether the note is locked by this process now, and still is the one in its place.
bool take(const FileDescriptor& note) {
  struct stat status {};
  return note && flock(note.get(), LOCK_EX | LOCK_NB) == 0 &&
         fstat(note.get(), &status) == 0 && status.st_nlink == 1;
}

// Whether the setting is as usual again. The note stays until it is: whoever finds it
// tries again.
bool restore(const MachineSetting& setting, int file) {
  if (!set(file, setting.usual)) {
    return false;
  }
  unlink(setting.note);
  return true;
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
  FileDescriptor file = open_setting(setting);
  if (!file || !has(file.get(), setting.usual)) {
    return;
  }
  mkdir("/run", 0755);  // the smallest systems have none
  constexpr int only_owner = 0600;
  FileDescriptor note(
      open(setting.note, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, only_owner));
  if (!take(note)) {
    return;
  }
  if (!set(file.get(), setting.borrowed)) {
    unlink(setting.note);
    return;
  }
  setting_ = setting;
  file_ = std::move(file);
  note_ = std::move(note);
}

BorrowedSetting::BorrowedSetting(BorrowedSetting&& other) noexcept
    : setting_(std::exchange(other.setting_, std::nullopt)),
      file_(std::move(other.file_)),
      note_(std::move(other.note_)) {}

BorrowedSetting& BorrowedSetting::operator=(BorrowedSetting&& other) noexcept {
  if (this != &other) {
    give_back();
    setting_ = std::exchange(other.setting_, std::nullopt);
    file_ = std::move(other.file_);
    note_ = std::move(other.note_);
  }
  return *this;
}

void BorrowedSetting::give_back() {
  if (setting_) {
    // Should it fail, the watcher or the next run finds the note, unlocked.
    static_cast<void>(restore(*setting_, file_.get()));
    setting_.reset();
    file_.reset();
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

bool restore_abandoned_setting(const MachineSetting& setting) {
  const FileDescriptor note(open(setting.note, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!note) {
    return errno == ENOENT;
  }
  const FileDescriptor file = open_setting(setting);
  return file && take(note) && restore(setting, file.get());
}

bool restore_abandoned_settings() {
  bool is_done = true;
  for (const MachineSetting& setting : all_settings) {
    is_done = restore_abandoned_setting(setting) && is_done;
  }
  return is_done;
}

}  // namespace kinst::bpf
