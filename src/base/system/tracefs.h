// The kernel's tracing file system: what can be traced, and grouped kprobes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst {

/// An open root of tracefs; paths are relative to it.
class Tracefs {
 public:
  /// Opens the mounted tracefs, at /sys/kernel/tracing or below debugfs. If tracefs is
  /// not mounted, makes a private instance, which nobody else sees and which vanishes
  /// with this object.
  /// Errors: this kernel has no tracefs, or this process may not read it.
  static Result<Tracefs> open();

  [[nodiscard]] int descriptor() const { return root_.get(); }

  /// A file's whole content.
  [[nodiscard]] Result<std::string> read(const std::string& path) const;
  /// Opens a file of commands, which writes must not truncate.
  [[nodiscard]] Result<FileDescriptor> open_commands(const std::string& path) const;
  /// The names in a folder; empty if the folder does not exist.
  [[nodiscard]] std::vector<std::string> list(const std::string& path) const;

 private:
  explicit Tracefs(FileDescriptor root) : root_(std::move(root)) {}

  FileDescriptor root_;
};

}  // namespace kinst
