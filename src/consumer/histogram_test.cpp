#include "consumer/histogram.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

namespace kinst::consumer {
namespace {

using record::AggregatingFunction;
using record::Aggregation;

// An aggregation's drawing from its counts by bucket.
std::string draw(const Aggregation& aggregation,
                 const std::map<std::size_t, std::int64_t>& counts,
                 std::int64_t normal = 1) {
  std::vector<std::int64_t> all(
      record::value_words(aggregation.function, aggregation.parameters) - 1);
  for (const auto& [bucket, count] : counts) {
    all.at(bucket) = count;
  }
  std::string out;
  append_histogram(out, shown_buckets(aggregation, all), normal);
  return out;
}

const std::string heading =
    "\n           value  ------------- Distribution ------------- count    \n";

Aggregation quantize() {
  return {.function = AggregatingFunction::Quantize};
}

TEST(Histogram, ShowsOneBucketMoreOnEitherSide) {
  EXPECT_EQ(
      draw(quantize(), {{64, 1}, {66, 3}}),
      heading +
          "               0 |                                         0        \n"
          "               1 |@@@@@@@@@@                               1        \n"
          "               2 |                                         0        \n"
          "               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n"
          "               8 |                                         0        \n");
}

TEST(Histogram, ShowsTheBucketsAboutZeroWhenNothingWasCounted) {
  EXPECT_EQ(
      draw(quantize(), {}),
      heading +
          "              -1 |                                         0        \n"
          "               0 |                                         0        \n"
          "               1 |                                         0        \n");
}

TEST(Histogram, DrawsNegativeCountsToTheLeft) {
  EXPECT_EQ(
      draw(quantize(), {{64, -5}}),
      heading +
          "               0                                         | 0        \n"
          "               1 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -5       \n"
          "               2                                         | 0        \n");
  EXPECT_EQ(
      draw(quantize(), {{63, -1}, {64, 1}}),
      heading +
          "              -1                     |                     0        \n"
          "               0           @@@@@@@@@@|                     -1       \n"
          "               1                     |@@@@@@@@@@           1        \n"
          "               2                     |                     0        \n");
}

TEST(Histogram, DividesCountsButNotBarsByTheNormal) {
  EXPECT_EQ(
      draw(quantize(), {{63, 10}}, 5),
      heading +
          "              -1 |                                         0        \n"
          "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
          "               1 |                                         0        \n");
}

TEST(Histogram, DividesTheSmallestCountByAnyNormal) {
  EXPECT_EQ(
      draw(quantize(), {{63, std::numeric_limits<std::int64_t>::min()}}, -1),
      heading +
          "              -1                                         | 0        \n"
          "               0 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| "
          "-9223372036854775808\n"
          "               1                                         | 0        \n");
}

TEST(Histogram, KeepsToTheBucketsThereAreAtEitherEnd) {
  EXPECT_EQ(
      draw(quantize(), {{0, 1}, {1, 1}}),
      heading +
          "-4611686018427387904 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
          "-2305843009213693952 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
          "-1152921504606846976 |                                         0        \n");
}

TEST(Histogram, LabelsLinearBucketsWithTheirBounds) {
  const Aggregation linear{.function = AggregatingFunction::Lquantize,
                           .parameters = {-10, 10, 10}};
  EXPECT_EQ(
      draw(linear, {{0, 1}, {1, 1}, {2, 1}, {3, 1}}),
      heading +
          "           < -10 |@@@@@@@@@@                               1        \n"
          "             -10 |@@@@@@@@@@                               1        \n"
          "               0 |@@@@@@@@@@                               1        \n"
          "           >= 10 |@@@@@@@@@@                               1        \n");
  EXPECT_EQ(
      draw(linear, {}),
      heading +
          "           < -10 |                                         0        \n"
          "             -10 |                                         0        \n"
          "               0 |                                         0        \n");
}

Aggregation log_linear(std::vector<std::int64_t> parameters) {
  return {.function = AggregatingFunction::Llquantize,
          .parameters = std::move(parameters)};
}

// The buckets to show where these counts stand, by the bucket's place.
std::vector<Bucket> shown(const Aggregation& aggregation,
                          const std::map<std::size_t, std::int64_t>& counts) {
  std::vector<std::int64_t> all(
      record::value_words(aggregation.function, aggregation.parameters) - 1);
  for (const auto& [bucket, count] : counts) {
    all.at(bucket) = count;
  }
  return shown_buckets(aggregation, all);
}

std::string labels(const Aggregation& aggregation,
                   const std::map<std::size_t, std::int64_t>& counts) {
  std::string text;
  for (const Bucket& bucket : shown(aggregation, counts)) {
    text += bucket.label + ";";
  }
  return text;
}

TEST(Histogram, LabelsLogLinearBucketsOfBothSigns) {
  // Factor 10, magnitudes 0 and 1, 10 steps: 1 to 9, then 10, 20, … 90.
  const Aggregation decimal = log_linear({10, 0, 1, 10});
  EXPECT_EQ(labels(decimal, {{0, 1}, {38, 1}}),
            "<= -100;-90;-80;-70;-60;-50;-40;-30;-20;-10;-9;-8;-7;-6;-5;-4;-3;-2;-1;0;"
            "1;2;3;4;5;6;7;8;9;10;20;30;40;50;60;70;80;90;>= 100;");
}

TEST(Histogram, LabelsTheBucketBelowTheLowestMagnitudeBySign) {
  const Aggregation decimal = log_linear({10, 1, 1, 5});
  const std::size_t middle = 6;
  EXPECT_EQ(labels(decimal, {{middle + 1, 1}}), "< 10;10;20;");
  EXPECT_EQ(labels(decimal, {{middle, 1}}), "< 10;10;");
  EXPECT_EQ(labels(decimal, {{middle - 1, 1}}), "-20;-10;abs() < 10;");
}

TEST(Histogram, LeavesOutLogLinearBucketsThatCannotCount) {
  // 8 steps from 1 to 4: only 1, 2 and 3 are integers there.
  const Aggregation fine = log_linear({4, 0, 1, 8});
  const std::size_t middle = 13;
  EXPECT_EQ(labels(fine, {{middle + 1, 1}}), "< 1;1;2;");
  EXPECT_EQ(labels(fine, {{middle, 1}}), "< 1;1;");
  EXPECT_EQ(labels(fine, {{middle + 5, 1}}), "2;3;4;");
  EXPECT_EQ(labels(fine, {}), "< 1;1;");
}

// "[least, most]" of each bucket, for those with counts.
std::string ranges(const Aggregation& aggregation,
                   const std::map<std::size_t, std::int64_t>& counts) {
  std::string text;
  for (const Bucket& bucket : shown(aggregation, counts)) {
    text += "[" + (bucket.least ? std::to_string(*bucket.least) : "") + ", " +
            (bucket.most ? std::to_string(*bucket.most) : "") + "]";
  }
  return text;
}

TEST(Histogram, KnowsWhichValuesABucketCounts) {
  EXPECT_EQ(ranges(quantize(), {{61, 1}, {65, 1}}),
            "[-7, -4][-3, -2][-1, -1][0, 0][1, 1][2, 3][4, 7]");
  EXPECT_EQ(
      ranges({.function = AggregatingFunction::Lquantize, .parameters = {0, 20, 10}},
             {{0, 1}, {3, 1}}),
      "[, -1][0, 9][10, 19][20, ]");
  EXPECT_EQ(ranges(log_linear({10, 1, 1, 5}), {{0, 1}, {12, 1}}),
            "[, -100][-99, -80][-79, -60][-59, -40][-39, -20][-19, -10][-9, 9]"
            "[10, 19][20, 39][40, 59][60, 79][80, 99][100, ]");
  EXPECT_EQ(ranges(log_linear({4, 0, 1, 8}), {{13 + 3, 1}}), "[1, 1][2, 2][3, 3]");
}

TEST(Histogram, KnowsWhichValuesTheOutermostBucketsCount) {
  EXPECT_EQ(ranges(quantize(), {{0, 1}}),
            "[-9223372036854775808, -4611686018427387904]"
            "[-4611686018427387903, -2305843009213693952]");
  EXPECT_EQ(ranges(quantize(), {{126, 1}}),
            "[2305843009213693952, 4611686018427387903]"
            "[4611686018427387904, 9223372036854775807]");
  // Up to 2 to the power of 63, which is no number of 64 bits with a sign, though its
  // negative is; and up to 10 to the power of 19.
  EXPECT_EQ(ranges(log_linear({2, 62, 62, 2}), {{0, 1}, {4, 1}}),
            "[, -9223372036854775808][-9223372036854775807, -4611686018427387904]"
            "[-4611686018427387903, 4611686018427387903]"
            "[4611686018427387904, 9223372036854775807][9223372036854775807, ]");
  EXPECT_EQ(ranges(log_linear({10, 18, 18, 1}), {{4, 1}}),
            "[1000000000000000000, 9223372036854775807][9223372036854775807, ]");
}

}  // namespace
}  // namespace kinst::consumer
