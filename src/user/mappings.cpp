// 55d0c4c00000-55d0c4c05000 r-xp 00002000 fe:00 1234   /usr/bin/cat (deleted)
#include "user/mappings.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <span>

#include "base/system/file_descriptor.h"
#include "base/system/read_file.h"

namespace kinst::user {
namespace {

// Takes the next word, and the blanks behind it, off the text.
std::string_view next_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  const std::size_t rest = text.find_first_not_of(' ', end);
  text = rest == std::string_view::npos ? std::string_view() : text.substr(rest);
  return word;
}

std::optional<std::uint64_t> to_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failure != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::optional<Mapping> parse_line(std::string_view line) {
  const std::string_view range = next_word(line);
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos) {
    return std::nullopt;
  }
  const auto begin = to_number(range.substr(0, dash), 16);
  const auto end = to_number(range.substr(dash + 1), 16);
  const std::string_view permissions = next_word(line);
  const auto offset = to_number(next_word(line), 16);
  const std::string_view device = next_word(line);
  const auto inode = to_number(next_word(line), 10);
  if (!begin || !end || !offset || !inode || permissions.size() != 4) {
    return std::nullopt;
  }
  Mapping mapping{.begin = *begin,
                  .end = *end,
                  .file_offset = *offset,
                  .is_executable = permissions[2] == 'x',
                  .device = std::string(device),
                  .inode = *inode,
                  .path = std::string(line),
                  .is_deleted = false};
  constexpr std::string_view deleted = " (deleted)";
  if (mapping.path.ends_with(deleted)) {
    mapping.path.resize(mapping.path.size() - deleted.size());
    mapping.is_deleted = true;
  }
  return mapping;
}

}  // namespace

std::vector<Mapping> parse_mappings(std::string_view text) {
  std::vector<Mapping> mappings;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (auto mapping = parse_line(text.substr(0, end))) {
      mappings.push_back(std::move(*mapping));
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return mappings;
}

Result<std::vector<Mapping>> read_mappings(pid_t process) {
  // A process may have 65,530 mappings, and each may have a path of 4 kB.
  constexpr std::size_t most_bytes = std::size_t{16} << 20U;
  constexpr std::size_t at_once = std::size_t{1} << 16U;
  const std::string path = fmt::format("/proc/{}/maps", process);
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    return system_error("read " + path, errno);
  }
  std::string text;
  while (text.size() < most_bytes) {
    const std::size_t begin = text.size();
    text.resize(begin + at_once);
    const std::size_t got = KINST_TRY(
        read_at(file.get(), begin,
                std::as_writable_bytes(std::span(text).subspan(begin)), path));
    text.resize(begin + got);
    if (got < at_once) {
      break;
    }
  }
  return parse_mappings(text);
}

std::string openable_path(pid_t process, const Mapping& mapping) {
  return fmt::format("/proc/{}/map_files/{:x}-{:x}", process, mapping.begin,
                     mapping.end);
}

}  // namespace kinst::user
