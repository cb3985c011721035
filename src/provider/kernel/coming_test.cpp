#include "provider/kernel/coming.h"

#include <gtest/gtest.h>

#include <variant>

namespace kinst::provider {
namespace {

d::Description described(std::string module, std::string function) {
  return {.provider = "fbt",
          .module = std::move(module),
          .function = std::move(function),
          .name = "entry"};
}

TEST(Coming, WaitsForModulesThatAreNotThere) {
  const auto symbols = kernel::Symbols::parse(
                           "ffffffff81200000 T vfs_read\n"
                           "ffffffffc0201000 t ext4_read\t[ext4]\n")
                           .value();
  EXPECT_TRUE(names_absent_module(described("xfs", "xfs_read"), symbols));
  EXPECT_TRUE(names_absent_module(described("x*", "xfs_read"), symbols));
  EXPECT_FALSE(names_absent_module(described("ext4", "ext4_raed"), symbols));
  EXPECT_FALSE(names_absent_module(described("vmlinux", "vfs_raed"), symbols));
  EXPECT_FALSE(names_absent_module(described("", "vfs_raed"), symbols));
}

// What is no name would be another command to the kernel.
TEST(Coming, GivesTheKernelNothingButNames) {
  EXPECT_TRUE(names_function(described("xfs", "xfs_read.isra.0")));
  for (const char* function : {"", "xfs_*", "xfs_read+4", "xfs_read i=1", "a\n-:b"}) {
    EXPECT_FALSE(names_function(described("xfs", function))) << function;
  }
  for (const char* module : {"", "x*", "xfs:a", "xfs\n"}) {
    EXPECT_FALSE(names_function(described(module, "xfs_read"))) << module;
  }
}

TEST(Coming, TellsProbesWithANameFromThoseThatStandForOthers) {
  const Probe named =
      coming_probe("fbt", described("xfs", "xfs_read"), "entry", ComingPlace::Entry);
  EXPECT_FALSE(is_awaited(named));
  EXPECT_TRUE(is_awaited(
      awaited_probe("fbt", described("xfs", "xfs_*"), "entry", ComingPlace::Entry)));
}

TEST(Reasons, GoOnBehindASemicolonAndAnewBehindAQuestion) {
  EXPECT_EQ(with_clause("there is no function 'f'", "if it is inlined, so be it"),
            "there is no function 'f'; if it is inlined, so be it");
  EXPECT_EQ(with_clause("did you mean 'g'?", "if it is inlined, so be it"),
            "did you mean 'g'? If it is inlined, so be it");
}

}  // namespace
}  // namespace kinst::provider
