#include "isa/user_probes.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace kinst::isa {
namespace {

std::string_view why_not(std::initializer_list<int> bytes) {
  std::vector<std::byte> encoding;
  for (const int byte : bytes) {
    encoding.push_back(static_cast<std::byte>(byte));
  }
  return why_no_uprobe(encoding);
}

constexpr std::string_view refused = "the kernel cannot step over it";
constexpr std::string_view mistaken =
    "the kernel takes this AVX instruction for a jump and would break the program";

TEST(UserProbes, AreRefusedAtLockedInstructions) {
  EXPECT_EQ(why_not({0xf0, 0x0f, 0xb1, 0x55, 0x00}), refused);  // lock cmpxchg
  EXPECT_EQ(why_not({0x0f, 0xb1, 0x55, 0x00}), "");
}

TEST(UserProbes, AreRefusedAtLoadsOfVectors) {
  EXPECT_EQ(why_not({0xc5, 0xfe, 0x6f, 0x06}), refused);              // vmovdqu
  EXPECT_EQ(why_not({0x62, 0xe1, 0xfe, 0x28, 0x6f, 0x06}), refused);  // by EVEX
}

TEST(UserProbes, AreNotRiskedWhereTheKernelTakesAvxForAJump) {
  EXPECT_EQ(why_not({0xc5, 0xfe, 0x7f, 0x07}), mistaken);        // vmovdqu to memory
  EXPECT_EQ(why_not({0xc5, 0xed, 0xeb, 0xc1}), mistaken);        // vpor
  EXPECT_EQ(why_not({0xc4, 0xe2, 0x79, 0x78, 0xc0}), mistaken);  // vpbroadcastb
  EXPECT_EQ(why_not({0xc5, 0xf8, 0xc2, 0xc1, 0x00}), mistaken);  // vcmpps
}

TEST(UserProbes, AreTakenAtOtherAvxInstructions) {
  EXPECT_EQ(why_not({0xc5, 0xf8, 0x10, 0x06}), "");  // vmovups from memory
  EXPECT_EQ(why_not({0xc5, 0xfd, 0xd7, 0xc1}), "");  // vpmovmskb
}

TEST(UserProbes, AreTakenAtPrefixesThatOnlyWiden) {
  EXPECT_EQ(why_not({0xf3, 0xa4}), "");        // rep movsb
  EXPECT_EQ(why_not({0x64, 0x8b, 0x00}), "");  // mov %fs:(%rax),%eax
}

}  // namespace
}  // namespace kinst::isa
