#include "d/typed/folding.h"

#include <gtest/gtest.h>

#include <limits>

namespace kinst::d {
namespace {

using enum typed::BinaryOperator;

constexpr std::uint64_t minus_one = std::numeric_limits<std::uint64_t>::max();

TEST(Folding, WrapsAt64Bits) {
  EXPECT_EQ(fold(Add, minus_one, 1, false), 0U);
  EXPECT_EQ(fold(Multiply, 1ULL << 63U, 2, true), 0U);
}

TEST(Folding, DividesBySign) {
  EXPECT_EQ(fold(Divide, minus_one, 2, true), 0U);
  EXPECT_EQ(fold(Divide, minus_one, 2, false), minus_one >> 1U);
  EXPECT_EQ(fold(Modulo, 0ULL - 7ULL, 3, true), minus_one);
}

TEST(Folding, DividesTheLeastNumberByMinusOneWithoutATrap) {
  EXPECT_EQ(fold(Divide, 1ULL << 63U, minus_one, true), 1ULL << 63U);
  EXPECT_EQ(fold(Modulo, 1ULL << 63U, minus_one, true), 0U);
}

TEST(Folding, ComparesAndShiftsBySign) {
  EXPECT_EQ(fold(Less, minus_one, 1, true), 1U);
  EXPECT_EQ(fold(Less, minus_one, 1, false), 0U);
  EXPECT_EQ(fold(GreaterEqual, 1, 1, true), 1U);
  EXPECT_EQ(fold(ShiftRight, minus_one, 8, true), minus_one);
  EXPECT_EQ(fold(ShiftRight, minus_one, 8, false), minus_one >> 8U);
  EXPECT_EQ(fold(ShiftLeft, 1, 65, false), 2U);
}

}  // namespace
}  // namespace kinst::d
