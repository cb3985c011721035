// A second process, which cleans up if this process is killed.
#pragma once

#include <utility>

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst::bpf {

/// Owns a small process that waits for the end of this process. If this process is
/// killed, the watcher removes its group of probe events and restores the settings that
/// it borrowed. If this object is destroyed in the normal way, the watcher just ends.
/// The watcher has a session of its own, so that it is not killed together with a
/// terminal or a process group.
class Watcher {
 public:
  /// Start it before there is anything to clean up, and before there are other threads.
  static Result<Watcher> start();

  Watcher(Watcher&&) noexcept = default;
  Watcher& operator=(Watcher&&) = delete;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher();

 private:
  explicit Watcher(FileDescriptor life_line) : life_line_(std::move(life_line)) {}

  FileDescriptor life_line_;  ///< a pipe that ends when this process does
};

}  // namespace kinst::bpf
