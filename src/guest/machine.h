// The virtual machine for a command line: what it is made of.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "guest/kernel_image.h"

namespace kinst::guest {

/// A file or a directory with all that is in it, and the absolute path it has in the
/// guest. Programs bring the shared libraries they need with them.
struct File {
  std::filesystem::path source;
  std::filesystem::path destination;
};

/// A file of the guest that does not exist on this machine.
struct Content {
  std::filesystem::path destination;
  std::string text;
};

struct Machine {
  KernelImage kernel;
  std::vector<File> files;
  std::vector<Content> contents;
  unsigned processors = 2;
  /// In addition to the memory that the files take.
  unsigned memory_mib = 768;
};

/// What runs in the guest, as root.
struct Command {
  /// The program, looked up in PATH or as a path in the guest, and its arguments.
  std::vector<std::string> arguments;
  /// The directory it runs in; made if no file stands there.
  std::filesystem::path directory = "/";
  /// A descriptor of this process, not owned, to which goes what the command writes to
  /// its own descriptor number file_descriptor (init_script.h). Negative: that output
  /// is dropped.
  int file = -1;
};

/// `path` as the file of the same absolute path in the guest.
File same_path(const std::filesystem::path& path);

}  // namespace kinst::guest
