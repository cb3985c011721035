#include "guest/archive.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <iterator>

namespace kinst::guest {
namespace {

void pad_to_four(std::string& bytes) {
  while (bytes.size() % 4 != 0) {
    bytes.push_back('\0');
  }
}

/// One entry: "070701", thirteen numbers of eight hexadecimal digits, the name, the
/// content; name and content end at a multiple of four bytes.
void append_entry(std::string& bytes, std::uint32_t inode, std::uint32_t mode,
                  std::string_view name, std::string_view content) {
  const std::uint32_t links = S_ISDIR(mode) ? 2 : 1;
  fmt::format_to(std::back_inserter(bytes),
                 "070701{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}"
                 "{:08x}{:08x}{:08x}",
                 inode, mode, 0, 0, links, 0, content.size(), 0, 0, 0, 0,
                 name.size() + 1, 0);
  bytes.append(name).push_back('\0');
  pad_to_four(bytes);
  bytes.append(content);
  pad_to_four(bytes);
}

}  // namespace

void Archive::add_directory(const std::filesystem::path& path) {
  if (path == path.root_path() || contains(path)) {
    return;
  }
  add_directory(path.parent_path());
  paths_.insert(path);
  append_entry(entries_, static_cast<std::uint32_t>(paths_.size()), S_IFDIR | 0755,
               path.relative_path().native(), "");
}

void Archive::add_file(const std::filesystem::path& path, std::string_view content,
                       std::uint32_t permissions) {
  if (contains(path)) {
    return;
  }
  add_directory(path.parent_path());
  paths_.insert(path);
  append_entry(entries_, static_cast<std::uint32_t>(paths_.size()),
               S_IFREG | (permissions & 0777), path.relative_path().native(), content);
}

bool Archive::contains(const std::filesystem::path& path) const {
  return paths_.find(path) != paths_.end();
}

std::string Archive::bytes() const {
  std::string all = entries_;
  append_entry(all, 0, 0, "TRAILER!!!", "");
  return all;
}

}  // namespace kinst::guest
