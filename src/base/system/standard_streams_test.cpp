#include "base/system/standard_streams.h"

#include <gtest/gtest.h>

namespace kinst {
namespace {

TEST(StandardStreams, HaveMessagesThatSteerNoTerminal) {
  testing::internal::CaptureStderr();
  write_error("kinst: cannot read lib\033[2J.so:\n\tit is caf\xc3\xa9\r\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "kinst: cannot read lib\\033[2J.so:\n\tit is caf\xc3\xa9\\015\n");
}

}  // namespace
}  // namespace kinst
