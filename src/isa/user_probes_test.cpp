#include "isa/user_probes.h"

#include <gtest/gtest.h>

#include <vector>

namespace kinst::isa {
namespace {

bool is_refused(std::initializer_list<int> bytes) {
  std::vector<std::byte> encoding;
  for (const int byte : bytes) {
    encoding.push_back(static_cast<std::byte>(byte));
  }
  return uprobes_refuse(encoding);
}

TEST(UserProbes, AreRefusedAtLockedInstructions) {
  EXPECT_TRUE(is_refused({0xf0, 0x0f, 0xb1, 0x55, 0x00}));  // lock cmpxchg
  EXPECT_FALSE(is_refused({0x0f, 0xb1, 0x55, 0x00}));
}

TEST(UserProbes, AreRefusedAtLoadsOfVectorsButNotAtStores) {
  EXPECT_TRUE(is_refused({0xc5, 0xfe, 0x6f, 0x06}));  // vmovdqu (%rsi),%ymm0
  EXPECT_TRUE(is_refused({0x62, 0xe1, 0xfe, 0x28, 0x6f, 0x06}));  // the same by EVEX
  EXPECT_FALSE(is_refused({0xc5, 0xfe, 0x7f, 0x07}));  // vmovdqu %ymm0,(%rdi)
}

TEST(UserProbes, AreTakenAtPrefixesThatOnlyWiden) {
  EXPECT_FALSE(is_refused({0xf3, 0xa4}));        // rep movsb
  EXPECT_FALSE(is_refused({0x64, 0x8b, 0x00}));  // mov %fs:(%rax),%eax
}

}  // namespace
}  // namespace kinst::isa
