// The destination of the program's output: standard output, or a file of -o or
// freopen().
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst::consumer {

/// Collects text and writes it on request, so that a record costs no system call.
class Output {
 public:
  /// descriptor: written to, not owned.
  explicit Output(int descriptor) : descriptor_(descriptor) {}

  /// The text that is still to be written; callers append to it.
  [[nodiscard]] std::string& text() { return text_; }
  /// Writes the text. Errors: the descriptor cannot be written; while the process is
  /// ending, the reader does not read (write_all.h). The latter is reported once, and
  /// nothing more is written there.
  Result<void> flush();
  /// From now on, appends the output to the file at `path`; with an empty path, writes
  /// to the first destination again. Errors: the file cannot be opened; the destination
  /// then stays.
  Result<void> reopen(const std::string& path);
  /// Drops the text that is not written yet. If the destination is a file, empties it.
  void truncate();

 private:
  [[nodiscard]] int current() const { return file_ ? file_.get() : descriptor_; }

  int descriptor_;
  FileDescriptor file_;
  std::string text_;
  bool is_given_up_ = false;
};

}  // namespace kinst::consumer
