#include "kernel/symbols/missing_function.h"

#include <gtest/gtest.h>

namespace kinst::kernel {
namespace {

constexpr std::string_view recorded =
    "ffffffff81200000 T _stext\n"
    "ffffffff812a1000 T vfs_read\n"
    "ffffffff812a1500 t do_open.isra.0\n"
    "ffffffff812a1600 t do_open.isra.0\n"
    "ffffffff81f00000 T _etext\n"
    "ffffffff82000000 D jiffies\n"
    "ffffffff83000000 T __init_begin\n"
    "ffffffff83000010 t setup_ext4\n"
    "ffffffff83001000 T __init_end\n"
    "ffffffffc0201000 t ext4_read\t[ext4]\n"
    "ffffffffc0300000 t xfs_read\t[xfs]\n";

TEST(WhyNoFunction, OffersWhatWouldWork) {
  const Symbols all = Symbols::parse(std::string(recorded)).value();
  EXPECT_EQ(
      why_no_function(all, "", "vfs_raed"),
      "there is no function 'vfs_raed' in this kernel; did you mean 'vfs_read' or "
      "'xfs_read'?");
  EXPECT_EQ(why_no_function(all, "", "do_open"),
            "there is no function 'do_open' in this kernel; the compiler made "
            "'do_open.isra.0' of it");
  EXPECT_EQ(why_no_function(all, "ext4", "vfs_read"),
            "there is no function 'vfs_read' in 'ext4'; it is in 'vmlinux'");
  EXPECT_EQ(why_no_function(all, "ext3", "x"),
            "there is no module 'ext3' in this kernel now; did you mean 'ext4'?");
  EXPECT_EQ(why_no_module(all, "ext3"),
            "there is no module 'ext3' in this kernel now; did you mean 'ext4'?");
  EXPECT_EQ(
      why_no_module(all, "ext4") + why_no_module(all, "") + why_no_module(all, "x*"),
      "");
  EXPECT_EQ(why_no_function(all, "", "jiffies"),
            "'jiffies' is a variable, not a function: D has it as `jiffies");
  EXPECT_EQ(why_no_function(all, "", "setup_ext4"),
            "'setup_ext4' is only there while the kernel boots");
  EXPECT_EQ(why_no_function(all, "", "zzz*"),
            "no function matches 'zzz*' in this kernel");
}

}  // namespace
}  // namespace kinst::kernel
