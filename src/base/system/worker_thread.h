// A thread that serves a descriptor beside the main one.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string_view>
#include <thread>

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst {

/// A thread that ends, and is waited for, when its owner is destroyed. What the thread
/// uses must outlive this object: in a struct, the thread is the last member.
class WorkerThread {
 public:
  /// Nothing runs yet, and the thread's end can be waited for. Where the system has no
  /// descriptor left, start() fails.
  WorkerThread();
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;
  WorkerThread(WorkerThread&&) = delete;
  WorkerThread& operator=(WorkerThread&&) = delete;
  ~WorkerThread();

  /// Runs `work` in the thread. All signals are blocked there: they are for the other
  /// threads. To be called once.
  /// Errors: "cannot PURPOSE: CAUSE" if no descriptor or thread is left.
  Result<void> start(std::string_view purpose, std::function<void()> work);

  /// For the thread: whether it is to end.
  [[nodiscard]] bool is_ending() const { return is_ending_; }

  /// For the thread: waits until the descriptor is readable; false if the thread is to
  /// end.
  [[nodiscard]] bool wait_for(int descriptor) const;

  /// For the thread: waits for so long; false if the thread is to end.
  [[nodiscard]] bool pause(std::chrono::milliseconds duration) const;

 private:
  FileDescriptor end_;  ///< readable when the thread is to end
  int refusal_ = 0;     ///< the error number, if there is no end_
  std::atomic<bool> is_ending_ = false;
  std::thread thread_;
};

}  // namespace kinst
