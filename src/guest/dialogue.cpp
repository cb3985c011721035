// One poll loop. Output is written to our own descriptors as it comes; while nobody
// reads there, nothing is read from the guest, whose command then waits, as in a pipe.
#include "guest/dialogue.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/write_all.h"
#include "guest/last_words.h"

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

Dialogue::Dialogue(Qemu qemu, std::string end_mark, const SignalWatch& signals)
    : qemu_(std::move(qemu)),
      signals_(signals),
      output_mark_(end_mark),
      errors_mark_(std::move(end_mark)) {
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
  if (exited_ && output_mark_.seen() && errors_mark_.seen()) {
    return Outcome::Exited;
  }
  if (!qemu_.control && !qemu_.console && !qemu_.complaints && !qemu_.output &&
      !qemu_.errors) {
    return Outcome::Lost;
  }
  return std::nullopt;
}

/// Waits for whatever comes next and deals with it; false once the deadline has passed.
Result<bool> Dialogue::wait_and_pass_on(Deadline deadline) {
  int timeout_ms = -1;
  if (deadline) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(*deadline - steady_clock::now());
    if (left.count() <= 0) {
      return false;
    }
    timeout_ms = static_cast<int>(left.count());
  }
  const bool wants_own_input = up_ && own_input_open_ && pending_input_.empty();
  // Negative descriptors are passed over.
  std::array<pollfd, 8> waits = {{
      {.fd = signals_.descriptor(), .events = POLLIN, .revents = 0},
      {.fd = qemu_.console.get(), .events = POLLIN, .revents = 0},
      {.fd = qemu_.complaints.get(), .events = POLLIN, .revents = 0},
      {.fd = qemu_.control.get(), .events = POLLIN, .revents = 0},
      {.fd = qemu_.output.get(), .events = POLLIN, .revents = 0},
      {.fd = qemu_.errors.get(), .events = POLLIN, .revents = 0},
      {.fd = wants_own_input ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0},
      {.fd = pending_input_.empty() ? -1 : qemu_.input.get(),
       .events = POLLOUT,
       .revents = 0},
  }};
  if (::poll(waits.data(), waits.size(), timeout_ms) < 0 && errno != EINTR) {
    return system_error("wait for the guest", errno);
  }
  const auto ready = [&waits](std::size_t index) {
    return waits.at(index).revents != 0;
  };
  if (ready(0)) {
    hear_signal();
  }
  if (ready(1)) {
    keep_last(console_, read_some(qemu_.console));
  }
  if (ready(2)) {
    keep_last(complaints_, read_some(qemu_.complaints));
  }
  if (ready(4)) {
    KINST_CHECK(pass_on(qemu_.output, output_mark_, STDOUT_FILENO));
  }
  if (ready(5)) {
    KINST_CHECK(pass_on(qemu_.errors, errors_mark_, STDERR_FILENO));
  }
  if (ready(3)) {
    hear_control();
  }
  if (ready(6)) {
    read_own_input();
  }
  if (ready(7)) {
    feed_input();
  }
  return true;
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

Result<void> Dialogue::pass_on(FileDescriptor& from, EndMark& mark, int to) {
  std::string text = mark.take(read_some(from));
  if (!from) {
    text += mark.rest();
  }
  const int problem = write_all(to, text);
  if (problem == EPIPE) {
    interrupted_ = true;
    status_ = 128 + SIGPIPE;
  } else if (problem != 0) {
    return system_error("pass the guest's output on", problem);
  }
  return {};
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

std::string Dialogue::last_words() const {
  return guest::last_words(console_, complaints_);
}

}  // namespace kinst::guest
