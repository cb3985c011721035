// A second process that tidies up when this one is killed and cannot.
#pragma once

#include <utility>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace kinst::bpf {

/// Owns a small process that waits for the end of this one. If that comes by surprise,
/// it removes this process's group of probe events and restores the settings that were
/// borrowed; destroyed orderly, it just ends. It belongs to its own session, so that
/// what is killed with a terminal or a process group does not include it.
class Watcher {
 public:
  /// Start it before there is anything to tidy, and before other threads.
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
