#include "compile/match/other_tracers.h"

#include <gtest/gtest.h>

namespace kinst::compile {
namespace {

std::string hint(std::string_view text) {
  d::Description description;
  std::array<std::string*, 4> places = {&description.name, &description.function,
                                        &description.module, &description.provider};
  std::size_t field = 0;
  for (std::size_t end = text.size();;) {
    const std::size_t colon = text.substr(0, end).rfind(':');
    const std::size_t begin = colon == std::string_view::npos ? 0 : colon + 1;
    *places.at(field++) = std::string(text.substr(begin, end - begin));
    if (begin == 0) {
      break;
    }
    end = colon;
  }
  description.fields_given = static_cast<std::uint8_t>(field);
  return meant_by_others(description).value_or("");
}

TEST(ForeignNames, AreThoseOfBpftrace) {
  EXPECT_EQ(hint("kprobe:vfs_read"), "did you mean 'fbt::vfs_read:entry'?");
  EXPECT_EQ(hint("kr:vfs_read"), "did you mean 'fbt::vfs_read:return'?");
  EXPECT_EQ(hint("fentry:vmlinux:vfs_read"), "did you mean 'fbt::vfs_read:entry'?");
  EXPECT_EQ(hint("kprobe:vfs_read+9"), "did you mean 'kinst::vfs_read:9'?");
  EXPECT_EQ(hint("tracepoint:syscalls:sys_enter_openat"),
            "did you mean 'syscall::openat:entry'?");
  EXPECT_EQ(hint("t:syscalls:sys_exit_read"), "did you mean 'syscall::read:return'?");
  EXPECT_EQ(hint("tracepoint:sched:sched_switch"),
            "did you mean 'sdt:sched::sched_switch'?");
  EXPECT_EQ(hint("interval:s:1"), "did you mean 'tick-1s'?");
  EXPECT_EQ(hint("profile:hz:99"), "did you mean 'profile-99hz'?");
}

TEST(ForeignNames, AreAnOffsetBehindAPlus) {
  EXPECT_EQ(hint("vfs_read+0x1f"), "did you mean 'kinst::vfs_read:0x1f'?");
  EXPECT_EQ(hint("kinst::vfs_read+9"), "did you mean 'kinst::vfs_read:9'?");
}

TEST(ForeignNames, AreProvidersOfOtherSystems) {
  EXPECT_EQ(hint("io:::start"),
            "kinst does not have the provider 'io'; sdt:block::block_rq_issue and "
            "sdt:block::block_rq_complete tell the same");
}

TEST(ForeignNames, AreNotWhatIsNearlyRightHere) {
  EXPECT_EQ(hint("vfs_raed"), "");
  EXPECT_EQ(hint("fbt::vfs_raed:entry"), "");
  EXPECT_EQ(hint("syscall::opne:entry"), "");
  EXPECT_EQ(hint("kinst::vfs_read:9x"), "");
  EXPECT_EQ(hint("profile-0hz"), "");
}

}  // namespace
}  // namespace kinst::compile
