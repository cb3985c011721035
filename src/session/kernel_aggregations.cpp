// An aggregation without keys is element 0 of an array, which cannot be removed.
#include "session/kernel_aggregations.h"

#include <array>
#include <cstring>

namespace kinst::session {
namespace {

bpf::Map& map_of(bpf::Object& object, const codegen::Storage& storage,
                 std::uint32_t aggregation) {
  return object.map(storage.aggregations[aggregation].map);
}

constexpr std::array<std::byte, 4> element_zero{};

std::span<const std::byte> map_key(std::span<const std::byte> key) {
  return key.empty() ? std::span<const std::byte>(element_zero) : key;
}

}  // namespace

Result<std::vector<KernelAggregations::Entry>> KernelAggregations::read(
    std::uint32_t aggregation) {
  const bool has_keys = storage_->aggregation_layouts[aggregation].key_size_bytes != 0;
  const bpf::Entries all =
      KINST_TRY(map_of(*object_, *storage_, aggregation).entries());
  std::vector<Entry> entries(all.size());
  for (std::size_t index = 0; index < entries.size(); ++index) {
    if (has_keys) {
      const auto key = all.key(index);
      entries[index].key.assign(key.begin(), key.end());
    }
    const auto value = all.value(index);
    entries[index].words.resize(value.size() / sizeof(std::uint64_t));
    std::memcpy(entries[index].words.data(), value.data(), value.size());
  }
  return entries;
}

Result<void> KernelAggregations::clear(std::uint32_t aggregation,
                                       std::span<const std::byte> key) {
  bpf::Map& map = map_of(*object_, *storage_, aggregation);
  const std::vector<std::byte> zeros(map.value_bytes());
  return map.update(map_key(key), zeros);
}

Result<void> KernelAggregations::remove(std::uint32_t aggregation,
                                        std::span<const std::byte> key) {
  if (key.empty()) {
    return clear(aggregation, key);
  }
  KINST_CHECK(map_of(*object_, *storage_, aggregation).remove(key));
  return {};
}

}  // namespace kinst::session
