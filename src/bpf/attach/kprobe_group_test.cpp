#include "bpf/attach/kprobe_group.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace kinst::bpf {
namespace {

TEST(KprobeGroup, NamesItsOwnerSoThatItCanBeReadBack) {
  const GroupOwner owner{
      .pid_namespace = 4026531836, .process = 4194304, .start_time = 123456789};
  EXPECT_EQ(group_name(owner), "kinst_4026531836_4194304_123456789");
  EXPECT_EQ(parse_group_name(group_name(owner)), owner);
}

TEST(KprobeGroup, DoesNotTakeOtherNamesForItsOwn) {
  for (const char* name : {"kprobes", "kinst", "kinst_", "kinst_1_2", "kinst_1_2_x",
                           "kinst_1_2_3_4", "mykinst_1_2_3"}) {
    EXPECT_EQ(parse_group_name(name), std::nullopt) << name;
  }
}

TEST(KprobeGroup, KnowsThisProcess) {
  const auto owner = this_process();
  ASSERT_TRUE(owner) << owner.error().message;
  EXPECT_EQ(owner->process, static_cast<std::uint64_t>(getpid()));
  EXPECT_GT(owner->start_time, 0U);
  EXPECT_EQ(*owner, this_process().value());
}

}  // namespace
}  // namespace kinst::bpf
