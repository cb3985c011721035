#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>
#include <vector>

#include "isa/isa.h"

namespace kinst::isa {
namespace {

std::vector<std::byte> encoding_of(std::initializer_list<int> bytes) {
  std::vector<std::byte> encoding;
  for (const int byte : bytes) {
    encoding.push_back(static_cast<std::byte>(byte));
  }
  return encoding;
}

std::string_view why_not(std::initializer_list<int> bytes) {
  return x86_64().why_no_uprobe(encoding_of(bytes));
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

TEST(UserProbes, AreRefusedWhereTheProgramWouldGoOnInTheKernelsCopy) {
  constexpr std::string_view astray =
      "the program would go on behind the kernel's copy of the instruction";
  EXPECT_EQ(why_not({0x0f, 0x05}), astray);                          // syscall
  EXPECT_EQ(why_not({0x0f, 0x34}), astray);                          // sysenter
  EXPECT_EQ(why_not({0xc7, 0xf8, 0x00, 0x00, 0x00, 0x00}), astray);  // xbegin
  EXPECT_EQ(why_not({0x0f, 0x01, 0x07}), astray);                    // sgdt (%rdi)
  EXPECT_EQ(why_not({0x48, 0x0f, 0x01, 0xe0}), astray);              // smsw %rax
  EXPECT_EQ(why_not({0x0f, 0x00, 0xc8}), astray);                    // str %eax
  EXPECT_EQ(why_not({0x0f, 0x01, 0xf9}), "");                        // rdtscp
  EXPECT_EQ(why_not({0x0f, 0x01, 0xd0}), "");                        // xgetbv
  EXPECT_EQ(why_not({0x0f, 0x00, 0xe1}), "");                        // verr %cx
}

TEST(UserProbes, AreRefusedAtPushfButNotAtPopf) {
  constexpr std::string_view shows =
      "it would show the program the flag by which the kernel steps over it";
  EXPECT_EQ(why_not({0x9c}), shows);
  EXPECT_EQ(why_not({0x66, 0x9c}), shows);
  EXPECT_EQ(why_not({0x9d}), "");
}

TEST(UserProbes, AreRefusedAtAnExchangeThatLooksLikeANop) {
  EXPECT_EQ(why_not({0x49, 0x90}), "the kernel takes it for a nop");  // xchg %r8,%rax
  EXPECT_EQ(why_not({0x41, 0x90}), "the kernel takes it for a nop");
  EXPECT_EQ(why_not({0x90}), "");
  EXPECT_EQ(why_not({0x48, 0x91}), "");  // xchg %rcx,%rax
  EXPECT_EQ(why_not({0xf3, 0x90}), "");  // pause
}

TEST(UserProbes, AreRefusedAtFarCallsButNotAtNearOnes) {
  EXPECT_EQ(why_not({0xff, 0x1f}), "the kernel would write a wrong return address");
  EXPECT_EQ(why_not({0xff, 0x17}), "");
}

// What the kernel refuses is known before, as each attempt costs a system call.
TEST(UserProbes, AreRefusedWhereTheKernelWouldRefuseThem) {
  EXPECT_EQ(why_not({0xcd, 0x80}), refused);                    // int $0x80
  EXPECT_EQ(why_not({0xcc}), refused);                          // int3
  EXPECT_EQ(why_not({0x48, 0xcf}), refused);                    // iretq
  EXPECT_EQ(why_not({0xf4}), refused);                          // hlt
  EXPECT_EQ(why_not({0x8e, 0xd1}), refused);                    // mov %ecx,%ss
  EXPECT_EQ(why_not({0x66, 0x74, 0x00}), refused);              // je by 16 bits
  EXPECT_EQ(why_not({0xc4, 0x42, 0x25, 0x8e, 0x16}), refused);  // vpmaskmovd
  EXPECT_EQ(why_not({0xc4, 0x42, 0x25, 0x8e, 0x1e}), "");
  EXPECT_EQ(why_not({0x8e, 0xd9}), "");  // mov %ecx,%ds
  EXPECT_EQ(why_not({0x74, 0x00}), "");
}

TEST(UserProbes, AreRefusedWhereTheKernelsDecoderKnowsNoEnd) {
  constexpr std::string_view unknown =
      "the kernel does not know where this instruction ends";
  EXPECT_EQ(why_not({0x0f, 0x0f, 0xc1, 0x9e}), unknown);              // pfadd
  EXPECT_EQ(why_not({0x8f, 0xe8, 0x78, 0xc0, 0xc1, 0x01}), unknown);  // vprotb
  EXPECT_EQ(why_not({0x8f, 0xc0}), "");                               // pop %rax
  EXPECT_EQ(why_not({0xc4, 0xe3, 0xf1, 0x6b, 0xc0, 0x20}), unknown);  // vfmaddsd
}

TEST(UserProbes, AreKnownWhereTheKernelMakesACallOfANop) {
  const auto may = [](std::initializer_list<int> bytes) {
    return x86_64().may_become_a_call(encoding_of(bytes));
  };
  EXPECT_TRUE(may({0x0f, 0x1f, 0x44, 0x00, 0x00}));
  EXPECT_TRUE(may({0x66, 0x0f, 0x1f, 0x40, 0x00}));
  EXPECT_TRUE(may({0x66, 0x66, 0x66, 0x66, 0x90}));
  EXPECT_FALSE(may({0x0f, 0x1f, 0x40, 0x00}));
  EXPECT_FALSE(may({0xe8, 0x00, 0x00, 0x00, 0x00}));
}

}  // namespace
}  // namespace kinst::isa
