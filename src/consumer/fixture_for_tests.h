// A program's layouts and its kernel side in memory, for the tests of this folder.
#pragma once

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "consumer/consumer.h"
#include "consumer/values/aggregations.h"
#include "consumer/values/symbolizer_for_tests.h"

namespace kinst::consumer {

/// Aggregations' maps of one CPU, in the order in which keys were put.
class MapsInMemory : public AggregationMaps {
 public:
  void put(std::uint32_t aggregation, Entry entry) {
    maps_[aggregation].push_back(std::move(entry));
  }
  Result<std::vector<Entry>> read(std::uint32_t aggregation) override {
    return maps_[aggregation];
  }
  Result<void> clear(std::uint32_t aggregation,
                     std::span<const std::byte> key) override {
    for (Entry& entry : maps_[aggregation]) {
      if (std::ranges::equal(entry.key, key)) {
        std::ranges::fill(entry.words, 0U);
      }
    }
    return {};
  }
  Result<void> remove(std::uint32_t aggregation,
                      std::span<const std::byte> key) override {
    std::erase_if(maps_[aggregation], [&](const Entry& entry) {
      return std::ranges::equal(entry.key, key);
    });
    return {};
  }

 private:
  std::map<std::uint32_t, std::vector<Entry>> maps_;
};

/// Bytes of fields, one after the other.
class Bytes {
 public:
  template <typename T>
  Bytes& add(const T& value) {
    const auto* begin = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), begin, begin + sizeof(value));
    return *this;
  }
  Bytes& add_text(std::string_view text, std::size_t size_bytes) {
    const auto bytes = std::as_bytes(std::span(text));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    bytes_.resize(bytes_.size() + size_bytes - text.size());
    return *this;
  }
  [[nodiscard]] const std::vector<std::byte>& get() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace kinst::consumer
