// The one owner of a file descriptor.
#pragma once

#include <unistd.h>

#include <utility>

namespace kinst {

/// Owns a file descriptor and closes it; -1 when it owns none.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { reset(); }

  /// The number, still owned here.
  [[nodiscard]] int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

  /// Gives the number to the caller, who closes it.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

  void reset() {
    if (number_ >= 0) {
      ::close(number_);
    }
    number_ = -1;
  }

 private:
  int number_ = -1;
};

}  // namespace kinst
