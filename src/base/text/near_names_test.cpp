#include "base/text/near_names.h"

#include <gtest/gtest.h>

namespace kinst {
namespace {

TEST(EditDistance, CountsASwapOfNeighboursAsOne) {
  EXPECT_EQ(edit_distance("vfs_raed", "vfs_read"), 1U);
}

TEST(NearNames, OffersTheNearestFirstAndNothingFar) {
  NearNames near("vfs_raed");
  for (const char* name : {"vfs_write", "vfs_readv", "vfs_read", "schedule"}) {
    near.offer(name);
  }
  EXPECT_EQ(near.names(), (std::vector<std::string>{"vfs_read", "vfs_readv"}));
  EXPECT_EQ(near.question(), "did you mean 'vfs_read' or 'vfs_readv'?");
}

TEST(NearNames, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(NearNames("abc").question(), "");
}

}  // namespace
}  // namespace kinst
