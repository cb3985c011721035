#include "base/text/json_text.h"

#include <gtest/gtest.h>

namespace kinst {
namespace {

TEST(JsonString, EscapesWhatJsonDoesNotAllow) {
  EXPECT_EQ(json_string("a\"b\\c\n\t\x01\x7f/"), R"("a\"b\\c\n\t\u0001\u007f/")");
  EXPECT_EQ(json_string(""), R"("")");
}

TEST(JsonString, KeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(json_string("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x90"),
            "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x90\"");
  const std::string none = "\xef\xbf\xbd";
  EXPECT_EQ(json_string("\xff"), "\"" + none + "\"");
  EXPECT_EQ(json_string("\xc3"), "\"" + none + "\"");             // cut off
  EXPECT_EQ(json_string("\xc0\x80"), "\"" + none + none + "\"");  // too long
  EXPECT_EQ(json_string("\xed\xa0\x80"), "\"" + none + none + none + "\"");
}

}  // namespace
}  // namespace kinst
