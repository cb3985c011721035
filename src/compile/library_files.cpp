#include "compile/library_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/system/read_file.h"

namespace kinst::compile {
namespace {

constexpr std::size_t most_library_bytes = std::size_t{64} << 20U;

namespace fs = std::filesystem;

enum class Owner { Command, User };

std::optional<fs::path> commands_folder() {
  std::error_code failure;
  const fs::path command = fs::read_symlink("/proc/self/exe", failure);
  if (failure) {
    return std::nullopt;
  }
  const fs::path folder = command.parent_path();
  const fs::path installed = folder.parent_path() / "share" / "kinst";
  if (fs::is_directory(installed, failure)) {
    return installed;
  }
  const fs::path source = folder.parent_path() / "library";
  if (fs::exists(folder / "CMakeCache.txt", failure) &&
      fs::is_directory(source, failure)) {
    return source;
  }
  return std::nullopt;
}

std::vector<fs::path> d_files(const fs::path& folder, std::error_code& failure) {
  std::vector<fs::path> files;
  fs::directory_iterator entry(folder, failure);
  while (!failure && entry != fs::directory_iterator()) {
    if (entry->path().extension() == ".d") {
      files.push_back(entry->path());
    }
    entry.increment(failure);
  }
  std::ranges::sort(files);
  return files;
}

void put(LibraryFile file, std::vector<LibraryFile>& files) {
  const auto same = std::ranges::find(files, file.name, &LibraryFile::name);
  if (same != files.end()) {
    *same = std::move(file);
  } else {
    files.push_back(std::move(file));
  }
}

void add_folder(const fs::path& folder, Owner owner, LibraryFiles& found) {
  std::error_code failure;
  for (const fs::path& path : d_files(folder, failure)) {
    auto text = read_file(path, most_library_bytes);
    if (!text) {
      found.unreadable.push_back(text.error().message);
      continue;
    }
    put({.name = path.filename(),
         .path = path,
         .text = *std::move(text),
         .is_users = owner == Owner::User},
        found.files);
  }
  if (failure) {
    found.unreadable.push_back(fmt::format("cannot read D libraries of {}: {}",
                                           folder.string(), failure.message()));
  }
}

}  // namespace

LibraryFiles find_libraries(const LibraryOptions& options) {
  LibraryFiles found;
  if (options.loads_own && !options.system_folder.empty()) {
    add_folder(options.system_folder, Owner::Command, found);
  } else if (options.loads_own) {
    if (const std::optional<fs::path> folder = commands_folder()) {
      add_folder(*folder, Owner::Command, found);
    } else {
      for (const BuiltInLibrary& library : built_in_libraries()) {
        put({.name = std::string(library.name),
             .path = std::string(library.name),
             .text = std::string(library.text)},
            found.files);
      }
    }
  }
  for (const std::string& folder : options.folders) {
    add_folder(folder, Owner::User, found);
  }
  return found;
}

}  // namespace kinst::compile
