#include "consumer/values/aggregation.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "consumer/values/symbolizer_for_tests.h"

namespace kinst::consumer {
namespace {

using record::AggregatingFunction;
using record::Aggregation;

Aggregation aggregation(AggregatingFunction function,
                        std::vector<std::int64_t> parameters = {}) {
  const std::uint32_t words = record::value_words(function, parameters);
  return Aggregation{
      .function = function, .parameters = std::move(parameters), .value_words = words};
}

// The number that CPUs' words make together.
std::int64_t number(const Aggregation& aggregation,
                    const std::vector<std::int64_t>& words, std::int64_t normal = 1) {
  const std::vector<std::uint64_t> unsigned_words(words.begin(), words.end());
  const auto data = combined(aggregation, unsigned_words);
  EXPECT_TRUE(data);
  return data ? number_of(aggregation, *data, normal) : 0;
}

TEST(Aggregation, PutsTheCpusPartsTogether) {
  EXPECT_EQ(number(aggregation(AggregatingFunction::Count), {2, 0, 5}), 7);
  EXPECT_EQ(number(aggregation(AggregatingFunction::Sum), {1, 10, 0, 99, 2, -3}), 7);
  EXPECT_EQ(number(aggregation(AggregatingFunction::Avg), {3, 10, 1, 10}), 5);
}

TEST(Aggregation, IgnoresCpusThatNeverUpdatedForExtremes) {
  EXPECT_EQ(number(aggregation(AggregatingFunction::Min), {0, 0, 1, 5, 1, 7}), 5);
  EXPECT_EQ(number(aggregation(AggregatingFunction::Max), {0, 0, 1, -5, 1, -7}), -5);
  Aggregation largest = aggregation(AggregatingFunction::Max);
  largest.is_signed = false;
  EXPECT_EQ(number(largest, {1, -5, 1, 7}), -5);
}

TEST(Aggregation, IsNothingWhileNoCpuHasUpdatedIt) {
  const std::vector<std::uint64_t> none(4);
  EXPECT_EQ(combined(aggregation(AggregatingFunction::Sum), none), std::nullopt);
}

TEST(Aggregation, ComputesStandardDeviationsIn128Bits) {
  const Aggregation deviation = aggregation(AggregatingFunction::Stddev);
  // 2, 4, 4, 4, 5, 5, 7, 9 on two CPUs.
  EXPECT_EQ(number(deviation, {4, 14, 52, 0, 4, 26, 180, 0}), 2);
  // -2^62 and 2^62: the squares' sum is 2^125.
  EXPECT_EQ(number(deviation, {2, 0, 0, std::int64_t{1} << 61}), std::int64_t{1} << 62);
}

TEST(Aggregation, NormalizesTheValuesOfAStandardDeviation) {
  // 0, 100, … 1000 by tens: as 0, 10, … 100.
  const Aggregation deviation = aggregation(AggregatingFunction::Stddev);
  const std::vector<std::int64_t> data{11, 5500, 3850000, 0};
  EXPECT_EQ(number_of(deviation, data, 1), 316);
  EXPECT_EQ(number_of(deviation, data, 10), 31);
}

TEST(Aggregation, DividesByTheNormal) {
  EXPECT_EQ(number(aggregation(AggregatingFunction::Sum), {1, -19}, 5), -3);
  EXPECT_EQ(number(aggregation(AggregatingFunction::Count), {19}, 5), 3);
  EXPECT_EQ(number(aggregation(AggregatingFunction::Avg), {2, 40}, 5), 4);
  EXPECT_EQ(number(aggregation(AggregatingFunction::Sum),
                   {1, std::numeric_limits<std::int64_t>::min()}, -1),
            std::numeric_limits<std::int64_t>::min());
}

std::vector<std::int64_t> with(const Aggregation& aggregation, std::size_t bucket,
                               std::int64_t count) {
  std::vector<std::int64_t> data = zero_data(aggregation);
  data.at(bucket) = count;
  return data;
}

TEST(Aggregation, OrdersDistributionsByWhatTheyHold) {
  const Aggregation powers = aggregation(AggregatingFunction::Quantize);
  EXPECT_LT(compare_values(powers, with(powers, 64, 3), with(powers, 66, 1)), 0);
  EXPECT_GT(compare_values(powers, with(powers, 64, 3), with(powers, 60, 9)), 0);
  EXPECT_LT(compare_values(powers, with(powers, 63, 1), with(powers, 63, 2)), 0);

  const Aggregation linear = aggregation(AggregatingFunction::Lquantize, {-1, 3, 1});
  EXPECT_LT(compare_values(linear, with(linear, 1, 1), with(linear, 3, 1)), 0);
  EXPECT_LT(compare_values(linear, with(linear, 2, 1), with(linear, 2, 2)), 0);

  const Aggregation mixed =
      aggregation(AggregatingFunction::Llquantize, {10, 0, 1, 10});
  const std::size_t middle = zero_data(mixed).size() / 2;
  EXPECT_LT(
      compare_values(mixed, with(mixed, middle + 1, 1), with(mixed, middle + 9, 1)), 0);
  EXPECT_GT(compare_values(mixed, with(mixed, middle, 1), with(mixed, middle - 1, 1)),
            0);
  // Beyond the highest magnitude.
  EXPECT_GT(
      compare_values(mixed, with(mixed, 2 * middle, 1), with(mixed, 2 * middle - 1, 1)),
      0);
  EXPECT_LT(compare_values(mixed, with(mixed, 0, 1), with(mixed, 1, 1)), 0);
  // Counts whose difference has more than 64 bits.
  std::vector<std::int64_t> extremes = zero_data(mixed);
  extremes.at(middle + 1) = std::numeric_limits<std::int64_t>::max();
  extremes.at(middle - 1) = -std::numeric_limits<std::int64_t>::max();
  EXPECT_GT(compare_values(mixed, extremes, with(mixed, middle + 1, 1)), 0);
}

class AggregationKeys : public testing::Test {
 protected:
  template <typename T>
  record::Value key(const T& value) {
    const auto& kept =
        keys_.emplace_back(reinterpret_cast<const std::byte*>(&value),
                           reinterpret_cast<const std::byte*>(&value) + sizeof(value));
    return record::Value{.data = record::Bytes{kept}, .bytes = kept};
  }
  int compare(const std::vector<record::Value>& left,
              const std::vector<record::Value>& right, std::size_t first = 0) {
    return compare_keys(names_, left, right, first);
  }

  std::deque<std::vector<std::byte>> keys_;
  TableOfNames names_;
};

TEST_F(AggregationKeys, AreComparedAsUnsignedNumbersOrBytes) {
  EXPECT_LT(compare({key(1)}, {key(-1)}), 0);
  EXPECT_LT(compare({key(std::uint64_t{2})}, {key(std::uint64_t{256})}), 0);
  const std::array<char, 3> first{'a', 'b', 'c'};
  const std::array<char, 3> second{'a', 'c', 'a'};
  EXPECT_LT(compare({key(first)}, {key(second)}), 0);
  EXPECT_EQ(compare({key(first)}, {key(first)}), 0);
}

TEST_F(AggregationKeys, BeginWithTheOneThatTheOptionSays) {
  EXPECT_LT(compare({key(1), key(2)}, {key(2), key(1)}), 0);
  EXPECT_GT(compare({key(1), key(2)}, {key(2), key(1)}, 1), 0);
  EXPECT_LT(compare({key(1), key(2)}, {key(2), key(1)}, 7), 0);
  EXPECT_LT(compare({key(1), key(2)}, {key(2), key(2)}, 1), 0);
}

TEST_F(AggregationKeys, ThatAreProbesAreComparedByName) {
  names_.probes[1] = provider::Probe{.id = 9, .name = "beta"};
  names_.probes[2] = provider::Probe{.id = 10, .name = "alpha"};
  const auto probe = [](record::Meaning meaning, std::uint64_t key) {
    return record::Value{.meaning = meaning, .data = record::ProbeKey{key}};
  };
  EXPECT_GT(compare({probe(record::Meaning::ProbeName, 1)},
                    {probe(record::Meaning::ProbeName, 2)}),
            0);
  EXPECT_LT(compare({probe(record::Meaning::ProbeId, 1)},
                    {probe(record::Meaning::ProbeId, 2)}),
            0);
}

}  // namespace
}  // namespace kinst::consumer
