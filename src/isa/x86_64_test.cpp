#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "isa/formulas_for_tests.h"
#include "isa/instruction_class.h"
#include "isa/isa.h"

namespace kinst::isa {
namespace {

using testing::is_taken;

constexpr KernelAddress function{0xffffffff81000000};

std::vector<std::byte> bytes(std::string_view hex) {
  std::vector<std::byte> out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 3) {
    out.push_back(
        static_cast<std::byte>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return out;
}

std::vector<Instruction> decode(std::string_view hex) {
  return x86_64().decode(bytes(hex), function);
}

std::string name(RegisterId id) {
  return std::string(x86_64().registers[static_cast<std::size_t>(id)].name);
}

std::string classes(const Instruction& one) {
  std::string out;
  for (const InstructionClassInfo& row : rows_of(one.classes)) {
    out += fmt::format("{}{}", out.empty() ? "" : " ", row.name);
  }
  return out;
}

// "rw8 [rdi+rsi*4-0x8]" and what is unusual about it.
std::string memory(const MemoryOperand& operand) {
  std::string out = fmt::format("{}{}{} [", operand.read ? "r" : "",
                                operand.write ? "w" : "", operand.size_bytes);
  out += operand.base == RegisterId::None ? "" : name(operand.base);
  out +=
      operand.index == RegisterId::None
          ? ""
          : fmt::format(
                "+{}{}*{}", name(operand.index),
                operand.index_bytes == 8 ? "" : fmt::format(":{}", operand.index_bytes),
                operand.scale);
  out += operand.displacement == 0 ? "" : fmt::format("{:+#x}", operand.displacement);
  out += "]";
  out += operand.space == AddressSpace::PerCpu ? " percpu" : "";
  out += operand.space == AddressSpace::UserThread ? " user-thread" : "";
  out += operand.address_bytes == 8 ? ""
                                    : fmt::format(" address{}", operand.address_bytes);
  out += operand.implicit_stack ? " stack" : "";
  out += operand.repeat_count == RegisterId::None
             ? ""
             : fmt::format(" times {}", name(operand.repeat_count));
  out += operand.bit_index == RegisterId::None
             ? ""
             : fmt::format(" bit {}", name(operand.bit_index));
  return out;
}

std::string target(const Branch& branch) {
  switch (branch.target) {
    case TargetKind::None:
      return "";
    case TargetKind::Direct:
      return fmt::format("+{:#x}", number(branch.address - function));
    case TargetKind::Register:
      return name(branch.target_register);
    case TargetKind::Memory:
      return "memory";
  }
  return "?";
}

// Everything that the description says, except the condition.
std::string described(std::string_view hex) {
  const std::vector<Instruction> all = decode(hex);
  const Instruction& one = all.front();
  std::string out =
      fmt::format("{}: {}", x86_64().text(one, Syntax::Att, {}), classes(one));
  for (const MemoryOperand& operand : one.memory) {
    out += fmt::format("; {}", memory(operand));
  }
  out += one.branch.target == TargetKind::None
             ? ""
             : fmt::format("; to {}", target(one.branch));
  return all.size() == 1 ? out : out + " and more";
}

struct Case {
  std::string_view hex;
  std::string_view description;
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.hex;
}

class X86Describes : public ::testing::TestWithParam<Case> {};

TEST_P(X86Describes, TextClassesMemoryAndTarget) {
  EXPECT_EQ(described(GetParam().hex), GetParam().description);
}

constexpr auto addressing = std::to_array<Case>({
    {"d7", "xlat: load; r1 [rbx+rax:1*1]"},
    {"48 8b 47 10", "mov 0x10(%rdi),%rax: load; r8 [rdi+0x10]"},
    {"48 89 44 b7 f8", "mov %rax,-0x8(%rdi,%rsi,4): store; w8 [rdi+rsi*4-0x8]"},
    {"48 8b 04 c5 00 10 00 82",
     "mov -0x7dfff000(,%rax,8),%rax: load; r8 [+rax*8-0x7dfff000]"},
    {"48 8b 05 01 00 00 00",
     "mov 0xffffffff81000008(%rip),%rax: load; r8 [-0x7efffff8]"},
    {"65 48 8b 05 01 00 00 00",
     "mov %gs:0xffffffff81000009(%rip),%rax: load; r8 [-0x7efffff7] percpu"},
    {"65 48 8b 04 25 40 ad 01 00", "mov %gs:0x1ad40,%rax: load; r8 [+0x1ad40] percpu"},
    {"64 8b 07", "mov %fs:(%rdi),%eax: load; r4 [rdi] user-thread"},
    {"67 8b 03", "mov (%ebx),%eax: load; r4 [rbx] address4"},
    {"43 0f b6 0c 28", "movzbl (%r8,%r13,1),%ecx: load; r1 [r8+r13*1]"},
    {"48 63 07", "movslq (%rdi),%rax: load; r4 [rdi]"},
    {"c6 07 01", "movb $0x1,(%rdi): store; w1 [rdi]"},
    {"83 6f 04 01", "subl $0x1,0x4(%rdi): load store; rw4 [rdi+0x4]"},
    {"48 d3 27", "shlq %cl,(%rdi): load store; rw8 [rdi]"},
    {"48 3b 07", "cmp (%rdi),%rax: load; r8 [rdi]"},
    {"80 3f 00", "cmpb $0x0,(%rdi): load; r1 [rdi]"},
    {"0f 94 07", "sete (%rdi): store; w1 [rdi]"},
    {"48 0f 45 07", "cmovne (%rdi),%rax: load; r8 [rdi]"},
    {"0f 11 07", "movups %xmm0,(%rdi): store; w16 [rdi]"},
});
INSTANTIATE_TEST_SUITE_P(Addressing, X86Describes, ::testing::ValuesIn(addressing));

constexpr auto not_memory = std::to_array<Case>({
    {"48 8d 04 18", "lea (%rax,%rbx,1),%rax: "},
    {"0f 1f 44 00 00", "nopl (%rax,%rax,1): "},
    {"66 0f 1f 00", "nopw (%rax): "},
    {"66 90", "nop: "},
    {"f3 0f 1e fa", "endbr64: "},
    {"89 d8", "mov %ebx,%eax: "},
    {"48 98", "cltq: "},
    {"0f 18 07", "prefetchnta (%rdi): ; 1 [rdi]"},
    {"0f ae 3f", "clflush (%rdi): ; 64 [rdi]"},
});
INSTANTIATE_TEST_SUITE_P(NotMemory, X86Describes, ::testing::ValuesIn(not_memory));

constexpr auto atomic = std::to_array<Case>({
    {"f0 ff 07", "lock incl (%rdi): load store atomic; rw4 [rdi]"},
    {"48 87 07", "xchg %rax,(%rdi): load store atomic; rw8 [rdi]"},
    {"48 87 c3", "xchg %rax,%rbx: "},
    {"f0 48 0f b1 0f", "lock cmpxchg %rcx,(%rdi): load store atomic; rw8 [rdi]"},
    {"f0 48 0f ab 37", "lock bts %rsi,(%rdi): load store atomic; rw8 [rdi] bit rsi"},
    {"48 0f a3 37", "bt %rsi,(%rdi): load; r8 [rdi] bit rsi"},
    {"f0 80 4f 01 04", "lock orb $0x4,0x1(%rdi): load store atomic; rw1 [rdi+0x1]"},
    {"0f ba 2f 03", "btsl $0x3,(%rdi): load store; rw4 [rdi]"},
});
INSTANTIATE_TEST_SUITE_P(Atomic, X86Describes, ::testing::ValuesIn(atomic));

constexpr auto strings = std::to_array<Case>({
    {"f3 48 a5", "rep movsq: load store; w8 [rdi] times rcx; r8 [rsi] times rcx"},
    {"f3 aa", "rep stosb: store; w1 [rdi] times rcx"},
    {"a4", "movsb: load store; w1 [rdi]; r1 [rsi]"},
    {"f3 a6", "repe cmpsb: load; r1 [rsi] times rcx; r1 [rdi] times rcx"},
    {"f2 ae", "repne scasb: load; r1 [rdi] times rcx"},
    {"f3 ab", "rep stosl: store; w4 [rdi] times rcx"},
    {"ac", "lodsb: load; r1 [rsi]"},
});
INSTANTIATE_TEST_SUITE_P(Strings, X86Describes, ::testing::ValuesIn(strings));

constexpr auto stack = std::to_array<Case>({
    {"55", "push %rbp: ; w8 [rsp-0x8] stack"},
    {"5d", "pop %rbp: ; r8 [rsp] stack"},
    {"ff 70 08", "pushq 0x8(%rax): load; r8 [rax+0x8]; w8 [rsp-0x8] stack"},
    {"8f 44 24 08", "popq 0x8(%rsp): store; w8 [rsp+0x10]; r8 [rsp] stack"},
    {"9c", "pushfq: ; w8 [rsp-0x8] stack"},
    {"9d", "popfq: ; r8 [rsp] stack"},
    {"c9", "leave: ; r8 [rbp] stack"},
    {"68 00 10 00 00", "push $0x1000: ; w8 [rsp-0x8] stack"},
});
INSTANTIATE_TEST_SUITE_P(Stack, X86Describes, ::testing::ValuesIn(stack));

constexpr auto control = std::to_array<Case>({
    {"e8 0b 00 00 00", "call 0xffffffff81000010: call; w8 [rsp-0x8] stack; to +0x10"},
    {"ff d0", "call *%rax: call; w8 [rsp-0x8] stack; to rax"},
    {"41 ff 53 10",
     "call *0x10(%r11): call load; r8 [r11+0x10]; w8 [rsp-0x8] stack; to memory"},
    {"eb fe", "jmp 0xffffffff81000000: jump; to +0x0"},
    {"41 ff e4", "jmp *%r12: jump; to r12"},
    {"ff 24 c5 00 00 00 82",
     "jmp *-0x7e000000(,%rax,8): jump load; r8 [+rax*8-0x7e000000]; to memory"},
    {"c3", "ret: return; r8 [rsp] stack; to memory"},
    {"0f 84 fa 00 00 00", "je 0xffffffff81000100: branch; to +0x100"},
    {"e2 0e", "loop 0xffffffff81000010: branch; to +0x10"},
    {"67 e3 0d", "jecxz 0xffffffff81000010: branch; to +0x10"},
    {"0f 0b", "ud2: "},
});
INSTANTIATE_TEST_SUITE_P(Control, X86Describes, ::testing::ValuesIn(control));

TEST(X86Text, IsIntelOnRequest) {
  const std::vector<Instruction> all = decode("83 6f 04 01 75 0a ff d0");
  std::vector<std::string> texts;
  texts.reserve(all.size());
  for (const Instruction& one : all) {
    texts.push_back(x86_64().text(one, Syntax::Intel, {}));
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"sub dword ptr [rdi+0x4],0x1",
                                             "jne 0xffffffff81000010", "call rax"}));
}

TEST(X86Text, NamesTargetsAndRipRelativeOperands) {
  const Symbolize symbolize = [](KernelAddress address) {
    return address == KernelAddress{0xffffffff81000010} ? "kfree" : "";
  };
  const auto att = [&](std::string_view hex) {
    return x86_64().text(decode(hex).front(), Syntax::Att, symbolize);
  };
  EXPECT_EQ(att("e8 0b 00 00 00"), "call kfree");
  EXPECT_EQ(att("48 8b 05 09 00 00 00"), "mov kfree(%rip),%rax");
}

TEST(X86Text, MnemonicHasNoPrefixAndNoSuffix) {
  const auto mnemonic = [](std::string_view hex) {
    return x86_64().mnemonic(decode(hex).front());
  };
  EXPECT_EQ(mnemonic("f0 0f b1 17"), "cmpxchg");
  EXPECT_EQ(mnemonic("0f b6 06"), "movzx");
  EXPECT_EQ(mnemonic("75 00"), "jne");
  EXPECT_EQ(mnemonic("06"), "(bad)");
}

// Intel's manual, vol. 1, appendix B.1: what each condition code means.
bool by_the_manual(unsigned code, std::uint64_t flags) {
  const bool cf = (flags & 0x1U) != 0;
  const bool pf = (flags & 0x4U) != 0;
  const bool zf = (flags & 0x40U) != 0;
  const bool sf = (flags & 0x80U) != 0;
  const bool of = (flags & 0x800U) != 0;
  const std::array<bool, 8> even = {of, cf, zf,       cf || zf,
                                    sf, pf, sf != of, zf || sf != of};
  return even.at(code / 2) != (code % 2 == 1);
}

TEST(X86Condition, FollowsTheManualForEveryCodeAndEveryFlagCombination) {
  for (unsigned code = 0; code < 16; ++code) {
    const auto one = decode(fmt::format("{:x} 00", 0x70 + code)).front();
    for (unsigned mask = 0; mask < 32; ++mask) {
      const std::uint64_t flags = 0x202U | (mask & 1U) | (mask & 2U) << 1U |
                                  (mask & 4U) << 4U | (mask & 8U) << 4U |
                                  (mask & 16U) << 7U;
      EXPECT_EQ(is_taken(one.branch.condition, flags, 0), by_the_manual(code, flags))
          << "condition code " << code << ", flags " << flags;
    }
  }
}

TEST(X86Condition, CountsTheRegisterDownBeforeItTests) {
  const Condition loop = decode("e2 00").front().branch.condition;
  const Condition loope = decode("e1 00").front().branch.condition;
  const Condition loopne = decode("e0 00").front().branch.condition;
  constexpr std::uint64_t zero_flag = 0x40;
  EXPECT_TRUE(is_taken(loop, 0, 2));
  EXPECT_FALSE(is_taken(loop, 0, 1));
  EXPECT_TRUE(is_taken(loop, 0, 0)) << "0 counts down to the largest number";
  EXPECT_TRUE(is_taken(loope, zero_flag, 2));
  EXPECT_FALSE(is_taken(loope, 0, 2));
  EXPECT_TRUE(is_taken(loopne, 0, 2));
  EXPECT_FALSE(is_taken(loopne, zero_flag, 2));
}

TEST(X86Condition, LooksAtAsMuchOfTheCounterAsTheAddressSizeSays) {
  const Condition whole = decode("e3 00").front().branch.condition;
  const Condition half = decode("67 e3 00").front().branch.condition;
  EXPECT_FALSE(is_taken(whole, 0, 0x100000000));
  EXPECT_TRUE(is_taken(half, 0, 0x100000000));
}

TEST(X86Decode, KeepsGoingBehindAnUndecodableByte) {
  const std::vector<Instruction> all = decode("55 06 90 c3");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1].decoding, Decoding::Undecodable);
  EXPECT_TRUE(all[1].boundary_certain);
  EXPECT_EQ(all[2].decoding, Decoding::Good);
  EXPECT_FALSE(all[2].boundary_certain);
  EXPECT_TRUE(all[3].is(InstructionClass::Return));
}

TEST(X86Decode, TellsABreakpointFromAnInstruction) {
  EXPECT_EQ(decode("cc 90").front().decoding, Decoding::Breakpoint);
}

TEST(X86Decode, LengthsSumToTheTextEvenWhenItIsCutShort) {
  const std::vector<Instruction> all = decode("48 8b 47 10 48 8b");
  std::size_t sum = 0;
  for (const Instruction& one : all) {
    EXPECT_EQ(number(one.offset), sum);
    sum += one.length;
  }
  EXPECT_EQ(sum, 6U);
}

TEST(X86Registers, AreNumberedAsOraclesDTraceDoesAndFoundByName) {
  const Isa& isa = x86_64();
  EXPECT_EQ(find_register(isa, "R_RSI"), RegisterId{13});
  EXPECT_EQ(find_register(isa, "R_EFL"), isa.flags);
  EXPECT_EQ(find_register(isa, "R_NONE"), std::nullopt);
  EXPECT_EQ(isa.registers[13].pt_regs_offset, 104);
  EXPECT_EQ(isa.registers[24].task_member, "thread.gsbase");
}

TEST(X86Thunk, CallThroughAnIndirectThunkIsACallThroughItsRegister) {
  Instruction one = decode("e8 0b 00 00 00").front();
  ASSERT_TRUE(x86_64().resolve_thunk(one, "__x86_indirect_thunk_r11"));
  EXPECT_TRUE(one.is(InstructionClass::Call));
  EXPECT_EQ(target(one.branch), "r11");
}

TEST(X86Thunk, JumpToTheReturnThunkIsAReturn) {
  Instruction one = decode("e9 0b 00 00 00").front();
  ASSERT_TRUE(x86_64().resolve_thunk(one, "__x86_return_thunk"));
  EXPECT_EQ(one.classes, decode("c3").front().classes);
  EXPECT_EQ(one.branch, decode("c3").front().branch);
  EXPECT_EQ(one.memory, decode("c3").front().memory);
}

TEST(X86Thunk, OtherTargetsStayAsTheyAre) {
  Instruction one = decode("e8 0b 00 00 00").front();
  const Instruction before = one;
  EXPECT_FALSE(x86_64().resolve_thunk(one, "__x86_indirect_thunk_array"));
  EXPECT_FALSE(x86_64().resolve_thunk(one, "kfree"));
  EXPECT_EQ(one, before);
}

TEST(X86LandingPad, IsTheEndbrOrTheNopThatSealsIt) {
  const auto length = [](std::string_view hex) {
    return x86_64().landing_pad_bytes(bytes(hex));
  };
  EXPECT_EQ(length("f3 0f 1e fa 55"), 4U);
  EXPECT_EQ(length("f3 0f 1e fb 55"), 4U);
  EXPECT_EQ(length("66 0f 1f 00 55"), 4U);
  EXPECT_EQ(length("0f 1f 40 d6 55"), 4U);
  EXPECT_EQ(length("0f 1f 44 00 00"), 0U);
  EXPECT_EQ(length("f3 0f"), 0U);
}

TEST(X86TracerCall, IsTheFirstInstructionBehindTheLandingPad) {
  const auto place = [](std::string_view hex) {
    return x86_64().tracer_call(bytes(hex));
  };
  EXPECT_EQ(place("0f 1f 44 00 00 55"), FunctionOffset{0});
  EXPECT_EQ(place("e8 11 22 33 44 55"), FunctionOffset{0});
  EXPECT_EQ(place("0f 1f 40 d6 e9 11 22 33 44"), FunctionOffset{4});
  EXPECT_EQ(place("f3 0f 1e fa 0f 1f 44 00 00"), FunctionOffset{4});
  EXPECT_EQ(place("55 0f 1f 44 00 00"), std::nullopt);
  EXPECT_EQ(place("0f 1f 44 00"), std::nullopt);
}

TEST(X86Filler, IsNopsBreakpointsAndZeros) {
  for (const std::string_view hex : {"90", "66 90", "0f 1f 44 00 00", "cc", "00 00"}) {
    EXPECT_TRUE(x86_64().is_filler(decode(hex).front())) << hex;
  }
  for (const std::string_view hex : {"c3", "00 01", "55", "06"}) {
    EXPECT_FALSE(x86_64().is_filler(decode(hex).front())) << hex;
  }
}

bool unprobeable(std::string_view hex, std::size_t index = 0) {
  return !x86_64().unprobeable_reason(decode(hex), index).empty();
}

TEST(X86Kprobes, RefusesWhatTheKernelCannotStepOrEmulate) {
  for (const std::string_view hex :
       {"ff 50 10", "ff 24 c5 00 00 00 82", "ff 28", "0f 0b", "cc", "cd 80", "48 cf",
        "8e d0", "0f 01 c1", "f4", "0f 01 c9", "e2 05", "c2 08 00", "48 cb"}) {
    EXPECT_TRUE(unprobeable(hex)) << hex;
  }
}

TEST(X86Kprobes, RefusesCallsThatAreNotFiveBytesLong) {
  EXPECT_TRUE(unprobeable("2e e8 00 00 00 00"));
  EXPECT_TRUE(unprobeable("67 e8 00 00 00 00"));
  // Of jumps the kernel looks at the length.
  EXPECT_FALSE(unprobeable("2e e9 00 00 00 00"));
  EXPECT_FALSE(unprobeable("2e 74 00"));
}

TEST(X86Kprobes, RefusesAvxWhoseOpcodeIsThatOfAJump) {
  // vmovdqa %ymm0,(%rdi); vpsraw; vpor; vpsubd; vzeroupper; vpcmpeqb by EVEX.
  for (const std::string_view hex : {"c5 fd 7f 07", "c5 fd e1 c1", "c5 fd eb c1",
                                     "c5 fd fa c1", "c5 f8 77", "62 f1 7d 48 74 c9"}) {
    EXPECT_TRUE(unprobeable(hex)) << hex;
  }
  // vmovdqa (%rdi),%ymm0; vpxor; two of the same opcodes without AVX.
  for (const std::string_view hex :
       {"c5 fd 6f 07", "c5 fd ef c1", "66 0f 7f 07", "66 0f eb c1"}) {
    EXPECT_FALSE(unprobeable(hex)) << hex;
  }
}

TEST(X86Kprobes, RefusesEverythingWhileStringsRunBackwards) {
  // std; rep movsl; cld; nop
  constexpr std::string_view copy = "fd f3 a5 fc 90";
  EXPECT_FALSE(unprobeable(copy, 0));
  EXPECT_TRUE(unprobeable(copy, 1));
  EXPECT_TRUE(unprobeable(copy, 2));
  EXPECT_FALSE(unprobeable(copy, 3));
  // std; ret; nop, and std; call; nop
  EXPECT_FALSE(unprobeable("fd c3 90", 2));
  EXPECT_FALSE(unprobeable("fd e8 00 00 00 00 90", 2));
}

TEST(X86Trap, IsWhatBugAndHaltAre) {
  for (const std::string_view hex : {"0f 0b", "0f b9 c0", "cc", "cd 03", "f4"}) {
    EXPECT_TRUE(x86_64().is_trap(decode(hex).front())) << hex;
  }
  for (const std::string_view hex : {"90", "c3", "48 cf", "e2 05", "06"}) {
    EXPECT_FALSE(x86_64().is_trap(decode(hex).front())) << hex;
  }
}

TEST(X86Moved, IsAnAddressThatTheKernelsPlaceHasChanged) {
  constexpr std::uint64_t distance = 0x1000000;
  const auto is_moved = [](std::string_view live, std::string_view disk) {
    return x86_64().is_moved(bytes(live), bytes(disk), distance);
  };
  // mov $0x82001000,%rdi; movabs; a call of a place that did not move
  EXPECT_TRUE(is_moved("48 c7 c7 00 10 00 83", "48 c7 c7 00 10 00 82"));
  EXPECT_TRUE(
      is_moved("48 bf 00 10 00 83 ff ff ff ff", "48 bf 00 10 00 82 ff ff ff ff"));
  EXPECT_TRUE(is_moved("e8 00 00 00 01", "e8 00 00 00 02"));
  EXPECT_FALSE(is_moved("48 c7 c7 00 10 00 84", "48 c7 c7 00 10 00 82"));
  EXPECT_FALSE(is_moved("48 c7 c6 00 10 00 83", "48 c7 c7 00 10 00 82"));
  EXPECT_FALSE(is_moved("90 90", "66 90"));
}

TEST(X86Kprobes, AcceptsWhatTheKernelStepsOrEmulates) {
  for (const std::string_view hex :
       {"55", "c3", "e8 00 00 00 00", "ff d0", "ff e0", "74 00", "e3 00", "fa", "fb",
        "9c", "9d", "0f 01 ca", "f3 48 a5", "48 8b 05 01 00 00 00", "ff 07"}) {
    EXPECT_FALSE(unprobeable(hex)) << hex;
  }
}

}  // namespace
}  // namespace kinst::isa
