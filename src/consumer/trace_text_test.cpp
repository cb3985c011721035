#include "consumer/trace_text.h"

#include <gtest/gtest.h>

#include <array>

#include "consumer/values/symbolizer_for_tests.h"

namespace kinst::consumer {
namespace {

using record::Meaning;
using record::Value;

Value number(std::int64_t value, std::uint32_t size_bytes, bool is_signed) {
  return Value{.data = record::Integer{static_cast<std::uint64_t>(value), size_bytes,
                                       is_signed}};
}

Value text(std::string_view text) {
  return Value{.data = record::Text{text}, .bytes = std::as_bytes(std::span(text))};
}

class TraceText : public testing::Test {
 protected:
  std::string traced(const Value& value, Columns columns = Columns::Aligned) {
    std::string out;
    append_traced(out, {names_}, value, columns);
    return out;
  }
  std::string key(const Value& value) {
    std::string out;
    append_key(out, {names_}, value);
    return out;
  }

  TableOfNames names_;
};

TEST_F(TraceText, GivesIntegersTheColumnsOfTheirSize) {
  EXPECT_EQ(traced(number(-1, 1, true)), "  -1");
  EXPECT_EQ(traced(number(65535, 2, false)), " 65535");
  EXPECT_EQ(traced(number(-1, 4, true)), "         -1");
  EXPECT_EQ(traced(number(-1, 8, true)), "                  -1");
  EXPECT_EQ(traced(number(-1, 8, false)), " 18446744073709551615");
  EXPECT_EQ(traced(number(-1, 8, true), Columns::Bare), "-1");
}

TEST_F(TraceText, PadsTextToAColumnUnlessQuiet) {
  EXPECT_EQ(traced(text("hello")), "  hello" + std::string(28, ' '));
  EXPECT_EQ(traced(text("hello"), Columns::Bare), "hello");
}

TEST_F(TraceText, DumpsOtherBytes) {
  const std::string_view bytes("Linux version 6.1\0\xff", 19);
  EXPECT_EQ(
      traced(Value{.data = record::Bytes{std::as_bytes(std::span(bytes))}}),
      "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  "
      "0123456789abcdef\n"
      "         0: 4c 69 6e 75 78 20 76 65 72 73 69 6f 6e 20 36 2e  Linux version 6.\n"
      "        10: 31 00 ff                                         1..\n");
  EXPECT_EQ(traced(Value{.data = record::Bytes{}}), "");
}

TEST_F(TraceText, NamesSymbolsAndStacks) {
  names_.kernel[0x10] = SymbolOffset{"vmlinux", "f", 2};
  const auto address = [](Meaning meaning) {
    return Value{.meaning = meaning, .data = record::Address{0x10, std::nullopt}};
  };
  EXPECT_EQ(traced(address(Meaning::Symbol)), "  vmlinux`f" + std::string(41, ' '));
  EXPECT_EQ(traced(address(Meaning::Module)), "  vmlinux" + std::string(43, ' '));
  EXPECT_EQ(traced(Value{.meaning = Meaning::Stack,
                         .data = record::Frames{{0x10}, std::nullopt}}),
            "\n              vmlinux`f+0x2\n");
}

TEST_F(TraceText, NamesTheFunctionOfACallThatIsItsEnd) {
  names_.kernel[0x10] = SymbolOffset{"vmlinux", "", 0};
  names_.kernel[0xf] = SymbolOffset{"vmlinux", "f", 7};
  EXPECT_EQ(traced(Value{.meaning = Meaning::Stack,
                         .data = record::Frames{{0x10, 0x10}, std::nullopt}}),
            "\n              vmlinux`0x10\n              vmlinux`f+0x8\n");
}

TEST_F(TraceText, PrintsWhatProbesAreCalled) {
  names_.probes[5] = provider::Probe{.id = 12, .function = "vfs_read", .name = "4"};
  EXPECT_EQ(traced(Value{.meaning = Meaning::ProbeName, .data = record::ProbeKey{5}},
                   Columns::Bare),
            "4");
  EXPECT_EQ(traced(Value{.meaning = Meaning::ProbeId, .data = record::ProbeKey{5}}),
            "         12");
  EXPECT_EQ(key(Value{.meaning = Meaning::ProbeFunction, .data = record::ProbeKey{5}}),
            "  vfs_read" + std::string(42, ' '));
  EXPECT_EQ(key(Value{.meaning = Meaning::ProbeId, .data = record::ProbeKey{5}}),
            "       12");
}

TEST_F(TraceText, PrintsIntegersOfKeysByTheirType) {
  EXPECT_EQ(key(number(-1, 1, true)), "  -1");
  EXPECT_EQ(key(number(-1, 2, true)), "    -1");
  EXPECT_EQ(key(number(-1, 4, true)), "       -1");
  EXPECT_EQ(key(number(-1, 8, true)), "               -1");
  EXPECT_EQ(key(number(255, 1, false)), " 255");
  EXPECT_EQ(key(number(0xffffffff, 4, false)), " 4294967295");
  EXPECT_EQ(key(number(-1, 8, false)), " 18446744073709551615");
}

TEST_F(TraceText, PrintsAnEmptyStringAsAKeyLikeAnyText) {
  const std::array<std::byte, 256> zeros{};
  EXPECT_EQ(key(Value{.data = record::Text{}, .bytes = zeros}), std::string(52, ' '));
}

TEST_F(TraceText, PrintsKeysOfBytesAsTextIfTheyLookLikeIt) {
  EXPECT_EQ(key(text(std::string_view("dd\0\0", 4))), "  dd" + std::string(48, ' '));
  EXPECT_EQ(key(text("a\tb\n")), "  a\tb\n" + std::string(46, ' '));
  const std::string head =
      "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  "
      "0123456789abcdef\n         0: ";
  EXPECT_EQ(key(text(std::string_view("d\0d", 3))),
            head + "64 00 64" + std::string(41, ' ') + "d.d\n");
  EXPECT_EQ(key(text(std::string_view("\0\0", 2))),
            head + "00 00" + std::string(44, ' ') + "..\n");
}

}  // namespace
}  // namespace kinst::consumer
