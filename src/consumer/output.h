// Where the program's output goes: standard output, or a file of -o or freopen().
#pragma once

#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace kinst::consumer {

/// Collects text and writes it out when asked, so that a record costs no system call.
class Output {
 public:
  /// descriptor: written to, not owned.
  explicit Output(int descriptor) : descriptor_(descriptor) {}

  /// What is to be written; appended to by whoever prints.
  [[nodiscard]] std::string& text() { return text_; }
  /// Writes it. Errors: the descriptor's; its reader takes nothing while the process
  /// is ending (write_all.h), which is told once and ends all writing there.
  Result<void> flush();
  /// From now on into the file at `path`, appending; an empty path goes back to where
  /// output went at first. Errors: the file cannot be opened; output then stays.
  Result<void> reopen(const std::string& path);
  /// Drops what is unwritten and, of a file, what was written.
  void truncate();

 private:
  [[nodiscard]] int current() const { return file_ ? file_.get() : descriptor_; }

  int descriptor_;
  FileDescriptor file_;
  std::string text_;
  bool is_given_up_ = false;
};

}  // namespace kinst::consumer
