#include "provider/tracing.h"

#include <gtest/gtest.h>
#include <linux/bpf.h>

namespace kinst::provider {
namespace {

const Site entry_site = KernelFunction{.edge = Edge::Entry};
const Site return_site = KernelFunction{.edge = Edge::Return};
const Site user_return_site = UserInstruction{.kind = UserPlaceKind::Return};

TEST(Tracing, ByFentryIsLoadedForTheEndOfTheFunction) {
  EXPECT_EQ(attach_type_of(entry_site, ByFentry{}), std::uint32_t{BPF_TRACE_FENTRY});
  EXPECT_EQ(attach_type_of(return_site, ByFentry{}), std::uint32_t{BPF_TRACE_FEXIT});
}

// The numbers are those of enum bpf_attach_type in the kernel's
// include/uapi/linux/bpf.h.
TEST(Tracing, AtOnceIsLoadedForKernelOrUserCode) {
  EXPECT_EQ(attach_type_of(entry_site, AtOnce{}), 42U);
  EXPECT_EQ(attach_type_of(user_return_site, AtOnce{}), 48U);
}

TEST(Tracing, ByEventsNeedsNoAttachType) {
  EXPECT_EQ(attach_type_of(entry_site, ByEvents{}), 0U);
  EXPECT_EQ(attach_type_of(return_site, ByBreakpoints{}), 0U);
  EXPECT_EQ(attach_type_of(user_return_site, ByEvents{}), 0U);
}

TEST(Tracing, HasNoResultAtTailCalls) {
  const ByBreakpoints at_ret{.breakpoints = {{.address = KernelAddress{0x1009}}}};
  ByBreakpoints at_jump = at_ret;
  at_jump.breakpoints.push_back(
      {.address = KernelAddress{0x1010}, .has_result = false});
  EXPECT_TRUE(has_results(return_site, at_ret));
  EXPECT_FALSE(has_results(return_site, at_jump));
  EXPECT_TRUE(has_results(return_site, ByEvents{}));
}

TEST(Tracing, HasNoResultAtAUserFunctionsJumpToAnother) {
  Site site = user_return_site;
  std::get<UserInstruction>(site).exits = {{.file_offset = 8}};
  EXPECT_TRUE(has_results(site, ByEvents{}));
  std::get<UserInstruction>(site).exits.push_back(
      {.file_offset = 16, .has_result = false});
  EXPECT_FALSE(has_results(site, AtOnce{}));
}

}  // namespace
}  // namespace kinst::provider
