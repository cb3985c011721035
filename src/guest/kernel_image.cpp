// The kernel's own boot protocol says in the image's first kilobyte what it is; the
// file config-RELEASE, which distributions put beside it, says whether it has kprobes.
#include "guest/kernel_image.h"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

namespace kinst::guest {
namespace {

namespace fs = std::filesystem;

// Offsets of the setup header: Documentation/arch/x86/boot.rst, "The Real-Mode Kernel
// Header". The release stands 0x200 bytes behind what kernel_version holds.
constexpr std::size_t head_bytes = 0x8000;
constexpr std::size_t boot_flag = 0x1fe;
constexpr std::size_t header_magic = 0x202;
constexpr std::size_t kernel_version = 0x20e;
constexpr std::size_t load_flags = 0x236;
constexpr std::size_t setup_header_end = 0x268;
constexpr std::uint16_t has_64_bit_entry = 1;

bool has_text(std::span<const std::byte> head, std::size_t offset,
              std::string_view text) {
  return head.size() >= offset + text.size() &&
         std::memcmp(head.data() + offset, text.data(), text.size()) == 0;
}

std::uint16_t number_at(std::span<const std::byte> head, std::size_t offset) {
  std::uint16_t number = 0;
  std::memcpy(&number, head.data() + offset, sizeof(number));
  return number;
}

std::string text_at(std::span<const std::byte> head, std::size_t offset) {
  std::string text;
  for (; offset < head.size(); ++offset) {
    const char letter = static_cast<char>(head[offset]);
    if (letter == '\0' || letter == ' ') {
      break;
    }
    text.push_back(letter);
  }
  return text;
}

/// Orders "6.9" before "6.12": numbers by value, the rest by letter.
bool older(const std::string& left, const std::string& right) {
  return ::strverscmp(left.c_str(), right.c_str()) < 0;
}

bool has_kprobes(const fs::path& boot, const std::string& release) {
  std::ifstream config(boot / ("config-" + release));
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

std::optional<fs::path> newest_in_boot(const KernelPlaces& places) {
  std::vector<std::string> candidates = releases(places.boot, "vmlinuz-");
  candidates.push_back(places.running_release);
  std::ranges::reverse(candidates);
  for (const std::string& release : candidates) {
    fs::path image = places.boot / ("vmlinuz-" + release);
    if (has_kprobes(places.boot, release) && fs::exists(image)) {
      return image;
    }
  }
  return std::nullopt;
}

std::optional<fs::path> newest_in_cache(const KernelPlaces& places) {
  std::vector<std::string> versions = releases(places.cache, "");
  std::ranges::reverse(versions);
  for (const std::string& version : versions) {
    fs::path image = places.cache / version / "vmlinuz";
    if (fs::exists(image)) {
      return image;
    }
  }
  return std::nullopt;
}

fs::path modules_of(const fs::path& image, const std::string& release) {
  std::error_code ignored;
  const fs::path unpacked = fs::canonical(image, ignored).parent_path().parent_path();
  for (const fs::path& root : {unpacked, fs::path("/")}) {
    fs::path modules = root / "lib/modules" / release;
    if (fs::is_directory(modules, ignored)) {
      return modules;
    }
  }
  return {};
}

}  // namespace

Result<std::string> kernel_release(std::span<const std::byte> head) {
  if (has_text(head, 0,
               "\x7f"
               "ELF")) {
    return error(
        "it is an ELF file; the guest boots the compressed image, as in "
        "/boot/vmlinuz-*");
  }
  if (has_text(head, 0x38, "ARMd")) {
    return error("it is a kernel image for arm64, the guest is an x86-64 machine");
  }
  if (head.size() < setup_header_end || !has_text(head, boot_flag, "\x55\xaa") ||
      !has_text(head, header_magic, "HdrS")) {
    return error("it is not a Linux kernel image for x86");
  }
  if ((number_at(head, load_flags) & has_64_bit_entry) == 0) {
    return error("it is a kernel for 32-bit x86, the guest is an x86-64 machine");
  }
  return text_at(head, number_at(head, kernel_version) + std::size_t{0x200});
}

Result<KernelImage> open_kernel(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, head_bytes> head{};
  file.read(head.data(), head.size());
  // A directory opens, but does not read.
  if (!file && !file.eof()) {
    return system_error(fmt::format("read the kernel image {}", path.native()), errno);
  }
  const auto length = static_cast<std::size_t>(file.gcount());
  auto release = kernel_release(std::as_bytes(std::span(head).first(length)));
  if (!release) {
    return error("cannot boot {}: {}", path.native(), release.error().message);
  }
  return KernelImage{
      .path = path, .release = *release, .modules = modules_of(path, *release)};
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

Result<KernelImage> choose_kernel(const KernelPlaces& places) {
  std::optional<fs::path> image = newest_in_boot(places);
  if (!image) {
    image = newest_in_cache(places);
  }
  if (!image) {
    return error(
        "no kernel to boot: none in {} has kprobes; name one with --vm=IMAGE, or get "
        "one with scripts/fetch-kernels",
        places.boot.native());
  }
  return open_kernel(*image);
}

}  // namespace kinst::guest
