#include "base/text/cold_names.h"

#include <gtest/gtest.h>

namespace kinst {
namespace {

TEST(ColdNames, SayWhatThePartWasSplitOffFrom) {
  EXPECT_EQ(whole_of_cold_part("vfs_read.cold"), "vfs_read");
  EXPECT_EQ(whole_of_cold_part("vfs_read.cold.12"), "vfs_read");
  EXPECT_EQ(whole_of_cold_part("vfs_read.isra.0.cold"), "vfs_read.isra.0");
}

TEST(ColdNames, AreToldFromOthers) {
  for (const std::string_view name :
       {"", "vfs_read", "vfs_read.isra.0", "vfs_read.colder", "cold", ".cold"}) {
    EXPECT_EQ(whole_of_cold_part(name), "") << name;
  }
}

}  // namespace
}  // namespace kinst
