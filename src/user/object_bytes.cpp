#include "user/object_bytes.h"

#include <algorithm>

namespace kinst::user {

std::uint64_t ObjectBytes::size() const {
  if (const auto* file = std::get_if<RegularFile>(&source_)) {
    return file->size_bytes();
  }
  return std::get<std::vector<std::byte>>(source_).size();
}

std::optional<FileIdentity> ObjectBytes::identity() const {
  const auto* file = std::get_if<RegularFile>(&source_);
  return file == nullptr ? std::nullopt : std::optional(file->identity());
}

bool ObjectBytes::read(std::uint64_t offset, std::span<std::byte> out) const {
  if (!has(offset, out.size())) {
    return false;
  }
  if (const auto* file = std::get_if<RegularFile>(&source_)) {
    return file->read(offset, out).has_value();
  }
  const std::span<const std::byte> copy = std::get<std::vector<std::byte>>(source_);
  std::ranges::copy(copy.subspan(offset, out.size()), out.begin());
  return true;
}

}  // namespace kinst::user
