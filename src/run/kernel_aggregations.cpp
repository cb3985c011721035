// An aggregation without keys is element 0 of an array, which cannot be removed; in a
// map that aggregations share it is set to zeros as well.
#include "run/kernel_aggregations.h"

#include <algorithm>
#include <cstring>

namespace kinst::run {
namespace {

bpf::Map& map_of(bpf::Object& object, const codegen::Storage& storage,
                 std::uint32_t aggregation) {
  return object.map(storage.aggregations[aggregation].map);
}

// What all keys of the aggregation begin with in its map.
std::vector<std::byte> prefix(const codegen::Storage& storage,
                              std::uint32_t aggregation) {
  std::vector<std::byte> bytes;
  if (storage.aggregations[aggregation].is_shared) {
    bytes.resize(codegen::aggregation_number_bytes);
    std::memcpy(bytes.data(), &aggregation, sizeof aggregation);
  }
  return bytes;
}

// The map's key for one of the aggregation's.
std::vector<std::byte> map_key(const codegen::Storage& storage,
                               std::uint32_t aggregation,
                               std::span<const std::byte> key) {
  std::vector<std::byte> whole = prefix(storage, aggregation);
  whole.insert(whole.end(), key.begin(), key.end());
  if (whole.empty()) {
    whole.resize(sizeof(std::uint32_t));  // element 0
  }
  return whole;
}

}  // namespace

Result<std::vector<KernelAggregations::Entry>> KernelAggregations::read(
    std::uint32_t aggregation) {
  const bool has_keys = storage_->aggregation_layouts[aggregation].key_size_bytes != 0;
  const std::vector<std::byte> begin = prefix(*storage_, aggregation);
  const bpf::Entries all =
      KINST_TRY(map_of(*object_, *storage_, aggregation).entries());
  std::vector<Entry> entries;
  for (std::size_t index = 0; index < all.size(); ++index) {
    const auto key = all.key(index);
    if (!std::ranges::equal(key.first(begin.size()), begin)) {
      continue;
    }
    Entry& entry = entries.emplace_back();
    if (has_keys) {
      const auto keys = key.subspan(begin.size());
      entry.key.assign(keys.begin(), keys.end());
    }
    const auto value = all.value(index);
    entry.words.resize(value.size() / sizeof(std::uint64_t));
    std::memcpy(entry.words.data(), value.data(), value.size());
  }
  return entries;
}

Result<void> KernelAggregations::clear(std::uint32_t aggregation,
                                       std::span<const std::byte> key) {
  bpf::Map& map = map_of(*object_, *storage_, aggregation);
  const std::vector<std::byte> zeros(map.value_bytes());
  return map.update(map_key(*storage_, aggregation, key), zeros);
}

Result<void> KernelAggregations::remove(std::uint32_t aggregation,
                                        std::span<const std::byte> key) {
  if (key.empty()) {
    return clear(aggregation, key);
  }
  KINST_CHECK(map_of(*object_, *storage_, aggregation)
                  .remove(map_key(*storage_, aggregation, key)));
  return {};
}

}  // namespace kinst::run
