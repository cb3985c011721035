// A program's layouts and its kernel side in memory, for the tests of this folder.
#pragma once

#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "consumer/aggregations.h"
#include "consumer/consumer.h"
#include "consumer/names_for_tests.h"

namespace kinst::consumer {

/// Aggregations' maps of one CPU.
class MapsInMemory : public AggregationMaps {
 public:
  Result<std::vector<Entry>> read(std::uint32_t aggregation) override {
    std::vector<Entry> entries;
    for (const auto& [key, words] : maps[aggregation]) {
      entries.push_back({key, words});
    }
    return entries;
  }
  Result<void> clear(std::uint32_t aggregation,
                     std::span<const std::byte> key) override {
    auto& words = maps[aggregation][{key.begin(), key.end()}];
    std::fill(words.begin(), words.end(), 0);
    return {};
  }
  Result<void> remove(std::uint32_t aggregation,
                      std::span<const std::byte> key) override {
    maps[aggregation].erase({key.begin(), key.end()});
    return {};
  }

  std::map<std::uint32_t, std::map<std::vector<std::byte>, std::vector<std::uint64_t>>>
      maps;
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
