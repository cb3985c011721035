#include <cstdint>
#include <limits>
#include <string>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

using Number = NativeRuntime;

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

std::string text_of(std::int64_t value, std::uint64_t base = 10) {
  return text_at(kinst_lltostr(value, base));
}
std::int64_t value_of(const std::string& text, std::uint64_t base = 10) {
  return static_cast<std::int64_t>(kinst_strtoll(address_of(text), base));
}

TEST_F(Number, BecomesDecimalText) {
  EXPECT_EQ(text_of(0), "0");
  EXPECT_EQ(text_of(123456789), "123456789");
  EXPECT_EQ(text_of(-1), "-1");
  EXPECT_EQ(text_of(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(text_of(smallest), "-9223372036854775808");
}

TEST_F(Number, BecomesTextOfOtherBases) {
  EXPECT_EQ(text_of(255, 16), "0xff");
  EXPECT_EQ(text_of(0, 16), "0x0");
  EXPECT_EQ(text_of(-1, 16), "0xffffffffffffffff");
  EXPECT_EQ(text_of(8, 8), "010");
  EXPECT_EQ(text_of(0, 8), "0");
  EXPECT_EQ(text_of(35, 36), "z");
  EXPECT_EQ(text_of(-1, 2), std::string(64, '1'));
}

TEST_F(Number, IsCutOffAsStringsAre) {
  reset(8);
  EXPECT_EQ(text_of(12345678), "1234567");
  EXPECT_EQ(text_of(-1000000), "-100000");
}

TEST_F(Number, HasABaseFrom2To36) {
  EXPECT_EQ(text_of(1, 1), "(none)");
  EXPECT_EQ(fault(), KINST_FAULT_ILLOP);
  native_state()->fault = KINST_FAULT_NONE;
  EXPECT_EQ(value_of("1", 37), 0);
  EXPECT_EQ(fault(), KINST_FAULT_ILLOP);
}

TEST_F(Number, IsReadUpToTheFirstThatIsNoDigit) {
  EXPECT_EQ(value_of("123abc"), 123);
  EXPECT_EQ(value_of(" \t-123"), -123);
  EXPECT_EQ(value_of("+7"), 7);
  EXPECT_EQ(value_of(""), 0);
  EXPECT_EQ(value_of("-"), 0);
  EXPECT_EQ(value_of("abc"), 0);
  EXPECT_EQ(value_of("-9223372036854775808"), smallest);
}

TEST_F(Number, IsReadInOtherBases) {
  EXPECT_EQ(value_of("0xfF", 16), 255);
  EXPECT_EQ(value_of("ff", 16), 255);
  EXPECT_EQ(value_of("0x", 16), 0);
  EXPECT_EQ(value_of("0xg", 16), 0);
  EXPECT_EQ(value_of("778", 8), 63);
  EXPECT_EQ(value_of("Zz", 36), 35 * 36 + 35);
  EXPECT_EQ(value_of("102", 2), 2);
}

TEST_F(Number, MayHaveManyZerosInFront) {
  reset(KINST_STRING_MAX);
  EXPECT_EQ(value_of(std::string(3000, ' ') + std::string(5000, '0') + "42"), 42);
}

TEST_F(Number, IsReadFromAStringOnly) {
  EXPECT_EQ(kinst_strtoll(0, 10), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

}  // namespace
}  // namespace kinst::runtime
