#include "base/json_text.h"

#include <gtest/gtest.h>

namespace kinst {
namespace {

TEST(JsonString, EscapesWhatJsonDoesNotAllow) {
  EXPECT_EQ(json_string("a\"b\\c\n\t\x01/"), R"("a\"b\\c\n\t\u0001/")");
  EXPECT_EQ(json_string(""), R"("")");
}

}  // namespace
}  // namespace kinst
