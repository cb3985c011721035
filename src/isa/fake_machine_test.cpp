// The two descriptions of the machine that tests use agree with each other.
#include <gtest/gtest.h>

#include <array>

#include "isa/fake_processor_for_tests.h"
#include "isa/formulas_for_tests.h"

namespace kinst::isa::testing {
namespace {

using fake::Operation;

std::string text_of(std::uint32_t word) {
  const Isa& isa = fake_machine();
  return isa.text(isa.decode(fake::text({word}), KernelAddress{0x1000}).front(),
                  Syntax::Att, {});
}

TEST(FakeMachineText, IsItsAssembly) {
  EXPECT_EQ(text_of(fake::plain(Operation::Load, 1, 2, 0, -8)), "ld r1,[r2-8]");
  EXPECT_EQ(text_of(fake::plain(Operation::LoadIndexed, 1, 2, 3, 16)),
            "ld r1,[r2+r3*8+16]");
  EXPECT_EQ(text_of(fake::plain(Operation::StoreBefore, 1, 6, 0, -16)),
            "st r1,[r6-16]!");
  EXPECT_EQ(text_of(fake::plain(Operation::LoadAfter, 1, 6, 0, 16)), "ld r1,[r6],16");
  EXPECT_EQ(text_of(fake::plain(Operation::LoadByteAfter, 1, 6, 3)), "ldb r1,[r6],r3");
  EXPECT_EQ(text_of(fake::plain(Operation::Add, 1, 2, 3, 4)), "add r1,r2,r3+4");
  EXPECT_EQ(text_of(fake::branch(Operation::BranchIfBitClear, 1, 63, -2)),
            "bbc r1,#63,0xff8");
  EXPECT_EQ(text_of(fake::far(Operation::Call, 4)), "call 0x1010");
  EXPECT_EQ(text_of(fake::plain(Operation::Return)), "ret");
  EXPECT_EQ(text_of(0), "(bad)");
}

TEST(FakeMachineText, IsDecodedWordByWord) {
  const auto all =
      fake_machine().decode(fake::text({fake::plain(Operation::Nop), 0xff000000,
                                        fake::plain(Operation::Return)}),
                            KernelAddress{0x1000});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1].decoding, Decoding::Undecodable);
  EXPECT_EQ(all[1].length, 4);
  EXPECT_TRUE(all[2].boundary_certain);
  EXPECT_TRUE(all[2].is(InstructionClass::Return));
}

TEST(FakeMachineCondition, IsWhatTheProcessorDoes) {
  for (const Operation operation :
       {Operation::BranchIfZero, Operation::BranchIfNotZero, Operation::BranchIfBitSet,
        Operation::BranchIfBitClear, Operation::BranchIfLowerOrSame,
        Operation::BranchIfHigher, Operation::BranchIfLess}) {
    const std::uint32_t word = fake::branch(operation, 2, 33, 3);
    const auto decoded =
        fake_machine().decode(fake::text({word}), KernelAddress{0x1000}).front();
    for (std::uint64_t flags = 0; flags < 64; ++flags) {
      for (const std::uint64_t value :
           {0ULL, 1ULL, 0x80000000ULL, 0x100000000ULL, 0x200000000ULL, ~0ULL}) {
        fake::SavedRegisters before{.flags = flags, .program_counter = 0x1000};
        before.r(2) = value;
        EXPECT_EQ(is_taken(decoded.branch.condition, flags, value),
                  fake::execute(word, before).jumps)
            << std::hex << word << ", flags " << flags << ", " << value;
      }
    }
  }
}

TEST(FakeMachineUpdate, ChangesTheBaseBeforeOrBehindItsUse) {
  fake::SavedRegisters before;
  before.r(2) = 100;
  const auto before_use =
      fake::execute(fake::plain(Operation::LoadBefore, 1, 2, 0, 8), before);
  EXPECT_EQ(before_use.address, 108U);
  EXPECT_EQ(before_use.after.r(2), 108U);
  const auto behind_use =
      fake::execute(fake::plain(Operation::LoadAfter, 1, 2, 0, 8), before);
  EXPECT_EQ(behind_use.address, 100U);
  EXPECT_EQ(behind_use.after.r(2), 108U);
}

}  // namespace
}  // namespace kinst::isa::testing
