#include "base/text/glob.h"

#include <gtest/gtest.h>

namespace kinst {
namespace {

TEST(Glob, MatchesTheWholeText) {
  EXPECT_TRUE(glob_matches("vfs_read", "vfs_read"));
  EXPECT_FALSE(glob_matches("vfs_read", "vfs_readv"));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_TRUE(glob_matches("", ""));
}

TEST(Glob, StarMatchesAnythingSeveralTimes) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("vfs_*", "vfs_"));
  EXPECT_TRUE(glob_matches("*read*v", "vfs_readreadv"));
  EXPECT_FALSE(glob_matches("*read*v", "vfs_read"));
  EXPECT_TRUE(glob_matches("a*b*c", "a-b-b-c"));
}

TEST(Glob, QuestionMarkAndSetsMatchOneCharacter) {
  EXPECT_TRUE(glob_matches("sys_?", "sys_x"));
  EXPECT_FALSE(glob_matches("sys_?", "sys_"));
  EXPECT_TRUE(glob_matches("x[0-9a]y", "x7y"));
  EXPECT_TRUE(glob_matches("x[!0-9]y", "xay"));
  EXPECT_FALSE(glob_matches("x[!0-9]y", "x7y"));
  EXPECT_TRUE(glob_matches("x[]]y", "x]y"));
}

TEST(Glob, BackslashAndUnclosedSetsStandForThemselves) {
  EXPECT_TRUE(glob_matches("a\\*b", "a*b"));
  EXPECT_FALSE(glob_matches("a\\*b", "axb"));
  EXPECT_TRUE(glob_matches("a[b", "a[b"));
}

}  // namespace
}  // namespace kinst
