#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "runtime/functions.h"

namespace kinst::runtime {
namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

TEST(Quantize, HasABucketForEachPowerOfTwo) {
  EXPECT_EQ(kinst_quantize_bucket(0), 63U);
  EXPECT_EQ(kinst_quantize_bucket(1), 64U);
  EXPECT_EQ(kinst_quantize_bucket(-1), 62U);
  for (unsigned bit = 1; bit < 63; ++bit) {
    const auto power = static_cast<std::int64_t>(std::uint64_t{1} << bit);
    EXPECT_EQ(kinst_quantize_bucket(power), 64 + bit);
    EXPECT_EQ(kinst_quantize_bucket(power - 1), 63 + bit);
    EXPECT_EQ(kinst_quantize_bucket(-power), 62 - bit);
    EXPECT_EQ(kinst_quantize_bucket(-power + 1), 63 - bit);
  }
}

TEST(Quantize, TakesTheExtremes) {
  EXPECT_EQ(kinst_quantize_bucket(largest), 126U);
  EXPECT_EQ(kinst_quantize_bucket(smallest), 0U);
}

TEST(Lquantize, PutsValuesBelowInFrontAndTheRestBehind) {
  EXPECT_EQ(kinst_lquantize_bucket(-11, -10, 20, 10), 0U);
  EXPECT_EQ(kinst_lquantize_bucket(-10, -10, 20, 10), 1U);
  EXPECT_EQ(kinst_lquantize_bucket(-1, -10, 20, 10), 1U);
  EXPECT_EQ(kinst_lquantize_bucket(0, -10, 20, 10), 2U);
  EXPECT_EQ(kinst_lquantize_bucket(19, -10, 20, 10), 3U);
  EXPECT_EQ(kinst_lquantize_bucket(20, -10, 20, 10), 4U);
}

TEST(Lquantize, TakesTheExtremes) {
  EXPECT_EQ(kinst_lquantize_bucket(smallest, -10, 20, 10), 0U);
  EXPECT_EQ(kinst_lquantize_bucket(largest, -10, 20, 10), 4U);
}

// llquantize(…, 10, 0, 1, 10): 9 buckets of 1 from 1 on, 9 of 10 from 10 on, on either
// side of bucket 19.
TEST(Llquantize, HasEquallyWideBucketsInEachMagnitude) {
  const auto bucket = [](std::int64_t value) {
    return kinst_llquantize_bucket(value, 10, 0, 1, 10);
  };
  EXPECT_EQ(bucket(0), 19U);
  EXPECT_EQ(bucket(1), 20U);
  EXPECT_EQ(bucket(9), 28U);
  EXPECT_EQ(bucket(10), 29U);
  EXPECT_EQ(bucket(19), 29U);
  EXPECT_EQ(bucket(20), 30U);
  EXPECT_EQ(bucket(99), 37U);
  EXPECT_EQ(bucket(100), 38U);
  EXPECT_EQ(bucket(largest), 38U);
  EXPECT_EQ(bucket(-1), 18U);
  EXPECT_EQ(bucket(-9), 10U);
  EXPECT_EQ(bucket(-10), 9U);
  EXPECT_EQ(bucket(-99), 1U);
  EXPECT_EQ(bucket(-100), 0U);
  EXPECT_EQ(bucket(smallest), 0U);
}

TEST(Llquantize, PutsWhatIsBelowTheLowestMagnitudeInTheMiddle) {
  // 9 buckets on either side: 100, 200, … 900.
  const auto bucket = [](std::int64_t value) {
    return kinst_llquantize_bucket(value, 10, 2, 2, 10);
  };
  EXPECT_EQ(bucket(99), 10U);
  EXPECT_EQ(bucket(-99), 10U);
  EXPECT_EQ(bucket(100), 11U);
  EXPECT_EQ(bucket(-100), 9U);
  EXPECT_EQ(bucket(1000), 20U);
}

TEST(Llquantize, SpacesSmallValuesByTheStepsBetweenThem) {
  // 1 to 9 in every second of the 18 buckets that are there; from 10 on by fives.
  const auto bucket = [](std::int64_t value) {
    return kinst_llquantize_bucket(value, 10, 0, 1, 20);
  };
  EXPECT_EQ(bucket(1), 38U);
  EXPECT_EQ(bucket(2), 40U);
  EXPECT_EQ(bucket(9), 54U);
  EXPECT_EQ(bucket(-2), 34U);
  EXPECT_EQ(bucket(10), 56U);
  EXPECT_EQ(bucket(14), 56U);
  EXPECT_EQ(bucket(15), 57U);
  EXPECT_EQ(bucket(100), 74U);
}

TEST(Llquantize, BeginsBucketsAtMultiplesOfTheirWidth) {
  // 2 steps up to 4: 1, then 2 and 3; 2 steps up to 16: 4 to 7, then 8 to 15.
  const auto bucket = [](std::int64_t value) {
    return kinst_llquantize_bucket(value, 4, 0, 1, 2);
  };
  EXPECT_EQ(bucket(0), 5U);
  EXPECT_EQ(bucket(1), 6U);
  EXPECT_EQ(bucket(2), 7U);
  EXPECT_EQ(bucket(3), 7U);
  EXPECT_EQ(bucket(4), 8U);
  EXPECT_EQ(bucket(7), 8U);
  EXPECT_EQ(bucket(8), 9U);
  EXPECT_EQ(bucket(15), 9U);
  EXPECT_EQ(bucket(16), 10U);
}

}  // namespace
}  // namespace kinst::runtime
