// Settings of the whole machine that are changed while probes come and go.
#pragma once

#include <cstdint>
#include <optional>

#include "base/file_descriptor.h"

namespace kinst::bpf {

/// Whether settings of the whole machine may be changed for a while.
enum class SettingPolicy : std::uint8_t { Borrow, Leave };

/// A setting as it usually is, what it is while borrowed, and the file that says so.
struct MachineSetting {
  const char* path;
  char usual;
  char borrowed;
  /// Exists, locked by the borrower, while the setting is changed. If nobody has it
  /// locked, the borrower was killed. It goes with a reboot, as the change does.
  const char* note;
};

/// Owns the change of a setting, and undoes it when destroyed. What is needed for that
/// is open from the beginning: to undo it takes no descriptor, no memory and no room on
/// a disk. Should it fail all the same, the note stays, and the next that reads it
/// tries again.
class BorrowedSetting {
 public:
  /// Changes nothing.
  BorrowedSetting() = default;
  /// Changes the setting. Changes nothing where it is not as usual, does not exist, or
  /// is borrowed by another process already; all works then, only slower.
  explicit BorrowedSetting(const MachineSetting& setting);

  BorrowedSetting(BorrowedSetting&& other) noexcept;
  BorrowedSetting& operator=(BorrowedSetting&& other) noexcept;
  BorrowedSetting(const BorrowedSetting&) = delete;
  BorrowedSetting& operator=(const BorrowedSetting&) = delete;
  ~BorrowedSetting() { give_back(); }

  void give_back();

 private:
  std::optional<MachineSetting> setting_;  ///< while it is changed
  FileDescriptor file_;                    ///< the setting's, for undoing it
  FileDescriptor note_;                    ///< locked meanwhile
};

/// Makes the kernel's waits for grace periods short: each probe removed waits for one,
/// some 20 ms long normally and below 1 ms expedited.
BorrowedSetting expedite_grace_periods(SettingPolicy policy);

/// Keeps the kernel from replacing probes' breakpoints by jumps. It begins with that
/// 20 ms after a probe is enabled, and no probe comes or goes until every task has been
/// seen to switch, 0.1 s and longer (kernel/kprobes.c, kprobe_optimizer). Changes
/// nothing where probes of others are optimized, which it would slow down, or where
/// debugfs does not tell.
BorrowedSetting leave_kprobes_unoptimized(SettingPolicy policy);

/// Undoes the change of a setting whose borrower was killed, or could not undo it.
/// False if there still is a note: a process has the setting borrowed or is just
/// ending, or undoing failed.
bool restore_abandoned_setting(const MachineSetting& setting);

/// The same for every setting that is ever borrowed.
bool restore_abandoned_settings();

}  // namespace kinst::bpf
