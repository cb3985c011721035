#include "base/text/utf8.h"

#include <gtest/gtest.h>

namespace kinst {
namespace {

TEST(Utf8, IsTextOfWholeSequences) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
  EXPECT_FALSE(is_utf8("a\xc3")) << "cut off";
  EXPECT_FALSE(is_utf8("\xa9")) << "a rest without a beginning";
  EXPECT_FALSE(is_utf8("\xc0\xaf")) << "longer than needed";
  EXPECT_FALSE(is_utf8("\xed\xa0\x80")) << "a surrogate";
}

TEST(Utf8, LengthIsThatOfTheFirstSequence) {
  EXPECT_EQ(utf8_length("ab"), 1U);
  EXPECT_EQ(utf8_length("\xe2\x82\xac!"), 3U);
  EXPECT_EQ(utf8_length("\xff"), 0U);
}

}  // namespace
}  // namespace kinst
