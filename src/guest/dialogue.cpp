// One poll loop. Output is written to our own descriptors as it comes; while nobody
// reads there, nothing is read from the guest, whose command then waits, as in a pipe.
#include "guest/dialogue.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "base/system/stop_signals.h"
#include "guest/crash_report.h"

namespace kinst::guest {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kept_bytes = 65536;

/// What can be read now; closes the descriptor at its end.
std::string read_some(FileDescriptor& from) {
  std::array<char, 65536> buffer{};
  const ssize_t length = ::read(from.get(), buffer.data(), buffer.size());
  if (length > 0) {
    return {buffer.data(), static_cast<std::size_t>(length)};
  }
  if (length == 0 || (errno != EINTR && errno != EAGAIN)) {
    from.reset();
  }
  return {};
}

void keep_last(std::string& kept, std::string_view more) {
  kept += more;
  if (kept.size() > kept_bytes) {
    kept.erase(0, kept.size() - kept_bytes);
  }
}

}  // namespace

Dialogue::Dialogue(Qemu qemu, const std::string& end_mark, const SignalWatch& signals,
                   int file)
    : qemu_(std::move(qemu)),
      signals_(signals),
      streams_{{{.from = &Qemu::output, .mark = EndMark(end_mark), .to = STDOUT_FILENO},
                {.from = &Qemu::errors, .mark = EndMark(end_mark), .to = STDERR_FILENO},
                {.from = &Qemu::file, .mark = EndMark(end_mark), .to = file}}} {
  // Reading from a terminal would stop us in the background and swallow what is typed
  // for the shell; a command that traces does not ask questions.
  if (::isatty(STDIN_FILENO) == 1) {
    end_input();
  }
}

Result<Dialogue::Outcome> Dialogue::wait_until_up(milliseconds patience) {
  return serve(true, steady_clock::now() + patience);
}

Result<Dialogue::Outcome> Dialogue::wait_until_exit() {
  return serve(false, std::nullopt);
}

Result<Dialogue::Outcome> Dialogue::serve(bool until_up, Deadline deadline) {
  for (;;) {
    if (until_up && up_) {
      return Outcome::Up;
    }
    if (const std::optional<Outcome> end = outcome()) {
      return *end;
    }
    if (!KINST_TRY(wait_and_pass_on(deadline))) {
      return Outcome::Overdue;
    }
  }
}

std::optional<Dialogue::Outcome> Dialogue::outcome() const {
  if (interrupted_) {
    return Outcome::Interrupted;
  }
  if (exited_ && std::ranges::all_of(streams_, &Stream::is_done)) {
    return Outcome::Exited;
  }
  const bool is_silent = std::ranges::all_of(streams_, [this](const Stream& stream) {
    return !(qemu_.*stream.from) && stream.pending.empty();
  });
  if (!qemu_.control && !qemu_.console && !qemu_.complaints && is_silent) {
    return Outcome::Lost;
  }
  return std::nullopt;
}

// Waits for whatever comes next and deals with it; false once the deadline has passed.
Result<bool> Dialogue::wait_and_pass_on(Deadline deadline) {
  drop_stalled();
  const std::optional<int> timeout_ms = patience_ms(deadline);
  if (!timeout_ms) {
    return false;
  }
  Waits waits = all_waits();
  if (::poll(waits.data(), waits.size(), *timeout_ms) < 0 && errno != EINTR) {
    return system_error("wait for the guest", errno);
  }
  KINST_CHECK(pass_on(waits));
  return true;
}

std::optional<int> Dialogue::patience_ms(Deadline deadline) const {
  int timeout_ms = -1;
  if (deadline) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(*deadline - steady_clock::now());
    if (left.count() <= 0) {
      return std::nullopt;
    }
    timeout_ms = static_cast<int>(left.count());
  }
  const bool has_pending = std::ranges::any_of(
      streams_, [](const Stream& stream) { return !stream.pending.empty(); });
  if (signal_forwarded_ && has_pending) {
    constexpr int look_ms = 100;
    timeout_ms = timeout_ms < 0 ? look_ms : std::min(timeout_ms, look_ms);
  }
  return timeout_ms;
}

Dialogue::Waits Dialogue::all_waits() const {
  Waits waits{};
  waits.fill({.fd = -1, .events = 0, .revents = 0});  // poll() passes over these
  const auto wait_for = [&](std::size_t place, int descriptor, short events) {
    waits.at(place) = {.fd = descriptor, .events = events, .revents = 0};
  };
  wait_for(for_signal, signals_.descriptor(), POLLIN);
  wait_for(for_console, qemu_.console.get(), POLLIN);
  wait_for(for_complaints, qemu_.complaints.get(), POLLIN);
  wait_for(for_control, qemu_.control.get(), POLLIN);
  if (up_ && own_input_open_ && pending_input_.empty()) {
    wait_for(for_own_input, STDIN_FILENO, POLLIN);
  }
  if (!pending_input_.empty()) {
    wait_for(for_input, qemu_.input.get(), POLLOUT);
  }
  for (std::size_t number = 0; number < streams_.size(); ++number) {
    // Nothing more is read of a stream before all that was read has been taken.
    const Stream& stream = streams_.at(number);
    if (stream.pending.empty()) {
      wait_for(for_streams + number, (qemu_.*stream.from).get(), POLLIN);
    } else {
      wait_for(for_streams + number, stream.to, POLLOUT);
    }
  }
  return waits;
}

Result<void> Dialogue::pass_on(const Waits& waits) {
  const auto ready = [&](std::size_t place) { return waits.at(place).revents != 0; };
  if (ready(for_signal)) {
    hear_signal();
  }
  if (ready(for_console)) {
    keep_last(console_, read_some(qemu_.console));
  }
  if (ready(for_complaints)) {
    keep_last(complaints_, read_some(qemu_.complaints));
  }
  for (std::size_t number = 0; number < streams_.size(); ++number) {
    Stream& stream = streams_.at(number);
    if (ready(for_streams + number) && stream.pending.empty()) {
      take(stream);
    }
    if (!stream.pending.empty()) {
      KINST_CHECK(give(stream));
    }
  }
  if (ready(for_control)) {
    hear_control();
  }
  if (ready(for_own_input)) {
    read_own_input();
  }
  if (ready(for_input)) {
    feed_input();
  }
  return {};
}

void Dialogue::hear_signal() {
  const std::optional<int> number = signals_.take();
  if (!number) {
    return;
  }
  if (!up_ || signal_forwarded_) {
    interrupted_ = true;
    status_ = 128 + *number;
    return;
  }
  signal_forwarded_ = true;
  moved_ = steady_clock::now();
  const std::string line = fmt::format("signal {}\n", signal_name(*number));
  ::send(qemu_.control.get(), line.data(), line.size(), MSG_NOSIGNAL);
}

void Dialogue::hear_control() {
  control_ += read_some(qemu_.control);
  for (std::size_t end = control_.find('\n'); end != std::string::npos;
       end = control_.find('\n')) {
    const std::string line = control_.substr(0, end);
    control_.erase(0, end + 1);
    constexpr std::string_view exit = "exit ";
    if (line == "up") {
      up_ = true;
    } else if (line.starts_with(exit)) {
      exited_ = true;
      status_ = std::atoi(line.c_str() + exit.size());
    }
  }
}

void Dialogue::take(Stream& stream) {
  FileDescriptor& from = qemu_.*stream.from;
  std::string text = stream.mark.take(read_some(from));
  moved_ = steady_clock::now();
  if (!from) {
    text += stream.mark.rest();
  }
  if (!stream.is_lost && stream.to >= 0) {
    stream.pending += text;
  }
}

// A pipe that is ready takes so much without a wait; what else can wait is nudged.
Result<void> Dialogue::give(Stream& stream) {
  constexpr std::size_t most_at_once = PIPE_BUF;
  pollfd wait{.fd = stream.to, .events = POLLOUT, .revents = 0};
  const Nudges nudges;
  while (!stream.pending.empty() && ::poll(&wait, 1, 0) == 1) {
    const ssize_t count = ::write(stream.to, stream.pending.data(),
                                  std::min(stream.pending.size(), most_at_once));
    if (count > 0) {
      stream.pending.erase(0, static_cast<std::size_t>(count));
      moved_ = steady_clock::now();
    } else if (count < 0 && errno == EPIPE) {
      interrupted_ = true;
      status_ = 128 + SIGPIPE;
      return {};
    } else if (count < 0 && errno != EINTR && errno != EAGAIN) {
      return system_error("pass the guest's output on", errno);
    } else {
      return {};
    }
  }
  return {};
}

void Dialogue::drop_stalled() {
  if (!signal_forwarded_ || steady_clock::now() - moved_ < patience_after_signal) {
    return;
  }
  for (Stream& stream : streams_) {
    stream.is_lost = stream.is_lost || !stream.pending.empty();
    stream.pending.clear();
  }
}

bool Dialogue::has_lost_output() const {
  return std::ranges::any_of(streams_, &Stream::is_lost);
}

void Dialogue::read_own_input() {
  std::array<char, 4096> buffer{};
  const ssize_t length = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (length > 0) {
    pending_input_.assign(buffer.data(), static_cast<std::size_t>(length));
  } else if (length == 0 || errno != EINTR) {
    end_input();
  }
}

void Dialogue::feed_input() {
  const ssize_t length = ::send(qemu_.input.get(), pending_input_.data(),
                                pending_input_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (length >= 0) {
    pending_input_.erase(0, static_cast<std::size_t>(length));
  } else if (errno != EAGAIN && errno != EINTR) {
    pending_input_.clear();
    end_input();
  }
}

/// Lets the command see the end of its input. QEMU drops what it has not read yet when
/// the connection closes, so it only ends in this direction.
void Dialogue::end_input() {
  own_input_open_ = false;
  ::shutdown(qemu_.input.get(), SHUT_WR);
}

std::string Dialogue::crash_report() const {
  return guest::crash_report(console_, complaints_);
}

}  // namespace kinst::guest
