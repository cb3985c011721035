// The bytes of a program or library, read a part at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/system/regular_file.h"

namespace kinst::user {

/// The bytes of a file, or of a copy of memory, such as the vDSO.
class ObjectBytes {
 public:
  /// name: what errors call it.
  ObjectBytes(RegularFile file, std::string name)
      : name_(std::move(name)), source_(std::move(file)) {}
  ObjectBytes(std::vector<std::byte> copy, std::string name)
      : name_(std::move(name)), source_(std::move(copy)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t size() const;
  /// Nothing for a copy.
  [[nodiscard]] std::optional<FileIdentity> identity() const;
  /// All of a copy; null for a file.
  [[nodiscard]] const std::vector<std::byte>* copy() const {
    return std::get_if<std::vector<std::byte>>(&source_);
  }

  /// Whether `count` bytes from `offset` on are within it.
  [[nodiscard]] bool has(std::uint64_t offset, std::uint64_t count) const {
    return offset <= size() && count <= size() - offset;
  }
  /// Fills `out` from `offset` on; false if that cannot be read in full.
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::byte> out) const;

  /// `count` bytes from `offset` on; empty if they cannot be read in full. Memory is
  /// allocated only for bytes that the file has.
  [[nodiscard]] std::vector<std::byte> bytes(std::uint64_t offset,
                                             std::uint64_t count) const {
    return table<std::byte>(offset, count);
  }

  /// The same for structs that follow each other.
  template <typename Row>
  [[nodiscard]] std::vector<Row> table(std::uint64_t offset,
                                       std::uint64_t count) const {
    static_assert(std::is_trivially_copyable_v<Row>);
    if (count > size() / sizeof(Row) || !has(offset, count * sizeof(Row))) {
      return {};
    }
    std::vector<Row> rows(count);
    if (!read(offset, std::as_writable_bytes(std::span(rows)))) {
      rows.clear();
    }
    return rows;
  }

 private:
  std::string name_;
  std::variant<RegularFile, std::vector<std::byte>> source_;
};

}  // namespace kinst::user
