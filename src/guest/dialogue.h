// The conversation with a guest, from its boot to the command's exit status.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "guest/end_mark.h"
#include "guest/qemu.h"
#include "guest/signal_watch.h"

namespace kinst::guest {

/// Passes the command's streams on to this process's, and signals to the command, and
/// keeps the last lines of the console for the case that the guest dies.
class Dialogue {
 public:
  /// `signals` outlives the dialogue.
  Dialogue(Qemu qemu, std::string end_mark, const SignalWatch& signals);

  enum class Outcome {
    /// The command runs.
    Up,
    /// The command has ended, and all of its output has been passed on.
    Exited,
    /// The machine has ended without that; see last_words().
    Lost,
    /// A signal came during the boot, or a second one while the command ran, or nobody
    /// reads our standard output any more.
    Interrupted,
    Overdue
  };

  /// Goes on until the command runs, at most for `patience`.
  Result<Outcome> wait_until_up(std::chrono::milliseconds patience);

  /// Goes on until the command has ended.
  Result<Outcome> wait_until_exit();

  /// The command's exit status after Exited, 128 and the signal's number after
  /// Interrupted, as a shell has it.
  [[nodiscard]] int status() const { return status_; }

  /// How the machine ended, as one sentence and the console's last lines.
  [[nodiscard]] std::string last_words() const;

 private:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  Result<Outcome> serve(bool until_up, Deadline deadline);
  Result<bool> wait_and_pass_on(Deadline deadline);
  [[nodiscard]] std::optional<Outcome> outcome() const;
  void hear_signal();
  void hear_control();
  Result<void> pass_on(FileDescriptor& from, EndMark& mark, int to);
  void read_own_input();
  void feed_input();
  void end_input();

  Qemu qemu_;
  const SignalWatch& signals_;
  EndMark output_mark_;
  EndMark errors_mark_;
  std::string console_;
  std::string complaints_;
  std::string control_;
  std::string pending_input_;
  bool own_input_open_ = true;
  bool up_ = false;
  bool exited_ = false;
  bool interrupted_ = false;
  bool signal_forwarded_ = false;
  int status_ = 0;
};

}  // namespace kinst::guest
