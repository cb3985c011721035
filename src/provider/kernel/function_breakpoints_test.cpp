#include "provider/kernel/function_breakpoints.h"

#include <gtest/gtest.h>

namespace kinst::provider {
namespace {

constexpr std::string_view symbol_table =
    "ffffffff81000000 T _stext\n"
    "ffffffff81000100 T work_alias\n"
    "ffffffff81000100 T work\n"
    "ffffffff81000180 T other\n"
    "ffffffff81000300 t work.cold\n"
    "ffffffff81000400 T _etext\n";

constexpr KernelAddress work{0xffffffff81000100};

using Bytes = std::vector<unsigned>;

class Breakpoints : public testing::Test {
 protected:
  kernel::ExaminedFunction part(std::string_view name, const Bytes& bytes) const {
    std::vector<std::byte> text;
    for (const unsigned value : bytes) {
      text.push_back(static_cast<std::byte>(value));
    }
    return {.function = kernel::decode_function(symbols, *symbols.find("", name), text,
                                                isa::x86_64()),
            .sites = sites};
  }

  // Behind the tracer's place; the code begins at offset 5.
  FunctionBreakpoints found(const Bytes& code, const Bytes& cold = {}) const {
    Bytes all{0x0f, 0x1f, 0x44, 0x00, 0x00};
    all.insert(all.end(), code.begin(), code.end());
    std::vector<kernel::ExaminedFunction> parts{part("work", all)};
    if (!cold.empty()) {
      parts.push_back(part("work.cold", cold));
    }
    return find_breakpoints(parts, symbols, rules, isa::x86_64());
  }

  kernel::Symbols symbols = kernel::Symbols::parse(std::string(symbol_table)).value();
  kernel::ProbeRules rules;
  kernel::PatchedSites sites;
};

constexpr KernelAddress at(std::uint64_t offset) {
  return work + FunctionOffset{offset};
}

TEST_F(Breakpoints, AreBehindTheTracersCallAndAtEachReturn) {
  EXPECT_EQ(found({0x85, 0xff,  // 5  test %edi,%edi
                   0x74, 0x01,  // 7  je 10
                   0xc3,        // 9  ret
                   0x31, 0xc0,  // 10 xor %eax,%eax
                   0xc3}),      // 12 ret
            (FunctionBreakpoints{.entry = at(5),
                                 .returns = {{.address = at(9)}, {.address = at(12)}},
                                 .why_no_returns = {}}));
}

TEST_F(Breakpoints, TellTailCallsWhichHaveNoResult) {
  const FunctionBreakpoints tail = found({0x85, 0xff,                    // 5
                                          0x74, 0x05,                    // 7  je 14
                                          0xe9, 0x72, 0x00, 0x00, 0x00,  // 9  other
                                          0xc3});                        // 14 ret
  EXPECT_EQ(tail.returns,
            (std::vector<FunctionBreakpoint>{{.address = at(9), .has_result = false},
                                             {.address = at(14)}}));
  EXPECT_FALSE(tail.have_results());
}

TEST_F(Breakpoints, AJumpToItsOwnBeginningIsATailCall) {
  EXPECT_EQ(found({0x85, 0xff,  // 5
                   0x74, 0x02,  // 7  je 11
                   0xeb, 0xf5,  // 9  jmp 0
                   0xc3})       // 11
                .returns,
            (std::vector<FunctionBreakpoint>{{.address = at(9), .has_result = false},
                                             {.address = at(11)}}));
}

TEST_F(Breakpoints, AnInstructionThatALoopGoesBackToIsNoEntry) {
  EXPECT_EQ(found({0xff, 0xcf,  // 5  dec %edi
                   0x75, 0xfc,  // 7  jne 5
                   0xc3}),      // 9  ret
            (FunctionBreakpoints{.entry = std::nullopt,
                                 .returns = {{.address = at(9)}},
                                 .why_no_returns = {}}));
}

TEST_F(Breakpoints, AnInstructionThatReturnsIsNoEntry) {
  EXPECT_EQ(found({0xc3}), (FunctionBreakpoints{.entry = std::nullopt,
                                                .returns = {{.address = at(5)}},
                                                .why_no_returns = {}}));
}

TEST_F(Breakpoints, WhatTheCompilerSplitOffReturnsToo) {
  const FunctionBreakpoints split =
      found({0x85, 0xff,                          // 5  test %edi,%edi
             0x0f, 0x84, 0xf3, 0x01, 0x00, 0x00,  // 7  je work.cold
             0xc3},                               // 13
            {0x85, 0xff,                          // test %edi,%edi
             0x74, 0x01,                          // je 5
             0xc3,                                // ret
             0xe9, 0xff, 0xfd, 0xff, 0xff});      // jmp work+9
  EXPECT_EQ(split.returns, (std::vector<FunctionBreakpoint>{{.address = at(13)},
                                                            {.address = at(0x204)}}));
}

TEST_F(Breakpoints, AConditionalJumpElsewhereCannotBeTold) {
  const FunctionBreakpoints jumps = found({0x85, 0xff,                          // 5
                                           0x0f, 0x84, 0x73, 0x00, 0x00, 0x00,  // 7
                                           0xc3});
  EXPECT_TRUE(jumps.returns.empty());
  EXPECT_EQ(jumps.why_no_returns, "it leaves by a conditional jump, at work+7");
}

TEST_F(Breakpoints, AReturnThatTheKernelPatchesCannotBeTold) {
  sites.static_calls = {at(5)};
  EXPECT_EQ(found({0xe9, 0x76, 0x00, 0x00, 0x00}).why_no_returns,
            "it returns at work+5, where the kernel allows no probe: the kernel "
            "switches the target of this call (static call)");
}

TEST_F(Breakpoints, AFunctionThatNeverReturnsHasNone) {
  EXPECT_EQ(found({0xeb, 0xfe}).why_no_returns, "it never returns");
}

}  // namespace
}  // namespace kinst::provider
