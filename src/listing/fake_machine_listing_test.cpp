// A function of a machine that is not x86, listed, and its counts followed.
#include <gtest/gtest.h>

#include <vector>

#include "isa/fake_machine_for_tests.h"
#include "listing/disassembly.h"
#include "listing/flow.h"

namespace kinst::listing {
namespace {

using isa::testing::fake_machine;
using isa::testing::fake::Operation;
namespace fake = isa::testing::fake;

constexpr KernelAddress work{0xffff800010000100};

isa::ClassSet only(isa::InstructionClass instruction_class) {
  isa::ClassSet set;
  set.add(instruction_class);
  return set;
}

class FakeMachineListing : public testing::Test {
 protected:
  FakeMachineListing() {
    examined = {.function = kernel::decode_function(symbols, *symbols.find("", "work"),
                                                    text, fake_machine())};
  }

  std::vector<std::byte> text = fake::text({
      fake::branch(Operation::BranchIfZero, 0, 0, 2),      // 0   bz r0,8
      fake::far(Operation::Call, 15),                      // 4   call kfree
      fake::plain(Operation::LoadExclusive, 1, 2),         // 8   lx r1,[r2]
      fake::plain(Operation::StoreExclusive, 1, 2),        // 12  sx r1,[r2]
      fake::branch(Operation::BranchIfNotZero, 1, 0, -2),  // 16  bnz r1,8
      fake::plain(Operation::JumpToRegister, 3),           // 20  jmp *r3
      fake::plain(Operation::Return),                      // 24  ret
  });
  kernel::Symbols symbols = kernel::Symbols::parse(
                                "ffff800010000000 T _stext\n"
                                "ffff800010000100 T work\n"
                                "ffff800010000140 T kfree\n"
                                "ffff800010000400 T _etext\n")
                                .value();
  kernel::ExaminedFunction examined;
};

TEST_F(FakeMachineListing, TellsItsInstructions) {
  const Disassembly listing =
      disassemble(examined, symbols, {}, fake_machine(), isa::Syntax::Att);
  ASSERT_EQ(listing.rows.size(), 7U);
  EXPECT_EQ(listing.rows[0], (Row{.offset = FunctionOffset{0},
                                  .bytes = "02 00 00 30",
                                  .text = "bz r0,+0x8",
                                  .mnemonic = "bz",
                                  .classes = only(isa::InstructionClass::Branch),
                                  .target = "+0x8"}));
  EXPECT_EQ(listing.rows[1].text, "call kfree");
  EXPECT_EQ(listing.rows[1].target, "kfree");
  EXPECT_EQ(listing.rows[2].refused, "a probe would end its exclusive access");
  EXPECT_EQ(listing.rows[3].classes, only(isa::InstructionClass::Store));
  EXPECT_EQ(listing.rows[6].classes, only(isa::InstructionClass::Return));
}

TEST_F(FakeMachineListing, DiffersFromTheDiskByWhatIsAnotherInstruction) {
  Disassembly listing =
      disassemble(examined, symbols, {}, fake_machine(), isa::Syntax::Att);
  std::vector<std::byte> on_disk = text;
  const auto nop = fake::text({fake::plain(Operation::Nop)});
  std::ranges::copy(nop, on_disk.begin() + 4);
  note_differences(listing, examined.function,
                   {.bytes = on_disk, .displacement = 0x1000}, {.isa = fake_machine()});
  EXPECT_EQ(listing.rows[0].on_disk, "");
  EXPECT_EQ(listing.rows[1].on_disk, "nop");
}

// Ten runs, of which four skip the call; the exclusive access is tried 15 times.
TEST_F(FakeMachineListing, HasCountsThatAddUp) {
  const auto at = [](std::uint64_t offset) { return work + FunctionOffset{offset}; };
  const Counts counts{
      .executed = {{at(0), 10}, {at(4), 6}, {at(16), 15}, {at(20), 10}, {at(24), 10}},
      .taken = {{at(0), 4}, {at(16), 5}},
      .targets = {{at(20), {{at(24), 10}}}}};
  std::vector<FlowInstruction> instructions;
  for (const isa::Instruction& one : examined.function.instructions) {
    const bool is_exclusive =
        one.offset == FunctionOffset{8} || one.offset == FunctionOffset{12};
    instructions.push_back({.instruction = &one, .is_counted = !is_exclusive});
  }
  instructions.back().is_end_of_part = true;
  const Flow flow = follow_flow(instructions, counts);
  EXPECT_EQ(flow.executed[2], (Count{15, Certainty::Derived}));
  EXPECT_EQ(flow.executed[3], (Count{15, Certainty::Derived}));
  EXPECT_EQ(flow.differences, std::vector<Difference>());
  EXPECT_EQ(flow.returned.value, 10U);
  EXPECT_TRUE(flow.adds_up());
}

}  // namespace
}  // namespace kinst::listing
