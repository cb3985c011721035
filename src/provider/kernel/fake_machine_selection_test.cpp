// Selectors, ends of functions and parameters on a machine that is not x86.
#include <gtest/gtest.h>

#include "isa/fake_machine_for_tests.h"
#include "provider/attach_order.h"
#include "provider/kernel/function_arguments.h"
#include "provider/kernel/function_breakpoints.h"
#include "provider/kernel/kinst.h"
#include "provider/kernel/selector.h"

namespace kinst::provider {
namespace {

using isa::testing::fake_machine;
using isa::testing::fake::Operation;
namespace fake = isa::testing::fake;

constexpr KernelAddress work{0xffff800010000100};

class FakeMachineSelection : public testing::Test {
 protected:
  FakeMachineSelection() {
    const auto text = fake::text({
        fake::plain(Operation::Nop),                         // 0   the tracer's place
        fake::plain(Operation::StoreBefore, 7, 6, 0, -16),   // 4   st r7,[r6-16]!
        fake::plain(Operation::Load, 1, 0, 0, 8),            // 8   ld r1,[r0+8]
        fake::branch(Operation::BranchIfBitClear, 1, 3, 3),  // 12  bbc r1,#3,24
        fake::far(Operation::Call, 12),                      // 16  call kfree
        fake::plain(Operation::CallRegister, 1),             // 20  call *r1
        fake::plain(Operation::LoadExclusive, 1, 0),         // 24  lx r1,[r0]
        fake::plain(Operation::StoreExclusive, 1, 0),        // 28  sx r1,[r0]
        fake::plain(Operation::LoadAfter, 7, 6, 0, 16),      // 32  ld r7,[r6],16
        fake::plain(Operation::Return),                      // 36  ret
        fake::far(Operation::Jump, 6),                       // 40  jmp kfree
    });
    examined = {.function = kernel::decode_function(symbols, *symbols.find("", "work"),
                                                    text, fake_machine())};
  }

  std::string names(std::string_view name) const {
    const auto match = select(std::span(&examined, 1), parse_selector(name).value(),
                              symbols, rules, fake_machine());
    if (!match) {
      return match.error().message;
    }
    std::string out;
    for (const Probe& probe : match->probes) {
      out += (out.empty() ? "" : " ") + probe.name;
    }
    return out;
  }

  kernel::Symbols symbols = kernel::Symbols::parse(
                                "ffff800010000000 T _stext\n"
                                "ffff800010000100 T work\n"
                                "ffff800010000140 T kfree\n"
                                "ffff800010000400 T _etext\n")
                                .value();
  kernel::ProbeRules rules;
  kernel::ExaminedFunction examined;
};

TEST_F(FakeMachineSelection, GoesByClassMnemonicTargetAndPlace) {
  EXPECT_EQ(names(""), "0 4 8 12 16 20 32 36 40");
  EXPECT_EQ(names("load"), "8 32");
  EXPECT_EQ(names("store"), "4");
  EXPECT_EQ(names("branch"), "12");
  EXPECT_EQ(names("call"), "16 20");
  EXPECT_EQ(names("call@kfree"), "16");
  EXPECT_EQ(names("return"), "36 40");
  EXPECT_EQ(names("=ld*"), "8 32");
  EXPECT_EQ(names("entry"), "0");
}

TEST_F(FakeMachineSelection, RefusesWhatTheMachineRefuses) {
  EXPECT_EQ(
      names("28"),
      "cannot trace kinst:vmlinux:work:28: a probe would end the exclusive access "
      "that began before it");
  EXPECT_EQ(
      names("30"),
      "cannot trace kinst:vmlinux:work:30: it is inside the instruction at 28 (sx "
      "r1,[r0]); the next one is at 32 (ld r7,[r6],16)");
}

TEST_F(FakeMachineSelection, FindsTheEndsOfAFunction) {
  const FunctionBreakpoints found =
      find_breakpoints(std::span(&examined, 1), symbols, rules, fake_machine());
  EXPECT_EQ(found.entry, work + FunctionOffset{4});
  EXPECT_EQ(found.returns,
            (std::vector<FunctionBreakpoint>{
                {.address = work + FunctionOffset{36}},
                {.address = work + FunctionOffset{40}, .has_result = false}}));
}

TEST(FakeMachineParameters, ArePlacedByItsConventionIfThatIsKnown) {
  types::TypeTable types;
  const types::Prototype prototype{
      .result = types.void_type(),
      .parameters = {{.name = "a", .type = types.int_type()},
                     {.name = "b", .type = types.int_type()}}};
  const auto places = entry_places(prototype, types, fake_machine());
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[1].words, std::vector<std::uint32_t>{1});
  EXPECT_EQ(places[1].why_unreadable, "");

  isa::Isa machine = fake_machine();
  machine.function_places = nullptr;
  EXPECT_EQ(entry_places(prototype, types, machine)[1].why_unreadable,
            "where functions of this machine have their parameters is not known");
}

TEST(FakeMachineAttaching, HasNoInstructionDecoderToWaitFor) {
  const Probe probe{.provider = "kinst",
                    .module = "vmlinux",
                    .function = "insn_get_modrm",
                    .site = KernelInstruction{}};
  EXPECT_TRUE(slows_attaching(probe, isa::x86_64()));
  EXPECT_FALSE(slows_attaching(probe, fake_machine()));
}

}  // namespace
}  // namespace kinst::provider
