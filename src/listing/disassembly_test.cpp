#include "listing/disassembly.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace kinst::listing {
namespace {

constexpr std::string_view symbol_table =
    "ffffffff81000000 T _stext\n"
    "ffffffff81000100 T work\n"
    "ffffffff81000140 T kfree\n"
    "ffffffff81000300 t work.cold\n"
    "ffffffff81000400 T _etext\n";

kernel::ExaminedFunction work(const kernel::Symbols& symbols) {
  std::vector<std::byte> text;
  for (const unsigned value : {
           0x48, 0x8b, 0x47, 0x10,              // 0   mov 0x10(%rdi),%rax
           0xe8, 0x37, 0x00, 0x00, 0x00,        // 4   call kfree
           0x0f, 0x84, 0xf5, 0x01, 0x00, 0x00,  // 9   je work.cold+4
           0x74, 0x02,                          // 15  je 19
           0x0f, 0x0b,                          // 17  ud2
           0xc3,                                // 19  ret
       }) {
    text.push_back(static_cast<std::byte>(value));
  }
  return {.function = kernel::decode_function(symbols, *symbols.find("", "work"), text,
                                              isa::x86_64())};
}

class Listing : public testing::Test {
 protected:
  Disassembly listed(isa::Syntax syntax = isa::Syntax::Att) const {
    return disassemble(work(symbols), symbols, {}, isa::x86_64(), syntax);
  }

  kernel::Symbols symbols = kernel::Symbols::parse(std::string(symbol_table)).value();
};

TEST_F(Listing, ShowsOffsetsBytesTextClassesAndReasons) {
  const Disassembly disassembly = listed();
  EXPECT_EQ(
      to_text(std::span(&disassembly, 1), Colour::No),
      "vmlinux:work at 0xffffffff81000100: 20 bytes, 6 instructions, 5 can be traced\n"
      "     0    +0x0  48 8b 47 10                    mov 0x10(%rdi),%rax              "
      "            load\n"
      "     4    +0x4  e8 37 00 00 00                 call kfree                       "
      "            call\n"
      "     9    +0x9  0f 84 f5 01 00 00              je work.cold+0x4                 "
      "            branch\n"
      "    15    +0xf  74 02                          je +0x13                         "
      "            branch\n"
      "    17   +0x11  0f 0b                          ud2                              "
      "            cannot be traced: it does nothing but raise an exception\n"
      "    19   +0x13  c3                             ret                              "
      "            return\n");
}

TEST_F(Listing, NamesAThunkByItsRegister) {
  const auto with_thunks = kernel::Symbols::parse(
                               "ffffffff81000000 T _stext\n"
                               "ffffffff81000100 T work\n"
                               "ffffffff81000140 T __x86_indirect_thunk_array\n"
                               "ffffffff81000140 T __x86_indirect_thunk_rax\n"
                               "ffffffff81000400 T _etext\n")
                               .value();
  const Disassembly disassembly =
      disassemble(work(with_thunks), with_thunks, {}, isa::x86_64(), isa::Syntax::Att);
  EXPECT_EQ(disassembly.rows[1].text, "call __x86_indirect_thunk_rax");
}

TEST_F(Listing, SaysOnceWhyNothingCanBeTraced) {
  kernel::ExaminedFunction refused = work(symbols);
  refused.refused = kernel::Refused{kernel::Refusal::Blacklisted, "no"};
  const Disassembly disassembly =
      disassemble(refused, symbols, {}, isa::x86_64(), isa::Syntax::Att);
  const std::string text = to_text(std::span(&disassembly, 1), Colour::No);
  EXPECT_EQ(text.substr(0, text.find("     0")),
            "vmlinux:work at 0xffffffff81000100: 20 bytes, 6 instructions, 0 can be "
            "traced\n"
            "  nothing here can be traced: no\n");
  EXPECT_EQ(disassembly.rows[4].refused, "");
}

TEST_F(Listing, IsIntelOnRequest) {
  EXPECT_EQ(listed(isa::Syntax::Intel).rows[0].text, "mov rax,[rdi+0x10]");
}

TEST_F(Listing, ColoursWhatMovesControlAndDimsWhatCannotBeTraced) {
  const Disassembly disassembly = listed();
  const std::string text = to_text(std::span(&disassembly, 1), Colour::Yes);
  EXPECT_NE(text.find("\x1b[36m     4 "), std::string::npos);
  EXPECT_NE(text.find("\x1b[2m    17 "), std::string::npos);
}

TEST_F(Listing, TellsWhatTheImageHasWhereMemoryDiffers) {
  const kernel::ExaminedFunction examined = work(symbols);
  Disassembly disassembly = listed();
  std::vector<std::byte> on_disk;
  for (const isa::Instruction& instruction : examined.function.instructions) {
    std::ranges::copy(instruction.encoding(), std::back_inserter(on_disk));
  }
  on_disk[4] = std::byte{0xe9};   // jmp kfree
  on_disk[15] = std::byte{0x66};  // nop
  on_disk[16] = std::byte{0x90};
  const isa::Symbolize symbolize = [&](KernelAddress address) {
    return kernel::symbol_text(symbols, address);
  };
  note_differences(disassembly, examined.function, {.bytes = on_disk},
                   {.isa = isa::x86_64(), .symbolize = symbolize});
  std::vector<std::string> found;
  for (const Row& row : disassembly.rows) {
    found.push_back(row.on_disk);
  }
  EXPECT_EQ(found, (std::vector<std::string>{"", "jmp kfree", "", "nop", "", ""}));
  const std::string text = to_text(std::span(&disassembly, 1), Colour::No);
  EXPECT_NE(text.find("5 can be traced, 2 differ on disk\n"), std::string::npos);
  EXPECT_NE(text.find("call; on disk: jmp kfree\n"), std::string::npos);
}

TEST_F(Listing, TellsOnceOfALongInstructionThatSeveralReplaced) {
  std::vector<std::byte> live;
  for (const unsigned value : {0xc3, 0x90, 0x90, 0x90, 0x90, 0xc3}) {
    live.push_back(static_cast<std::byte>(value));
  }
  std::vector<std::byte> on_disk = live;
  on_disk[0] = std::byte{0xe9};  // jmp over the four bytes
  const kernel::ExaminedFunction examined = {
      .function = kernel::decode_function(symbols, *symbols.find("", "work"), live,
                                          isa::x86_64())};
  Disassembly disassembly =
      disassemble(examined, symbols, {}, isa::x86_64(), isa::Syntax::Att);
  on_disk[1] = std::byte{0x3b};
  note_differences(disassembly, examined.function, {.bytes = on_disk},
                   {.isa = isa::x86_64(),
                    .symbolize = [](KernelAddress) { return std::string("there"); }});
  EXPECT_EQ(disassembly.rows[0].on_disk, "jmp there");
  EXPECT_EQ(disassembly.rows[1].on_disk, "");
}

TEST_F(Listing, TakesAnAddressThatMovedWithTheKernelForTheSame) {
  std::vector<std::byte> live;
  for (const unsigned value : {0x48, 0xc7, 0xc7, 0x10, 0x00, 0x00, 0x92, 0xc3}) {
    live.push_back(static_cast<std::byte>(value));  // mov $0xffffffff92000010,%rdi
  }
  std::vector<std::byte> on_disk = live;
  on_disk[6] = std::byte{0x81};
  const kernel::ExaminedFunction examined = {
      .function = kernel::decode_function(symbols, *symbols.find("", "work"), live,
                                          isa::x86_64())};
  Disassembly moved =
      disassemble(examined, symbols, {}, isa::x86_64(), isa::Syntax::Att);
  Disassembly unmoved = moved;
  const Notation notation{.isa = isa::x86_64()};
  note_differences(moved, examined.function,
                   {.bytes = on_disk, .displacement = 0x11000000}, notation);
  note_differences(unmoved, examined.function, {.bytes = on_disk}, notation);
  EXPECT_EQ(moved.rows[0].on_disk, "");
  EXPECT_NE(unmoved.rows[0].on_disk, "");
}

TEST_F(Listing, IsJsonForPrograms) {
  Disassembly disassembly = listed();
  disassembly.rows = {disassembly.rows[1], disassembly.rows[4]};
  EXPECT_EQ(to_json(std::span(&disassembly, 1)),
            R"({"type":"disassembly","module":"vmlinux","function":"work",)"
            R"("address":"0xffffffff81000100",)"
            R"("size":20,"instructions":[{"offset":4,"bytes":"e8 37 00 00 00",)"
            R"("text":"call kfree","mnemonic":"call","classes":["call"],)"
            R"("target":"kfree"},{"offset":17,"bytes":"0f 0b","text":"ud2",)"
            R"("mnemonic":"ud2","classes":[],)"
            R"("untraceable":"it does nothing but raise an exception"}]})"
            "\n");
}

}  // namespace
}  // namespace kinst::listing
