// A second process that cleans up behind this one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst {

/// What a survivor has seen of the process that started it.
enum class Ending : std::uint8_t {
  Orderly,  ///< it said farewell
  Killed    ///< it died without
};

/// Owns a small process that waits until this process says farewell or dies, does its
/// task, and ends. It is a fork that never calls exec(): it needs only what is in
/// memory, and the command's file may no longer exist when it is needed. It has a
/// session of its own, so that it is not killed together with a terminal or a process
/// group, takes no signals, and has no descriptors open. It sends no signal when it
/// ends, so that no wait() for other children sees it.
class Survivor {
 public:
  /// name: the process is called "kinst-NAME". task: runs in it at the end; if this
  /// process has other threads, only what is allowed between fork() and exec().
  static Result<Survivor> start(const std::string& name,
                                const std::function<void(Ending)>& task);

  Survivor(Survivor&& other) noexcept
      : life_line_(std::move(other.life_line_)), process_(other.process_) {}
  Survivor& operator=(Survivor&&) = delete;
  Survivor(const Survivor&) = delete;
  Survivor& operator=(const Survivor&) = delete;
  /// Says farewell.
  ~Survivor();

  /// False behind a move, and when it was dismissed.
  explicit operator bool() const { return static_cast<bool>(life_line_); }
  /// Says farewell, and waits until the process has ended.
  void dismiss();

 private:
  Survivor(FileDescriptor life_line, pid_t process)
      : life_line_(std::move(life_line)), process_(process) {}
  bool say_farewell() const;

  FileDescriptor life_line_;  ///< a pipe that ends when this process does
  pid_t process_;
};

}  // namespace kinst
