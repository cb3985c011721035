#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/functions.h"

namespace kinst::runtime {
namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
const std::vector<std::int64_t> values = {
    smallest, smallest + 1, -4294967296, -10,    -3, -1, 1, 2, 3,
    7,        10,           4294967295,  largest};

TEST(Arithmetic, DividesAsC) {
  for (const std::int64_t dividend : values) {
    for (const std::int64_t divisor : values) {
      if (dividend == smallest && divisor == -1) {
        continue;
      }
      EXPECT_EQ(static_cast<std::int64_t>(kinst_divide_signed(dividend, divisor)),
                dividend / divisor)
          << dividend << " / " << divisor;
      EXPECT_EQ(static_cast<std::int64_t>(kinst_modulo_signed(dividend, divisor)),
                dividend % divisor)
          << dividend << " % " << divisor;
    }
  }
}

TEST(Arithmetic, WrapsWhereTheQuotientDoesNotFit) {
  EXPECT_EQ(static_cast<std::int64_t>(kinst_divide_signed(smallest, -1)), smallest);
  EXPECT_EQ(kinst_modulo_signed(smallest, -1), 0U);
}

TEST(Arithmetic, SquaresTo128Bits) {
  for (const std::int64_t value : values) {
    __extension__ using Wide = __int128;
    const auto square = static_cast<Wide>(value) * value;
    EXPECT_EQ(kinst_square_high(value), static_cast<std::uint64_t>(square >> 64U))
        << value;
  }
}

}  // namespace
}  // namespace kinst::runtime
