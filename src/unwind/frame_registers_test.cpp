#include "unwind/frame_registers.h"

#include <gtest/gtest.h>

#include "isa/fake_machine_for_tests.h"

namespace kinst::user {
namespace {

TEST(FrameRegisters, AreThoseOfTheAbi) {
  // System V ABI, AMD64 supplement, figure 3.36.
  const auto found = frame_registers(isa::x86_64());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->stack_pointer, 7U);
  EXPECT_EQ(found->frame_pointer, 6U);
  EXPECT_FALSE(found->link);
}

TEST(FrameRegisters, HaveTheLinkRegisterOfAMachineThatHasOne) {
  const auto found = frame_registers(isa::testing::fake_machine());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->stack_pointer, isa::testing::fake::stack_pointer);
  EXPECT_EQ(found->frame_pointer, isa::testing::fake::frame_pointer);
  EXPECT_EQ(found->link, isa::testing::fake::link_register);
}

TEST(FrameRegisters, AreMissingIfTheMachineHasNoNumberForOne) {
  isa::Isa machine = isa::testing::fake_machine();
  machine.dwarf_registers =
      machine.dwarf_registers.first(isa::testing::fake::link_register);
  EXPECT_FALSE(frame_registers(machine));
}

}  // namespace
}  // namespace kinst::user
