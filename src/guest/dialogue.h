// Serves a guest from its boot to the command's exit status.
#pragma once

#include <poll.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"
#include "guest/end_mark.h"
#include "guest/qemu.h"
#include "guest/signal_watch.h"

namespace kinst::guest {

/// Passes the command's streams to this process's and signals to the command, and keeps
/// the last lines of the console in case the guest dies.
class Dialogue {
 public:
  /// `signals` must outlive this. file: the descriptor for Command::file.
  Dialogue(Qemu qemu, const std::string& end_mark, const SignalWatch& signals,
           int file);

  enum class Outcome {
    /// The command runs.
    Up,
    /// The command has ended, and all of its output has been passed on.
    Exited,
    /// The machine has ended before the command; see crash_report().
    Lost,
    /// A signal came during the boot, or a second one while the command ran, or nobody
    /// reads our standard output any more.
    Interrupted,
    Overdue
  };

  /// Serves the guest until the command runs, but no longer than `patience`.
  Result<Outcome> wait_until_up(std::chrono::milliseconds patience);

  /// Serves the guest until the command has ended.
  Result<Outcome> wait_until_exit();

  /// The command's exit status after Exited, 128 and the signal's number after
  /// Interrupted, as a shell has it.
  [[nodiscard]] int status() const { return status_; }

  /// Whether output was dropped, because after a signal nobody read it for a while.
  [[nodiscard]] bool has_lost_output() const;

  /// How the machine ended, as one sentence and the console's last lines.
  [[nodiscard]] std::string crash_report() const;

 private:
  using Time = std::chrono::steady_clock::time_point;
  using Deadline = std::optional<Time>;

  /// A stream from the command to a descriptor of this process.
  struct Stream {
    FileDescriptor Qemu::*from;
    EndMark mark;
    int to;
    std::string pending;   ///< from the command, not yet written
    bool is_lost = false;  ///< nobody reads it any more
    [[nodiscard]] bool is_done() const { return mark.seen() && pending.empty(); }
  };

  /// The places in what poll() is given.
  static constexpr std::size_t for_signal = 0;
  static constexpr std::size_t for_console = 1;
  static constexpr std::size_t for_complaints = 2;
  static constexpr std::size_t for_control = 3;
  static constexpr std::size_t for_own_input = 4;
  static constexpr std::size_t for_input = 5;
  static constexpr std::size_t for_streams = 6;  ///< and the two behind it
  using Waits = std::array<pollfd, 9>;

  Result<Outcome> serve(bool until_up, Deadline deadline);
  Result<bool> wait_and_pass_on(Deadline deadline);
  /// How long to wait: -1 for as long as it takes; nothing if the deadline has passed.
  [[nodiscard]] std::optional<int> patience_ms(Deadline deadline) const;
  [[nodiscard]] Waits all_waits() const;
  Result<void> pass_on(const Waits& waits);
  [[nodiscard]] std::optional<Outcome> outcome() const;
  void hear_signal();
  void hear_control();
  /// Read from the command, and write to this process's descriptor.
  void take(Stream& stream);
  Result<void> give(Stream& stream);
  /// Gives up output that nobody reads although a signal has come.
  void drop_stalled();
  void read_own_input();
  void feed_input();
  void end_input();

  Qemu qemu_;
  const SignalWatch& signals_;
  std::array<Stream, 3> streams_;
  Time moved_;  ///< when something came, was taken here, or the signal came
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
