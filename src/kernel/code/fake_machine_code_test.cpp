// Functions and probe rules of a machine that is not x86.
#include <gtest/gtest.h>

#include "isa/fake_machine_for_tests.h"
#include "kernel/code/function.h"
#include "kernel/code/probeable.h"

namespace kinst::kernel {
namespace {

using isa::testing::fake_machine;
using isa::testing::fake::Operation;
namespace fake = isa::testing::fake;

constexpr KernelAddress work{0xffff800010000100};

Symbols all_symbols() {
  return Symbols::parse(
             "ffff800010000000 T _stext\n"
             "ffff800010000100 T work\n"
             "ffff800010000140 T kfree\n"
             "ffff800010000200 T _mcount\n"
             "ffff800010000400 T _etext\n")
      .value();
}

// The words from `from` to `to`, offsets in the function.
int words(int from, int to) {
  return (to - from) / static_cast<int>(fake::word_bytes);
}

// A call of the function tracer, an exclusive pair in a loop, a call, a trap, padding.
std::vector<std::byte> text() {
  return fake::text({fake::far(Operation::Call, words(0, 0x100)),   // 0  _mcount
                     fake::plain(Operation::LoadExclusive, 1, 2),   // 4
                     fake::plain(Operation::Add, 1, 1, 3),          // 8
                     fake::plain(Operation::StoreExclusive, 1, 2),  // 12
                     fake::branch(Operation::BranchIfZero, 1, 0, words(16, 4)),  // 16
                     fake::far(Operation::Call, words(20, 0x40)),  // 20 kfree
                     fake::plain(Operation::Return),               // 24
                     fake::plain(Operation::Trap),                 // 28
                     fake::plain(Operation::Nop), 0, 0});
}

Function function(const std::vector<std::byte>& code) {
  const Symbols symbols = all_symbols();
  return decode_function(symbols, *symbols.find("", "work"), code, fake_machine());
}

std::string refusal_at(const Function& where, unsigned offset,
                       const ProbeRules& rules = {},
                       const isa::Isa& machine = fake_machine()) {
  const auto refused = instruction_refusal(where, *where.at(FunctionOffset{offset}),
                                           rules, rules.sites, machine);
  return refused ? refused->reason : "";
}

TEST(FakeMachineFunction, HasTheTracersCallAsANopAndEndsBeforeItsPadding) {
  const Function where = function(text());
  EXPECT_TRUE(where.has_tracer_call);
  EXPECT_EQ(where.landing_pad_bytes, 0U);
  EXPECT_EQ(where.size_bytes, 32U);
  EXPECT_EQ(fake_machine().mnemonic(where.instructions.front()), "nop");
  EXPECT_TRUE(where.at(FunctionOffset{20})->is(isa::InstructionClass::Call));
}

TEST(FakeMachineFunction, CannotBeProbedWithinAnExclusiveAccess) {
  const Function where = function(text());
  constexpr std::string_view began =
      "a probe would end the exclusive access that began before it";
  EXPECT_EQ(refusal_at(where, 0), "");
  EXPECT_EQ(refusal_at(where, 4), "a probe would end its exclusive access");
  EXPECT_EQ(refusal_at(where, 8), began);
  EXPECT_EQ(refusal_at(where, 12), began);
  EXPECT_EQ(refusal_at(where, 16), "");
  EXPECT_EQ(refusal_at(where, 28), "it does nothing but raise an exception");
}

TEST(FakeMachineFunction, TellsItsInstructionsInItsAssembly) {
  const Function where = function(text());
  const auto refused =
      offset_refusal(where, FunctionOffset{21}, all_symbols(), fake_machine());
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->reason,
            "it is inside the instruction at 20 (call kfree); the next one is at 24 "
            "(ret)");
}

TEST(FakeMachineFunction, IsCertainBehindAWordThatIsNoInstruction) {
  const Function where = function(fake::text(
      {fake::plain(Operation::Nop), 0xff000000, fake::plain(Operation::Return)}));
  EXPECT_EQ(refusal_at(where, 4),
            "these bytes are no instruction that this command knows");
  EXPECT_EQ(refusal_at(where, 8), "");
}

TEST(FakeMachineFunction, IsNotDecodedBehindItsEndByTheKernel) {
  const Symbols symbols = Symbols::parse("ffff800010000100 t last\t[m]\n").value();
  std::vector<std::byte> code = fake::text({fake::plain(Operation::Return)});
  code.resize(8192);
  const Function last =
      decode_function(symbols, *symbols.find({}, "last"), code, fake_machine());
  EXPECT_FALSE(last.kernel_decodes_past_its_page);
}

TEST(FakeMachineProbe, IsReplacedInTheTextByTheWordThatStoodThere) {
  std::vector<std::byte> probed = text();
  const auto breakpoint = fake_machine().probe_breakpoint;
  std::ranges::copy(breakpoint, probed.begin() + 16);
  const std::vector<std::byte> original = text();
  const LiveProbe probe{.address = work + FunctionOffset{16},
                        .opcode = {original.begin() + 16, original.begin() + 20}};
  restore_probed_text(probed, work, std::span(&probe, 1), fake_machine());
  EXPECT_EQ(probed, original);
}

TEST(FakeMachineProbe, AtTheEndOfTheTextIsCutShort) {
  std::vector<std::byte> probed = fake::text({fake::plain(Operation::Return)});
  const std::vector<std::byte> original = probed;
  std::ranges::copy(fake_machine().probe_breakpoint, probed.begin());
  probed.resize(2);
  const LiveProbe probe{.address = work, .opcode = original};
  restore_probed_text(probed, work, std::span(&probe, 1), fake_machine());
  EXPECT_TRUE(std::ranges::equal(probed, std::span(original).first(2)));
}

TEST(FakeMachineFault, OfSomeKernelsIsRefusedUnlessTheKernelIsKnownToBeRight) {
  const isa::EmulationFault fault{.reason = "this kernel calls wrongly",
                                  .concerns = [](const isa::Instruction& one) {
                                    return one.is(isa::InstructionClass::Call);
                                  }};
  isa::Isa machine = fake_machine();
  machine.emulation_faults = std::span(&fault, 1);
  const Function where = function(text());
  EXPECT_EQ(refusal_at(where, 20, {}, machine), "this kernel calls wrongly");
  EXPECT_EQ(refusal_at(where, 20, {.emulated_right = {std::nullopt}}, machine),
            "this kernel calls wrongly");
  EXPECT_EQ(refusal_at(where, 20, {.emulated_right = {true}}, machine), "");
  EXPECT_EQ(refusal_at(where, 24, {}, machine), "");
}

}  // namespace
}  // namespace kinst::kernel
