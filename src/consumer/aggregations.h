// A program's aggregations while it runs: snapshots of what the kernel holds, and what
// clear(), trunc() and normalize() made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "consumer/aggregation.h"
#include "consumer/names.h"
#include "record/layout.h"
#include "types/type.h"

namespace kinst::consumer {

/// Where aggregations are kept: in the kernel's maps. Tests keep them in memory.
class AggregationMaps {
 public:
  struct Entry {
    std::vector<std::byte> key;  ///< empty for an aggregation without keys
    /// The words of one possible CPU after the other's.
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
  /// Removes a key; without keys the same as clear().
  virtual Result<void> remove(std::uint32_t aggregation,
                              std::span<const std::byte> key) = 0;
};

class Aggregations {
 public:
  /// All must outlive it.
  Aggregations(const types::TypeTable& table, const record::Layouts& layouts,
               AggregationMaps& maps, Names& names);

  /// Takes a new snapshot, which all below is about.
  Result<void> refresh();

  /// The values become 0, the keys stay.
  Result<void> clear(std::uint32_t aggregation);
  /// Keeps `count` keys, those of the largest values, or of the smallest if negative.
  Result<void> truncate(std::uint32_t aggregation, std::int64_t count);
  /// What is printed is divided by it; 0 is taken as 1.
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

  /// In the order in which they are printed.
  [[nodiscard]] std::vector<const Instance*> sorted(std::uint32_t aggregation,
                                                    const SortOptions& options) const;

  /// A key and the data that each of several aggregations has under it.
  struct Row {
    const Instance* representative = nullptr;
    std::vector<std::vector<std::int64_t>> data;
  };
  /// The keys that any of them has, in the order in which they are printed; data of
  /// those that have not are zeros. All have keys of the same types.
  [[nodiscard]] std::vector<Row> joined(std::span<const std::uint32_t> aggregations,
                                        const SortOptions& options) const;

  /// What printa() has printed is not printed again at the end.
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
    /// Without keys there is always an entry: whether it was ever updated.
    bool was_seen = false;
  };

  /// A key of a map, or several that mean the same, with the words of all.
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
  Names& names_;
  std::vector<State> states_;
};

}  // namespace kinst::consumer
