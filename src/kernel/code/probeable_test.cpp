#include "kernel/code/probeable.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace kinst::kernel {
namespace {

constexpr std::string_view symbol_table =
    "ffffffff81000000 T _stext\n"
    "ffffffff81000100 T work\n"
    "ffffffff81000140 T kfree\n"
    "ffffffff81000200 T __x86_return_thunk\n"
    "ffffffff81000240 T __x86_indirect_thunk_array\n"
    "ffffffff81000240 T __x86_indirect_thunk_rax\n"
    "ffffffff81000300 T ftrace_caller\n"
    "ffffffff81000400 T _etext\n";

constexpr KernelAddress work{0xffffffff81000100};

std::vector<std::byte> bytes(std::initializer_list<unsigned> values) {
  std::vector<std::byte> out;
  for (const unsigned value : values) {
    out.push_back(static_cast<std::byte>(value));
  }
  return out;
}

// endbr64; nopl (the tracer's place); call kfree; je +3; nop (a static key); ud2; ret;
// then padding.
std::vector<std::byte> text() {
  return bytes({0xf3, 0x0f, 0x1e, 0xfa, 0x0f, 0x1f, 0x44,
                0x00, 0x00, 0xe8, 0x32, 0x00, 0x00, 0x00,  // 9
                0x74, 0x03,                                // 14
                0x66, 0x90,                                // 16
                0x90,                                      // 18
                0x0f, 0x0b,                                // 19
                0xc3,                                      // 21
                0xcc, 0xcc, 0x90, 0x90});
}

Symbols all_symbols() {
  return Symbols::parse(std::string(symbol_table)).value();
}

Function function(const std::vector<std::byte>& code) {
  const Symbols symbols = all_symbols();
  return decode_function(symbols, *symbols.find("", "work"), code, isa::x86_64());
}

ProbeRules rules() {
  ProbeRules out;
  out.sites.jump_labels = {work + FunctionOffset{16}};
  out.sites.bugs = {work + FunctionOffset{19}};
  return out;
}

std::optional<Refusal> refusal_at(const Function& where, unsigned offset,
                                  const ProbeRules& by) {
  const isa::Isa& isa = isa::x86_64();
  if (const auto refused =
          offset_refusal(where, FunctionOffset{offset}, all_symbols(), isa)) {
    return refused->refusal;
  }
  const auto refused =
      instruction_refusal(where, *where.at(FunctionOffset{offset}), by, by.sites, isa);
  return refused ? std::optional(refused->refusal) : std::nullopt;
}

TEST(FunctionText, KnowsAThunkByAnyOfItsNames) {
  const Symbols symbols = Symbols::parse(std::string(symbol_table)).value();
  // call __x86_indirect_thunk_rax
  const Function one =
      decode_function(symbols, *symbols.find("", "work"),
                      bytes({0xe8, 0x3b, 0x01, 0x00, 0x00, 0xc3}), isa::x86_64());
  EXPECT_EQ(one.instructions.front().branch.target, isa::TargetKind::Register);
  EXPECT_EQ(one.instructions.front().branch.target_register,
            isa::find_register(isa::x86_64(), "R_RAX"));
  EXPECT_EQ(
      offset_refusal(one, FunctionOffset{1}, symbols, isa::x86_64())->reason,
      "it is inside the instruction at 0 (call __x86_indirect_thunk_rax); the next "
      "one is at 5 (ret)");
}

TEST(Function, EndsBeforeItsPadding) {
  EXPECT_EQ(function(text()).size_bytes, 22U);
}

TEST(Function, KeepsANopThatControlRunsInto) {
  EXPECT_EQ(function(bytes({0x55, 0x90, 0x90})).size_bytes, 3U);
}

TEST(Function, DescribesTheTracersCallAsTheNopItReplaced) {
  // call ftrace_caller at the entry: target 0x300, from 0x105.
  const Function traced = function(bytes({0xe8, 0xfb, 0x01, 0x00, 0x00, 0xc3}));
  EXPECT_TRUE(traced.has_tracer_call);
  EXPECT_EQ(traced.instructions.front().classes, isa::ClassSet{});
  const Function calling = function(bytes({0xe8, 0x3b, 0x00, 0x00, 0x00, 0xc3}));
  EXPECT_FALSE(calling.has_tracer_call) << "it calls kfree";
  EXPECT_TRUE(calling.instructions.front().is(isa::InstructionClass::Call));
}

TEST(Function, JumpToTheReturnThunkReturns) {
  const Function one = function(bytes({0x55, 0xe9, 0xfa, 0x00, 0x00, 0x00}));
  EXPECT_TRUE(one.instructions.back().is(isa::InstructionClass::Return));
}

TEST(FunctionText, PaddingOfASectionIsNotCode) {
  const Symbols symbols = Symbols::parse(
                              "ffffffff81000100 T work\n"
                              "ffffffff81100000 T section_end\n"
                              "ffffffff81200000 T next\n")
                              .value();
  std::vector<std::byte> text(0xfff00, std::byte{0xcc});
  text[0] = std::byte{0x55};  // push %rbp
  text[1] = std::byte{0xc3};  // ret
  const auto decoded = [&](std::string_view name) {
    return decode_function(symbols, *symbols.find("", name), text, isa::x86_64());
  };
  EXPECT_EQ(decoded("work").instructions.size(), 2U);
  std::ranges::fill(text, std::byte{0xcc});
  EXPECT_LE(decoded("section_end").instructions.size(), 256U) << "a mark, not code";
}

TEST(FunctionText, CallOfCodeThatNoSymbolBeginsIsTheTracers) {
  const Symbols symbols = Symbols::parse(
                              "ffffffff81000100 T work\n"
                              "ffffffff81000200 T other\n"
                              "ffffffffc0000000 t last\t[m]\n")
                              .value();
  // call 0xffffffffc0000800, behind the module's last symbol; ret
  const Function work_function =
      decode_function(symbols, *symbols.find("", "work"),
                      bytes({0xe8, 0xfb, 0x06, 0x00, 0x3f, 0xc3}), isa::x86_64());
  EXPECT_TRUE(work_function.has_tracer_call);
}

TEST(FunctionText, CallOfThePaddingBeforeAFunctionCallsTheFunction) {
  const Symbols symbols = Symbols::parse(
                              "ffffffff81000100 T work\n"
                              "ffffffff810001f0 t __pfx_other\n"
                              "ffffffff81000200 T other\n"
                              "ffffffff81000300 A end\n")
                              .value();
  // push %rbp; call __pfx_other+0x6; ret
  const Function where =
      decode_function(symbols, *symbols.find("", "work"),
                      bytes({0x55, 0xe8, 0xf0, 0x00, 0x00, 0x00, 0xc3}), isa::x86_64());
  EXPECT_EQ(where.instructions[1].branch.address, KernelAddress{0xffffffff81000200});
  EXPECT_EQ(offset_refusal(where, FunctionOffset{2}, symbols, isa::x86_64())->reason,
            "it is inside the instruction at 1 (call other); the next one is at 6 "
            "(ret)");
}

TEST(FunctionText, JumpOutOfEveryFunctionIsTheTracers) {
  const Symbols symbols = Symbols::parse(
                              "ffffffff81000100 T work\n"
                              "ffffffff81000200 T other\n"
                              "ffffffff81000300 A end\n")
                              .value();
  // The sealed landing pad, a jump, ret.
  const auto jumping_to = [&](unsigned low, unsigned high) {
    return decode_function(symbols, *symbols.find("", "work"),
                           bytes({0x0f, 0x1f, 0x40, 0xd6, 0xe9, low, high, 0, 0, 0xc3}),
                           isa::x86_64());
  };
  const Function traced = jumping_to(0xf7, 0x06);  // to 0xffffffff81000800
  EXPECT_TRUE(traced.has_tracer_call);
  EXPECT_EQ(traced.at(FunctionOffset{4})->classes, isa::ClassSet{});
  EXPECT_FALSE(jumping_to(0xfb, 0x00).has_tracer_call) << "into other";
  EXPECT_FALSE(jumping_to(0xf7, 0x00).has_tracer_call) << "to other";
}

TEST(FunctionText, IsTracedWhereTheKernelSaysWhateverStandsThere) {
  const Symbols symbols = all_symbols();
  // Three bytes of which nothing is known; a jump, ret.
  const Function where =
      decode_function(symbols, *symbols.find("", "work"),
                      bytes({0x90, 0x66, 0x90, 0xe9, 1, 0, 0, 0, 0xc3}), isa::x86_64(),
                      FunctionOffset{3});
  EXPECT_TRUE(where.has_tracer_call);
  EXPECT_EQ(function_refusal(where, nullptr, rules()), std::nullopt);
  EXPECT_EQ(refusal_at(where, 0, {}), Refusal::LandingPad);
  EXPECT_EQ(refusal_at(where, 1, {}), Refusal::LandingPad);
  EXPECT_EQ(refusal_at(where, 3, {}), std::nullopt);
  EXPECT_EQ(where.at(FunctionOffset{3})->classes, isa::ClassSet{});
}

// push %rbp; ret; and zeros up to the end of the page, in a module or in the kernel.
Function followed_by_zeros(std::string_view module, std::uint64_t address) {
  const Symbols symbols =
      Symbols::parse(fmt::format("{:x} t last{}\n", address, module)).value();
  std::vector<std::byte> code(8192);
  code[0] = std::byte{0x55};
  code[1] = std::byte{0xc3};
  return decode_function(symbols, *symbols.find({}, "last"), code, isa::x86_64());
}

TEST(Function, IsDecodedPastItsPageWhenOddZerosFollowInAModule) {
  EXPECT_TRUE(
      followed_by_zeros("\t[m]", 0xffffffffc0000101).kernel_decodes_past_its_page);
  EXPECT_FALSE(
      followed_by_zeros("\t[m]", 0xffffffffc0000100).kernel_decodes_past_its_page);
  EXPECT_FALSE(
      followed_by_zeros("\t[m]", 0xffffffffc0000ffe).kernel_decodes_past_its_page)
      << "it ends with its page";
  EXPECT_FALSE(followed_by_zeros("", 0xffffffff81000101).kernel_decodes_past_its_page);
}

TEST(Function, OfAModuleEndsWithItsPageWhenDataFollow) {
  const Symbols symbols =
      Symbols::parse("ffffffffc0000ff0 t last\t[m]\nffffffffc0001010 b data\t[m]\n")
          .value();
  std::vector<std::byte> code = bytes({0x55, 0xc3});
  code.resize(16);
  code.resize(32, std::byte{0x50});
  const Function last =
      decode_function(symbols, *symbols.find({}, "last"), code, isa::x86_64());
  EXPECT_EQ(last.size_bytes, 2U);
}

TEST(Refusal, OfAFunctionWhoseProbesWouldCrashTheKernel) {
  Function last = followed_by_zeros("\t[m]", 0xffffffffc0000101);
  last.has_tracer_call = true;
  EXPECT_EQ(function_refusal(last, nullptr, {})->refusal, Refusal::EndOfModule);
}

TEST(Refusal, FollowsTheKernelsRules) {
  const Function where = function(text());
  const ProbeRules by = rules();
  EXPECT_EQ(refusal_at(where, 0, by), Refusal::LandingPad);
  EXPECT_EQ(refusal_at(where, 4, by), std::nullopt);
  EXPECT_EQ(refusal_at(where, 9, by), std::nullopt);
  EXPECT_EQ(refusal_at(where, 11, by), Refusal::InsideInstruction);
  EXPECT_EQ(refusal_at(where, 16, by), Refusal::JumpLabel);
  EXPECT_EQ(refusal_at(where, 18, by), std::nullopt);
  EXPECT_EQ(refusal_at(where, 19, by), Refusal::Bug);
  EXPECT_EQ(refusal_at(where, 22, by), Refusal::PastEnd);
}

TEST(Refusal, SaysWhichInstructionAnOffsetIsInsideOf) {
  const Function where = function(text());
  const Symbols symbols = all_symbols();
  EXPECT_EQ(offset_refusal(where, FunctionOffset{11}, symbols, isa::x86_64())->reason,
            "it is inside the instruction at 9 (call kfree); the next one is at 14 (je "
            "work+0x13)");
  EXPECT_EQ(offset_refusal(where, FunctionOffset{20}, symbols, isa::x86_64())->reason,
            "it is inside the instruction at 19 (ud2); the next one is at 21 (ret)");
  EXPECT_EQ(offset_refusal(where, FunctionOffset{1000}, symbols, isa::x86_64())->reason,
            "the function has 22 bytes; its last instruction is at 21 (ret)");
}

TEST(Refusal, TrapsAreRefusedWithoutATableEntryToo) {
  EXPECT_EQ(refusal_at(function(text()), 19, ProbeRules{}), Refusal::CannotStep);
}

TEST(Refusal, OfWhatATableOfWarningsNamesIsNoTrapUnlessItIs) {
  const isa::Isa& isa = isa::x86_64();
  const Function where = function(text());
  ProbeRules by = rules();
  by.sites.bugs.push_back(work + FunctionOffset{9});
  std::ranges::sort(by.sites.bugs);
  const auto reason = [&](unsigned offset) {
    return instruction_refusal(where, *where.at(FunctionOffset{offset}), by, by.sites,
                               isa)
        ->reason;
  };
  EXPECT_EQ(reason(19), "it is the trap of a WARN or BUG");
  EXPECT_EQ(reason(9), "the kernel looks up by this address which WARN or BUG it is");
}

TEST(Refusal, NothingIsTracedWhileStringsRunBackwards) {
  // std; rep movsl; cld; nop; std; ret; nop
  const Function where =
      function(bytes({0xfd, 0xf3, 0xa5, 0xfc, 0x90, 0xfd, 0xc3, 0x90}));
  EXPECT_EQ(refusal_at(where, 0, {}), std::nullopt);
  EXPECT_EQ(refusal_at(where, 1, {}), Refusal::CannotStep);
  EXPECT_EQ(refusal_at(where, 3, {}), Refusal::CannotStep);
  EXPECT_EQ(refusal_at(where, 4, {}), std::nullopt);
  EXPECT_EQ(refusal_at(where, 6, {}), Refusal::CannotStep);
}

TEST(Refusal, EverythingBehindAnUndecodableByteIsUncertain) {
  const Function where = function(bytes({0x55, 0x06, 0x55, 0xc3}));
  EXPECT_EQ(refusal_at(where, 0, {}), std::nullopt);
  EXPECT_EQ(refusal_at(where, 1, {}), Refusal::Undecodable);
  EXPECT_EQ(refusal_at(where, 2, {}), Refusal::Undecodable);
}

TEST(Refusal, OfAWholeFunction) {
  const Function where = function(text());
  EXPECT_EQ(function_refusal(where, nullptr, rules()), std::nullopt);

  ProbeRules blacklisting = rules();
  blacklisting.blacklist = {{.begin = work, .end = work + FunctionOffset{1}}};
  EXPECT_EQ(function_refusal(where, nullptr, blacklisting)->refusal,
            Refusal::Blacklisted);

  ProbeRules booting = rules();
  booting.boot_text = {.begin = work, .end = work + FunctionOffset{64}};
  EXPECT_EQ(function_refusal(where, nullptr, booting)->refusal, Refusal::BootOnly);
}

TEST(Refusal, PartOfAFunctionIsTreatedLikeTheFunction) {
  const Function cold = function(bytes({0x55, 0xc3}));
  const Function base = function(text());
  EXPECT_EQ(function_refusal(cold, nullptr, rules())->refusal, Refusal::NotTraceable);
  EXPECT_EQ(function_refusal(cold, &base, rules()), std::nullopt);
}

TEST(Blacklist, IsRangesInAddressOrder) {
  const auto ranges = parse_blacklist(
      "0xffffffff95c009b0-0xffffffff95c009d0\tasm_exc_overflow\n"
      "0xffffffff95c00990-0xffffffff95c009b0\tasm_exc_divide_error\n");
  EXPECT_EQ(
      ranges.value(),
      (std::vector<AddressRange>{
          {KernelAddress{0xffffffff95c00990}, KernelAddress{0xffffffff95c009b0}},
          {KernelAddress{0xffffffff95c009b0}, KernelAddress{0xffffffff95c009d0}}}));
  EXPECT_EQ(parse_blacklist("hello\n").error().message,
            "cannot understand the kprobe blacklist: 'hello'");
  EXPECT_TRUE(parse_blacklist("").value().empty());
}

}  // namespace
}  // namespace kinst::kernel
