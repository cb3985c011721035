// The values of aggregations: combining the CPUs' parts, ordering keys, and computing
// the numbers to print.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "consumer/values/symbolizer.h"
#include "record/decode.h"
#include "record/layout.h"

namespace kinst::consumer {

/// The value of an aggregation under one key.
struct Instance {
  std::vector<std::byte> key;
  std::vector<record::Value> keys;  ///< decoded from `key`, into which they point
  /// Other keys of the map that print the same, such as other probes or addresses of
  /// the same name.
  std::vector<std::vector<std::byte>> synonyms;
  /// The value as record/layout.h lays it out. The count of updates comes first for
  /// count, avg and stddev, and is left out for the other functions.
  std::vector<std::int64_t> data;
};

/// Combines the CPUs' words, which follow one another, `aggregation.value_words` each.
/// Nothing if no CPU has updated the value.
std::optional<std::vector<std::int64_t>> combined(
    const record::Aggregation& aggregation, std::span<const std::uint64_t> words);

/// The data of a key that was never updated.
std::vector<std::int64_t> zero_data(const record::Aggregation& aggregation);

/// The number to print: the count, sum, average, …, divided by `normal`, which must not
/// be 0.
std::int64_t number_of(const record::Aggregation& aggregation,
                       std::span<const std::int64_t> data, std::int64_t normal);

/// Compares two values of one aggregation; less than, equal to or greater than 0.
/// Distributions are compared by the sum of their values, then by their counts of zero.
int compare_values(const record::Aggregation& aggregation,
                   std::span<const std::int64_t> left,
                   std::span<const std::int64_t> right);
/// The name that a key's value stands for: of a probe, a function, a module. Nothing if
/// the value stands for itself. Keys with the same name count as one key.
std::optional<std::string> key_name(Symbolizer& names, const record::Value& value);

/// Compares two keys of the same types; less than, equal to or greater than 0.
/// first: the part of the key to compare first; the parts after it follow, then those
/// before it.
int compare_keys(Symbolizer& names, std::span<const record::Value> left,
                 std::span<const record::Value> right, std::size_t first);

/// The options aggsortkey, aggsortkeypos, aggsortpos and aggsortrev.
struct SortOptions {
  bool by_key = false;
  std::size_t key_position = 0;
  std::size_t position = 0;
  bool reversed = false;

  bool operator==(const SortOptions&) const = default;
};

}  // namespace kinst::consumer
