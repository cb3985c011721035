// A map in the kernel, as user space reads and fills it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/system/file_descriptor.h"
#include "bpf/code/program.h"

namespace kinst::bpf {

/// How many CPUs this machine can ever have: a per-CPU value has one part for each.
/// CPU numbers are below it.
Result<std::uint32_t> possible_cpu_count();

/// All of a map's elements at one time, in no order. Keys and values lie one after the
/// other; a per-CPU value is its parts in CPU order, each rounded up to 8 bytes.
struct Entries {
  std::size_t key_bytes = 0;
  std::size_t value_bytes = 0;  ///< of one element, all CPUs together
  std::vector<std::byte> keys;
  std::vector<std::byte> values;

  [[nodiscard]] std::size_t size() const {
    return key_bytes == 0 ? 0 : keys.size() / key_bytes;
  }
  [[nodiscard]] std::span<const std::byte> key(std::size_t index) const {
    return std::span(keys).subspan(index * key_bytes, key_bytes);
  }
  [[nodiscard]] std::span<const std::byte> value(std::size_t index) const {
    return std::span(values).subspan(index * value_bytes, value_bytes);
  }
};

/// The elements of an array map with BPF_F_MMAPABLE, in this process's memory: writes
/// of programs show at once. Element i begins at i * (value size rounded up to 8).
class MappedArray {
 public:
  MappedArray() = default;
  explicit MappedArray(std::span<std::byte> memory) : memory_(memory) {}
  MappedArray(MappedArray&& other) noexcept
      : memory_(std::exchange(other.memory_, {})) {}
  MappedArray& operator=(MappedArray&& other) noexcept;
  MappedArray(const MappedArray&) = delete;
  MappedArray& operator=(const MappedArray&) = delete;
  ~MappedArray();

  [[nodiscard]] std::span<std::byte> bytes() const { return memory_; }

 private:
  std::span<std::byte> memory_;
};

/// Owns a map. Errors name the map and what was refused.
class Map {
 public:
  /// Creates it with its contents, frozen if so specified.
  /// Errors: as the kernel refuses; a missing privilege is named with its cure.
  static Result<Map> create(const MapSpecification& specification);

  [[nodiscard]] const std::string& name() const { return specification_.name; }
  [[nodiscard]] MapType type() const { return specification_.type; }
  [[nodiscard]] std::uint32_t max_entries() const { return specification_.max_entries; }
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }
  /// Bytes that lookup gives and update takes: for a per-CPU map all CPUs' parts.
  [[nodiscard]] std::size_t value_bytes() const { return value_bytes_; }

  /// The value of a key, nothing if it has none.
  [[nodiscard]] Result<std::optional<std::vector<std::byte>>> lookup(
      std::span<const std::byte> key) const;
  /// Errors: besides the kernel's, a full map.
  Result<void> update(std::span<const std::byte> key, std::span<const std::byte> value);
  /// Removes a key. Returns whether the key existed.
  Result<bool> remove(std::span<const std::byte> key);
  /// Removes all keys of a hash.
  Result<void> clear();
  /// All elements. Programs may write to the map meanwhile: an element that is inserted
  /// or removed during the call may or may not be in the result, but no element is in
  /// it twice.
  [[nodiscard]] Result<Entries> entries() const;
  /// Elements of an array by index, as lookup and update.
  [[nodiscard]] Result<std::vector<std::byte>> element(std::uint32_t index) const;
  Result<void> set_element(std::uint32_t index, std::span<const std::byte> value);
  /// The memory of an array with BPF_F_MMAPABLE.
  [[nodiscard]] Result<MappedArray> mapped() const;

 private:
  Map(MapSpecification specification, FileDescriptor descriptor,
      std::size_t value_bytes);

  [[nodiscard]] Result<Entries> entries_in_batches() const;
  [[nodiscard]] Result<Entries> entries_one_by_one() const;

  MapSpecification specification_;  ///< without contents
  FileDescriptor descriptor_;
  std::size_t value_bytes_ = 0;
};

}  // namespace kinst::bpf
