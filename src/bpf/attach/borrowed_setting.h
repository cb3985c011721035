// Settings of the whole machine that are changed while probes come and go.
#pragma once

#include <cstdint>
#include <optional>

#include "base/system/file_descriptor.h"

namespace kinst::bpf {

/// Whether settings of the whole machine may be changed for a while.
enum class SettingPolicy : std::uint8_t { Borrow, Leave };

/// A setting as it usually is, what it is while borrowed, and the file that says so.
struct MachineSetting {
  const char* path;
  char usual;
  char borrowed;
  /// A file that exists, locked by the borrower, while the setting is changed. If it
  /// exists but is not locked, the borrower was killed. A reboot removes it, as it
  /// undoes the change.
  const char* note;
};

/// Owns the change of a setting, and undoes the change when destroyed. The files that
/// this takes are opened beforehand: undoing needs no new descriptor, no memory and no
/// disk space. If undoing fails nevertheless, the note stays, and the next process that
/// finds it tries again.
class BorrowedSetting {
 public:
  /// Changes nothing.
  BorrowedSetting() = default;
  /// Changes the setting. Changes nothing if the setting does not have its usual value,
  /// does not exist, or is borrowed by another process already. Everything then works,
  /// but more slowly.
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

/// Makes the kernel expedite grace periods: the removal of each probe waits for one,
/// which takes some 20 ms normally and less than 1 ms if expedited.
BorrowedSetting expedite_grace_periods(SettingPolicy policy);

/// Keeps the kernel from replacing probes' breakpoints by jumps. It begins with that
/// 20 ms after a probe is enabled, and no probe comes or goes until every task has been
/// seen to switch, 0.1 s and longer (kernel/kprobes.c, kprobe_optimizer). Changes
/// nothing where probes of others are optimized, which it would slow down, or where
/// debugfs does not tell.
BorrowedSetting leave_kprobes_unoptimized(SettingPolicy policy);

/// Undoes the change of a setting whose borrower was killed or could not undo it. False
/// if the note still exists: a process has borrowed the setting or is just ending, or
/// undoing failed.
bool restore_abandoned_setting(const MachineSetting& setting);

/// The same for every setting that is ever borrowed.
bool restore_abandoned_settings();

}  // namespace kinst::bpf
