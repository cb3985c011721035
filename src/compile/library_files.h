// Finds the D library files: in the folder that is installed with the command, in the
// user's folders, and among the copies that are built into the command.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinst::compile {

struct LibraryFile {
  std::string name;  ///< "procfs.d"
  std::string path;  ///< for messages
  std::string text;
  /// Whether it comes from one of the user's folders.
  bool is_users = false;
};

/// A library that is built into the command, for a command that was copied without its
/// library folder.
struct BuiltInLibrary {
  std::string_view name;
  std::string_view text;
};
std::span<const BuiltInLibrary> built_in_libraries();

struct LibraryFiles {
  std::vector<LibraryFile> files;
  /// The folders and files that could not be read, each with the reason.
  std::vector<std::string> unreadable;
};

/// Where D libraries are.
struct LibraryOptions {
  bool loads_own = true;             ///< nolibs: only the user's
  std::string system_folder;         ///< syslibdir; empty: kinst's own
  std::vector<std::string> folders;  ///< libdir, -L: the user's

  bool operator==(const LibraryOptions&) const = default;
};

/// The library files of a run: first the command's own, sorted by name, then the
/// user's, sorted by folder and name. A user's file replaces an earlier file of the
/// same name.
/// The command's own folder is ../share/kinst relative to the command, or library/ of
/// the source tree if the command is in a build folder of that tree.
LibraryFiles find_libraries(const LibraryOptions& options);

}  // namespace kinst::compile
