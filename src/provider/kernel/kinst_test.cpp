#include "provider/kernel/kinst.h"

#include <gtest/gtest.h>

#include "provider/kernel/selector.h"

namespace kinst::provider {
namespace {

constexpr std::string_view symbol_table =
    "ffffffff81000000 T _stext\n"
    "ffffffff81000100 T work\n"
    "ffffffff81000140 T kfree\n"
    "ffffffff81000140 T kfree_alias\n"
    "ffffffff81000180 T other\n"
    "ffffffff81000200 T __x86_return_thunk\n"
    "ffffffff81000300 t work.cold\n"
    "ffffffff81000400 T _etext\n";

constexpr KernelAddress work{0xffffffff81000100};

std::vector<std::byte> text() {
  std::vector<std::byte> out;
  for (const unsigned value : {
           0xf3, 0x0f, 0x1e, 0xfa,              // 0   endbr64
           0x0f, 0x1f, 0x44, 0x00, 0x00,        // 4   the tracer's place
           0x48, 0x8b, 0x07,                    // 9   mov (%rdi),%rax
           0xe8, 0x2f, 0x00, 0x00, 0x00,        // 12  call kfree
           0x0f, 0x84, 0xe9, 0x01, 0x00, 0x00,  // 17  je work.cold
           0xf0, 0x48, 0x0f, 0xb1, 0x0f,        // 23  lock cmpxchg %rcx,(%rdi)
           0x66, 0x90,                          // 28  a static key
           0xeb, 0x05,                          // 30  jmp 37
           0xe9, 0x5b, 0x00, 0x00, 0x00,        // 32  jmp other
           0xe9, 0xd6, 0x01, 0x00, 0x00,        // 37  jmp work.cold
           0xe9, 0xd1, 0x00, 0x00, 0x00,        // 42  jmp __x86_return_thunk
           0x0f, 0x0b,                          // 47  ud2
           0xc3,                                // 49  ret
       }) {
    out.push_back(static_cast<std::byte>(value));
  }
  return out;
}

class Kinst : public testing::Test {
 protected:
  kernel::ExaminedFunction candidate() const {
    return {.function = kernel::decode_function(symbols, *symbols.find("", "work"),
                                                text(), isa::x86_64()),
            .sites = {.jump_labels = {work + FunctionOffset{28}}}};
  }

  Result<Match> selected(std::string_view name) const {
    const kernel::ExaminedFunction one = candidate();
    return select(std::span(&one, 1), parse_selector(name).value(), symbols, rules,
                  isa::x86_64());
  }

  /// Names of the probes that a name part means.
  std::string names(std::string_view name) const {
    const auto match = selected(name);
    if (!match) {
      return match.error().message;
    }
    std::string out;
    for (const Probe& probe : match->probes) {
      out += (out.empty() ? "" : " ") + probe.name;
    }
    return out.empty() ? match->why_none : out;
  }

  kernel::Symbols symbols = kernel::Symbols::parse(std::string(symbol_table)).value();
  kernel::ProbeRules rules;
};

TEST_F(Kinst, EveryInstructionIsProbedOrSkipped) {
  const auto match = selected("").value();
  EXPECT_EQ(names(""), "4 9 12 17 23 30 32 37 42 49");
  std::vector<std::string> skipped;
  for (const Skipped& one : match.skipped) {
    skipped.push_back(one.probe);
  }
  EXPECT_EQ(skipped,
            (std::vector<std::string>{"kinst:vmlinux:work:0", "kinst:vmlinux:work:28",
                                      "kinst:vmlinux:work:47"}));
  EXPECT_EQ(match.probes.size() + match.skipped.size(),
            candidate().function.instructions.size());
}

TEST_F(Kinst, OffsetIsDecimalOrHexadecimalAndNamedInDecimal) {
  EXPECT_EQ(names("12"), "12");
  EXPECT_EQ(names("0xc"), "12");
  EXPECT_EQ(names("1?"), "12 17");
}

TEST_F(Kinst, ProbeIsNamedAndKeyedByItsInstruction) {
  const Probe probe = selected("12").value().probes.front();
  EXPECT_EQ(probe.provider, "kinst");
  EXPECT_EQ(probe.module, "vmlinux");
  EXPECT_EQ(probe.function, "work");
  EXPECT_EQ(probe.key, number(work) + 12);
  const auto& site = std::get<KernelInstruction>(probe.site);
  EXPECT_EQ(site.function, work);
  EXPECT_EQ(site.instruction.length, 5);
}

TEST_F(Kinst, OffsetThatCannotBeTracedIsAnErrorThatSaysWhy) {
  EXPECT_EQ(names("13"),
            "cannot trace kinst:vmlinux:work:13: it is inside the instruction at 12 "
            "(call kfree); the next one is at 17 (je work.cold)");
  EXPECT_EQ(names("28"),
            "cannot trace kinst:vmlinux:work:28: the kernel switches it between a nop "
            "and a jump (static key)");
  EXPECT_EQ(
      names("0"),
      "cannot trace kinst:vmlinux:work:0: it marks where indirect calls may "
      "land, and the kernel moves a probe here to the next instruction, at 4; entry "
      "means that one on every kernel");
  EXPECT_EQ(names("100"),
            "cannot trace kinst:vmlinux:work:100: the function has 50 bytes; its last "
            "instruction is at 49 (ret)");
}

TEST_F(Kinst, OneOfSeveralFunctionsOfANameIsEnoughForAnOffset) {
  std::vector<kernel::ExaminedFunction> both{candidate(), candidate()};
  both[0].function.instructions.resize(2);
  both[0].function.size_bytes = 9;
  both[1].function.address = KernelAddress{0xffffffff81000180};
  const auto match =
      select(both, AtOffset{FunctionOffset{12}}, symbols, rules, isa::x86_64());
  EXPECT_EQ(match->probes.size(), 1U);
  EXPECT_EQ(match->skipped.size(), 1U);
}

TEST_F(Kinst, ClassesSelectByWhatInstructionsDo) {
  EXPECT_EQ(names("call"), "12");
  EXPECT_EQ(names("branch"), "17");
  EXPECT_EQ(names("jump"), "30 32 37");
  EXPECT_EQ(names("load"), "9 23");
  EXPECT_EQ(names("store"), "23");
  EXPECT_EQ(names("atomic"), "23");
  EXPECT_EQ(names("=cmpxchg*"), "23");
  EXPECT_EQ(names("=j*"), "17 30 32 37 42");
  EXPECT_EQ(names("=jx"), "there is no such instruction in 'work'; did you mean 'je'?");
  EXPECT_EQ(
      names("=fsin"),
      "there is no such instruction in 'work'; it has call, cmpxchg, endbr64, je, "
      "jmp, mov, nop, ret, ud2");
  EXPECT_EQ(names("=load"),
            "there is no such instruction in 'work'; without '=', load is a class of "
            "instructions");
}

TEST_F(Kinst, ClassWithATargetSelectsByAnyOfItsNames) {
  EXPECT_EQ(names("call@kfree"), "12");
  EXPECT_EQ(names("call@kfree_alias"), "12");
  EXPECT_EQ(names("call@k*"), "12");
  EXPECT_EQ(names("jump@work.cold"), "37");
  EXPECT_EQ(names("call@vfree"), "there is no such instruction in 'work'");
}

TEST_F(Kinst, EntryIsTheFirstTraceableInstruction) {
  EXPECT_EQ(names("entry"), "4");
}

TEST_F(Kinst, ArgumentsAreThoseOfTheCallerBeforeAnythingHasRun) {
  const auto match = selected("").value();
  for (const Probe& probe : match.probes) {
    EXPECT_EQ(std::get<KernelInstruction>(probe.site).is_entry, probe.name == "4")
        << probe.name;
  }
  kernel::ExaminedFunction part = candidate();
  part.function.has_tracer_call = false;
  part.function.landing_pad_bytes = 0;
  const auto entry =
      select(std::span(&part, 1), FunctionEntry{}, symbols, rules, isa::x86_64());
  EXPECT_FALSE(std::get<KernelInstruction>(entry->probes.at(0).site).is_entry)
      << "a part begins in the middle of a function";
}

TEST_F(Kinst, ReturnIsWhateverLeavesTheFunction) {
  EXPECT_EQ(names("return"), "32 42 49")
      << "jumps within it and to its unlikely part do not";
}

TEST_F(Kinst, FunctionThatCannotBeTracedSaysWhy) {
  kernel::ExaminedFunction refused = candidate();
  refused.refused = kernel::Refused{kernel::Refusal::Blacklisted, "no"};
  const auto every =
      select(std::span(&refused, 1), EveryInstruction{}, symbols, rules, isa::x86_64());
  EXPECT_EQ(every->why_none,
            "nothing that it means can be traced; kinst:vmlinux:work:0: no");
  EXPECT_EQ(every->skipped.size(), refused.function.instructions.size());
  const auto entry =
      select(std::span(&refused, 1), FunctionEntry{}, symbols, rules, isa::x86_64());
  EXPECT_EQ(entry.error().message, "cannot trace kinst:vmlinux:work:0: no");
}

TEST(Selector, ReadsEveryForm) {
  const auto parsed = [](std::string_view name) {
    return parse_selector(name).value();
  };
  EXPECT_EQ(parsed(""), Selector(EveryInstruction{}));
  EXPECT_EQ(parsed("*"), Selector(EveryInstruction{}));
  EXPECT_EQ(parsed("0x1F"), Selector(AtOffset{FunctionOffset{31}}));
  EXPECT_EQ(parsed("[12]?"), Selector(OffsetPattern{"[12]?"}));
  EXPECT_EQ(parsed("@456"), Selector(OfSourceLine{.file = "", .line = 456}));
  EXPECT_EQ(parsed("@fs/read_write.c:456"),
            Selector(OfSourceLine{.file = "fs/read_write.c", .line = 456}));
  EXPECT_EQ(parsed("jump@f.cold"),
            Selector(OfClass{.instruction_class = isa::InstructionClass::Jump,
                             .target_pattern = "f.cold"}));
  EXPECT_EQ(parsed("=mov"), Selector(OfMnemonic{"mov"}));
  EXPECT_EQ(parsed("entry"), Selector(FunctionEntry{}));
  EXPECT_EQ(parsed("inlined"), Selector(FunctionInlined{}));
}

TEST(Selector, OffersWhatAWrongOneMayMean) {
  EXPECT_EQ(parse_selector("cal").error().message,
            "'cal' names no instruction: did you mean 'call'?");
  EXPECT_EQ(parse_selector("ret").error().message,
            "'ret' names no instruction: did you mean 'return'?");
  EXPECT_EQ(parse_selector("begin").error().message,
            "'begin' names no instruction: did you mean 'entry'?");
  EXPECT_EQ(parse_selector("12x").error().message,
            "'12x' names no instruction: an offset, a class (call, jump, branch, load, "
            "store, atomic), entry, inlined, return, =MNEMONIC, @LINE or, in quotes, "
            "\"@FILE:LINE\" is wanted");
  EXPECT_EQ(parse_selector("@x.c:").error().message,
            "'@x.c:' is no source line: write @LINE or \"@FILE:LINE\"");
}

}  // namespace
}  // namespace kinst::provider
