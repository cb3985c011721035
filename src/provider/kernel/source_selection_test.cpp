#include "provider/kernel/source_selection.h"

#include <gtest/gtest.h>

namespace kinst::provider {
namespace {

using kernel::LineRow;

KernelAddress at(std::uint64_t offset) {
  return KernelAddress{0xffffffff81000100 + offset};
}

const std::vector<LineRow> rows = {
    {.address = at(0), .file = "/b/fs/read.c", .line = 10, .begins_statement = true},
    {.address = at(4), .file = "/b/fs/read.c", .line = 12, .begins_statement = true},
    {.address = at(8), .file = "/b/fs/read.c", .line = 12, .begins_statement = false},
    {.address = at(9), .file = "/b/fs.h", .line = 12, .begins_statement = true},
    {.address = at(12), .file = "/b/fs/read.c", .line = 12, .begins_statement = true},
    {.address = at(16), .file = "/b/fs/read.c", .line = 20, .begins_statement = false},
};

TEST(SourceLine, BeginsWhereEachOfItsPiecesDoes) {
  EXPECT_EQ(addresses_of_line(rows, {.file = "", .line = 12}),
            (std::vector{at(4), at(12)}));
  EXPECT_EQ(addresses_of_line(rows, {.file = "fs.h", .line = 12}), std::vector{at(9)});
  EXPECT_EQ(addresses_of_line(rows, {.file = "fs/read.c", .line = 10}),
            std::vector{at(0)});
}

TEST(SourceLine, WithoutABeginOfAStatementIsWhereItsCodeIs) {
  EXPECT_EQ(addresses_of_line(rows, {.file = "", .line = 20}), std::vector{at(16)});
}

TEST(SourceLine, WithoutCodeNamesTheNearestThatHaveSome) {
  EXPECT_EQ(why_no_line(rows, {.file = "", .line = 15}),
            "it has no code of line 15; lines 12 and 20 have some");
  EXPECT_EQ(why_no_line(rows, {.file = "", .line = 5}),
            "it has no code of line 5; line 10 has some");
  EXPECT_EQ(why_no_line(rows, {.file = "ead.c", .line = 10}),
            "none of its code is from a file 'ead.c'");
  EXPECT_EQ(why_no_line({}, {.file = "", .line = 1}),
            "it has no lines in debug information");
}

// push; je +7; mov; (8) jmp back to 0; (10) call; ret
kernel::ExaminedFunction function() {
  std::vector<std::byte> text;
  for (const unsigned value : {0x55, 0x74, 0x07, 0x48, 0x89, 0xe5, 0x90, 0x90, 0xeb,
                               0xf6, 0xe8, 0x00, 0x00, 0x00, 0x00, 0xc3}) {
    text.push_back(static_cast<std::byte>(value));
  }
  const auto symbols =
      kernel::Symbols::parse("ffffffff81000100 T f\nffffffff81000200 T g\n").value();
  return {.function = kernel::decode_function(symbols, *symbols.find("", "f"), text,
                                              isa::x86_64())};
}

TEST(InlinedCopy, EndsWhereControlLeavesItsRanges) {
  const kernel::InlinedCopy copy{.entry = at(1), .ranges = {{at(1), at(8)}}};
  EXPECT_EQ(exits_of_copy(copy, function().function), (std::vector{at(1), at(7)}))
      << "the branch that leaves it, and what runs into the code behind it";
}

TEST(InlinedCopy, CallsAndJumpsWithinDoNotLeave) {
  const kernel::InlinedCopy whole{.entry = at(0), .ranges = {{at(0), at(16)}}};
  EXPECT_EQ(exits_of_copy(whole, function().function), std::vector{at(15)});
}

TEST(InlinedCopy, BeginsAtItsFirstTraceableInstruction) {
  const kernel::InlinedCopy copy{.entry = at(3), .ranges = {{at(3), at(8)}}};
  kernel::ExaminedFunction patched = function();
  patched.sites.jump_labels = {at(3)};
  EXPECT_EQ(entry_of_copy(copy, patched, {}, isa::x86_64()), std::vector{at(6)});
}

}  // namespace
}  // namespace kinst::provider
