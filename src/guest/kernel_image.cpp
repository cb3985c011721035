// The image's beginning says what it is; the configuration, which distributions put
// beside it, says whether it has kprobes.
#include "guest/kernel_image.h"

#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "guest/board.h"

namespace kinst::guest {
namespace {

namespace fs = std::filesystem;

/// Orders "6.9" before "6.12": numbers by value, the rest by letter.
bool older(const std::string& left, const std::string& right) {
  return ::strverscmp(left.c_str(), right.c_str()) < 0;
}

bool has_kprobes(const fs::path& configuration) {
  std::ifstream config(configuration);
  for (std::string line; std::getline(config, line);) {
    if (line == "CONFIG_KPROBE_EVENTS=y") {
      return true;
    }
  }
  return false;
}

/// The names in a directory that begin with `prefix`, without it, oldest release first;
/// none if the directory cannot be read.
std::vector<std::string> releases(const fs::path& directory, std::string_view prefix) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().native();
    if (name.starts_with(prefix)) {
      found.push_back(name.substr(prefix.size()));
    }
  }
  std::ranges::sort(found, older);
  return found;
}

/// An installed kernel's image and configuration: in /boot, or both with its modules,
/// as newer packages have them.
std::optional<fs::path> installed(const KernelPlaces& places,
                                  const std::string& release) {
  const fs::path modules = places.modules / release;
  for (const auto& [image, configuration] :
       {std::pair(places.boot / ("vmlinuz-" + release),
                  places.boot / ("config-" + release)),
        std::pair(modules / "vmlinuz", modules / "config")}) {
    if (fs::exists(image) && has_kprobes(configuration)) {
      return image;
    }
  }
  return std::nullopt;
}

std::optional<fs::path> newest_installed(const KernelPlaces& places) {
  std::vector<std::string> candidates = releases(places.boot, "vmlinuz-");
  std::ranges::copy(releases(places.modules, ""), std::back_inserter(candidates));
  std::ranges::sort(candidates, older);
  std::ranges::reverse(candidates);
  for (const std::string& release : candidates) {
    if (auto image = installed(places, release)) {
      return image;
    }
  }
  return std::nullopt;
}

/// The versions in the cache that can be booted, oldest first; "newest" is last.
std::vector<std::string> cached(const KernelPlaces& places) {
  std::vector<std::string> versions = releases(places.cache, "");
  std::erase_if(versions, [&](const std::string& version) {
    return !fs::exists(places.cache / version / "vmlinuz");
  });
  return versions;
}

fs::path modules_of(const fs::path& image, const std::string& release) {
  std::error_code ignored;
  const fs::path folder = fs::canonical(image, ignored).parent_path();
  if (!release.empty() && folder.filename() == release) {
    return folder;  // newer packages have the image among its modules
  }
  const fs::path unpacked = folder.parent_path();
  for (const fs::path& root : {unpacked, fs::path("/")}) {
    fs::path modules = root / "lib/modules" / release;
    if (fs::is_directory(modules, ignored)) {
      return modules;
    }
  }
  return {};
}

}  // namespace

Result<KernelImage> open_kernel(const fs::path& path) {
  const Board& board = native_board();
  std::ifstream file(path, std::ios::binary);
  std::vector<char> head(board.head_bytes);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  // A directory opens, but does not read.
  if (!file && !file.eof()) {
    return system_error(fmt::format("read the kernel image {}", path.native()), errno);
  }
  const auto length = static_cast<std::size_t>(file.gcount());
  auto image = board.read_image(std::as_bytes(std::span(head).first(length)));
  if (!image) {
    return error("cannot boot {}: {}", path.native(), image.error().message);
  }
  std::error_code ignored;
  const std::uintmax_t there = fs::file_size(path, ignored);
  if (!ignored && there < image->file_bytes) {
    return error("cannot boot {}: it was cut short, to {} of {} bytes", path.native(),
                 there, image->file_bytes);
  }
  fs::path modules = modules_of(path, image->release);
  return KernelImage{.path = path,
                     .release = std::move(image->release),
                     .modules = std::move(modules)};
}

KernelPlaces this_machines_kernels() {
  KernelPlaces places;
  utsname names{};
  if (::uname(&names) == 0) {
    places.running_release = names.release;
  }
  // Nothing changes the environment while kinst runs.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* cache = std::getenv("XDG_CACHE_HOME");
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* home = std::getenv("HOME");
  places.cache = cache != nullptr && *cache != '\0'
                     ? fs::path(cache)
                     : fs::path(home != nullptr ? home : "/root") / ".cache";
  places.cache /= "kinst/kernels";
  return places;
}

// The cache comes before other installed kernels, and the oldest in it first: both grow
// with time, and an example that worked yesterday shall work today.
Result<KernelImage> choose_kernel(const KernelPlaces& places) {
  std::optional<fs::path> image = installed(places, places.running_release);
  if (const auto versions = cached(places); !image && !versions.empty()) {
    image = places.cache / versions.front() / "vmlinuz";
  }
  if (!image) {
    image = newest_installed(places);
  }
  if (!image) {
    return error(
        "no kernel to boot: none in {} has kprobes; name one with --vm=IMAGE, or get "
        "one with scripts/fetch-kernels",
        places.boot.native());
  }
  return open_kernel(*image);
}

Result<KernelImage> named_kernel(const KernelPlaces& places, const std::string& name) {
  const fs::path in_cache = places.cache / name / "vmlinuz";
  const bool is_path = name.find('/') != std::string::npos || fs::exists(name);
  if (!is_path && fs::exists(in_cache)) {
    return open_kernel(in_cache);
  }
  auto opened = open_kernel(name);
  if (opened || is_path) {
    return opened;
  }
  const auto versions = cached(places);
  return error("there is no kernel '{}': {}, and an image is named by its path", name,
               versions.empty() ? "scripts/fetch-kernels has fetched none"
                                : fmt::format("scripts/fetch-kernels has fetched {}",
                                              fmt::join(versions, ", ")));
}

}  // namespace kinst::guest
