// A program's aggregations during a run: snapshots of the kernel's values, as clear(),
// trunc() and normalize() change them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "consumer/values/aggregation.h"
#include "consumer/values/symbolizer.h"
#include "record/layout.h"
#include "types/type.h"

namespace kinst::consumer {

/// The storage of aggregations: the kernel's maps, or memory in tests.
class AggregationMaps {
 public:
  struct Entry {
    std::vector<std::byte> key;  ///< empty for an aggregation without keys
    /// The words of all possible CPUs, one CPU after the other.
    std::vector<std::uint64_t> words;
  };

  AggregationMaps() = default;
  AggregationMaps(const AggregationMaps&) = delete;
  AggregationMaps& operator=(const AggregationMaps&) = delete;
  AggregationMaps(AggregationMaps&&) = delete;
  AggregationMaps& operator=(AggregationMaps&&) = delete;
  virtual ~AggregationMaps() = default;

  virtual Result<std::vector<Entry>> read(std::uint32_t aggregation) = 0;
  /// Sets all words of a key to 0.
  virtual Result<void> clear(std::uint32_t aggregation,
                             std::span<const std::byte> key) = 0;
  /// Removes a key. If the aggregation has no keys, the same as clear().
  virtual Result<void> remove(std::uint32_t aggregation,
                              std::span<const std::byte> key) = 0;
};

class Aggregations {
 public:
  /// The arguments must outlive it.
  Aggregations(const types::TypeTable& table, const record::Layouts& layouts,
               AggregationMaps& maps, Symbolizer& names);

  /// Takes a new snapshot. All functions below work on the last snapshot.
  Result<void> refresh();

  /// Sets all values to 0 and keeps the keys.
  Result<void> clear(std::uint32_t aggregation);
  /// Keeps the `count` keys with the largest values; if `count` is negative, the -count
  /// keys with the smallest values.
  Result<void> truncate(std::uint32_t aggregation, std::int64_t count);
  /// Sets the number by which printed values are divided; 0 counts as 1.
  void normalize(std::uint32_t aggregation, std::int64_t normal);

  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(states_.size());
  }
  [[nodiscard]] const record::Aggregation& layout(std::uint32_t aggregation) const {
    return layouts_.aggregations[aggregation];
  }
  [[nodiscard]] std::int64_t normal(std::uint32_t aggregation) const {
    return states_[aggregation].normal;
  }

  /// All keys, in the order in which they are printed.
  [[nodiscard]] std::vector<const Instance*> sorted(std::uint32_t aggregation,
                                                    const SortOptions& options) const;

  /// A key, and its data in each of several aggregations.
  struct Row {
    const Instance* representative = nullptr;
    std::vector<std::vector<std::int64_t>> data;
  };
  /// The keys that any of the aggregations has, in the order in which they are printed.
  /// An aggregation without the key has zeros there. All aggregations must have keys of
  /// the same types.
  [[nodiscard]] std::vector<Row> joined(std::span<const std::uint32_t> aggregations,
                                        const SortOptions& options) const;

  /// Marks an aggregation that printa() has printed, so that it is not printed again at
  /// the end.
  void mark_printed(std::uint32_t aggregation) {
    states_[aggregation].was_printed = true;
  }
  [[nodiscard]] bool was_printed(std::uint32_t aggregation) const {
    return states_[aggregation].was_printed;
  }

 private:
  struct State {
    std::vector<Instance> instances;
    std::int64_t normal = 1;
    bool was_printed = false;
    /// An aggregation without keys always has an entry in its map; this tells whether
    /// it was ever updated.
    bool was_seen = false;
  };

  /// A key of the map, or several keys that mean the same, with the words of all of
  /// them.
  struct Taken {
    Instance instance;
    std::vector<std::uint64_t> words;
  };
  [[nodiscard]] std::string identity(const Instance& instance) const;
  std::vector<Taken> together(std::uint32_t aggregation,
                              std::vector<AggregationMaps::Entry> entries);
  void take(std::uint32_t aggregation, Taken taken);
  [[nodiscard]] int compare_rows(const Row& left, const Row& right,
                                 std::span<const std::uint32_t> aggregations,
                                 const SortOptions& options) const;

  const types::TypeTable& table_;
  const record::Layouts& layouts_;
  AggregationMaps& maps_;
  Symbolizer& names_;
  std::vector<State> states_;
};

}  // namespace kinst::consumer
