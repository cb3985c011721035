// Aggregations as values: what the CPUs' parts make together, in which order keys come,
// what is printed of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "consumer/names.h"
#include "record/decode.h"
#include "record/layout.h"

namespace kinst::consumer {

/// What an aggregation holds under one key.
struct Instance {
  std::vector<std::byte> key;
  std::vector<record::Value> keys;  ///< of `key`, to which they point
  /// Other keys of the map that mean the same: of probes or addresses of one name.
  std::vector<std::vector<std::byte>> synonyms;
  /// As record/layout.h lays a value out, without the count of updates, but for count,
  /// avg and stddev, of which that is the first number.
  std::vector<std::int64_t> data;
};

/// One CPU's words after the other's, `aggregation.value_words` each, put together.
/// Nothing if no CPU has updated it.
std::optional<std::vector<std::int64_t>> combined(
    const record::Aggregation& aggregation, std::span<const std::uint64_t> words);

/// The data of a key that was never updated.
std::vector<std::int64_t> zero_data(const record::Aggregation& aggregation);

/// Whether it is a distribution, which has no single number.
bool is_distribution(record::AggregatingFunction function);

/// The quotient, which wraps where C++ has none: the smallest number by -1. divisor:
/// not 0.
std::int64_t divided(std::int64_t value, std::int64_t divisor);

/// The number to print: the count, sum, average, …, divided by `normal`, which is not
/// 0.
std::int64_t number_of(const record::Aggregation& aggregation,
                       std::span<const std::int64_t> data, std::int64_t normal);

/// Orders of two values of one aggregation and of two keys of the same types: less
/// than, equal to or greater than 0. Distributions are ordered by the sum of what they
/// hold, then by what they hold of zero.
int compare_values(const record::Aggregation& aggregation,
                   std::span<const std::int64_t> left,
                   std::span<const std::int64_t> right);
/// A name that a key's value stands for: of a probe, a function, a module. Nothing for
/// values that are their own meaning. Keys of equal names are one key.
std::optional<std::string> key_name(Names& names, const record::Value& value);

/// first: the key to compare first; those after it follow, then those before it.
int compare_keys(Names& names, std::span<const record::Value> left,
                 std::span<const record::Value> right, std::size_t first);

/// The options aggsortkey, aggsortkeypos, aggsortpos and aggsortrev.
struct SortOptions {
  bool by_key = false;
  std::size_t key_position = 0;
  std::size_t position = 0;
  bool reversed = false;
};

}  // namespace kinst::consumer
