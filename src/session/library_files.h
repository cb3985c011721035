// Where D libraries are from: the folder installed with the command, the user's
// folders, and the copies that the command has in it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "session/settings.h"

namespace kinst::session {

struct LibraryFile {
  std::string name;  ///< "procfs.d"
  std::string path;  ///< for messages
  std::string text;
  /// Of a folder that the user has named.
  bool is_users = false;
};

/// A library of the build, for commands that were copied without their folder.
struct BuiltInLibrary {
  std::string_view name;
  std::string_view text;
};
std::span<const BuiltInLibrary> built_in_libraries();

struct LibraryFiles {
  std::vector<LibraryFile> files;
  /// Folders and files that could not be read, with the reason.
  std::vector<std::string> unreadable;
};

/// The files of a run: those that belong to the command, sorted by name, then the
/// user's (-L, -x libdir) by folder and name. A user's file replaces another of its
/// name. Nothing with -x nolibs but the user's.
/// The command's folder is ../share/kinst seen from the command, or the source tree's
/// library/ if the command stands in a build folder of it.
LibraryFiles find_libraries(const Settings& settings);

}  // namespace kinst::session
