#include "consumer/printf.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "consumer/values/symbolizer_for_tests.h"

namespace kinst::consumer {
namespace {

using record::Meaning;
using record::Value;

Value number(std::int64_t value, std::uint32_t size_bytes = 4, bool is_signed = true) {
  return Value{.data = record::Integer{static_cast<std::uint64_t>(value), size_bytes,
                                       is_signed}};
}

Value text(std::string_view text) {
  return Value{.data = record::Text{text}};
}

class Printf : public testing::Test {
 protected:
  std::string print(std::string_view format, std::vector<Value> values = {}) {
    const auto parsed = record::parse_format(format);
    EXPECT_TRUE(parsed) << format;
    std::string out;
    append_format(out, {names_, 14}, *parsed, values);
    return out;
  }

  TableOfNames names_;
};

TEST_F(Printf, PrintsTextAndPercentSigns) {
  EXPECT_EQ(print("100%% of it\n"), "100% of it\n");
}

TEST_F(Printf, FollowsTheTypesSignForDButNotForI) {
  EXPECT_EQ(print("%d %i", {number(-1), number(-1)}), "-1 -1");
  EXPECT_EQ(print("%i", {number(65535, 2, false)}), "-1");
  EXPECT_EQ(print("%i", {number(65535, 4, false)}), "65535");
  EXPECT_EQ(print("%d", {number(0xffffffff, 4, false)}), "4294967295");
  EXPECT_EQ(print("%d", {number(-1, 8, false)}), "18446744073709551615");
}

TEST_F(Printf, PrintsUnsignedConversionsAtTheValuesOwnSize) {
  EXPECT_EQ(print("%x %u", {number(-1, 1), number(-1, 2)}), "ff 65535");
  EXPECT_EQ(print("%X", {number(-1, 8)}), "FFFFFFFFFFFFFFFF");
  EXPECT_EQ(print("%#o", {number(8)}), "010");
}

TEST_F(Printf, PrintsPointersWithoutAPrefix) {
  EXPECT_EQ(print("%p", {number(0x1234, 8, false)}), "1234");
  EXPECT_EQ(print("%?p", {number(0x1234, 8, false)}), "            1234");
}

TEST_F(Printf, AppliesFlagsWidthAndPrecisionAsCDoes) {
  EXPECT_EQ(
      print("[%8d|%-8d|%08d|%+d|% d|%.5d]", {number(-12), number(-12), number(-12),
                                             number(12), number(12), number(12)}),
      "[     -12|-12     |-0000012|+12| 12|00012]");
  EXPECT_EQ(print("[%5s|%-5s|%.2s|%5.1s]",
                  {text("abc"), text("abc"), text("abc"), text("abc")}),
            "[  abc|abc  |ab|    a]");
}

TEST_F(Printf, LeavesZeroesOutBesideMinusAndPrecisionsAsCDoes) {
  EXPECT_EQ(print("[%-05d|%0-5d|%05.3d]", {number(42), number(42), number(42)}),
            "[42   |42   |  042]");
}

TEST_F(Printf, TakesAPrecisionOfZeroOrLessAsNoneAsDTraceDoes) {
  EXPECT_EQ(print("[%.0d|%.d|%03.0d]", {number(0), number(0), number(7)}), "[0|0|007]");
  EXPECT_EQ(print("[%.0s|%.*s|%.*s]",
                  {text("abc"), number(0), text("abc"), number(-1), text("abc")}),
            "[abc|abc|abc]");
}

TEST_F(Printf, TakesWidthAndPrecisionFromArguments) {
  EXPECT_EQ(print("[%*d]", {number(5), number(7)}), "[    7]");
  EXPECT_EQ(print("[%*d]", {number(-5), number(7)}), "[7    ]");
  EXPECT_EQ(print("[%*.*s]", {number(5), number(2), text("abc")}), "[   ab]");
}

TEST_F(Printf, PrintsVeryWideFields) {
  const std::string out = print("%300d|%.300d", {number(1), number(1)});
  EXPECT_EQ(out, std::string(299, ' ') + "1|" + std::string(299, '0') + "1");
}

TEST_F(Printf, LimitsWidthsFromArguments) {
  constexpr int absurd = 1 << 30;
  EXPECT_EQ(print("%*d", {number(absurd), number(1)}).size(), record::largest_width);
  EXPECT_EQ(print("%.*d", {number(absurd), number(1)}).size(), record::largest_width);
  EXPECT_EQ(print("%*s", {number(-absurd), text("a")}).size(), record::largest_width);
}

TEST_F(Printf, PrintsCharacters) {
  EXPECT_EQ(print("%c%3c", {number('a'), number('b')}), "a  b");
  EXPECT_EQ(print("%c", {number(0)}), std::string(1, '\0'));
  EXPECT_EQ(print("%C%C", {number('\n'), number('a', 1)}), "\\na");
  EXPECT_EQ(print("%lc", {number(0x20ac)}), "\xe2\x82\xac");
}

TEST_F(Printf, EscapesWhatIsNotPrintable) {
  EXPECT_EQ(print("%S", {text("a\tb\"c\\\x01\xff d")}), R"(a\tb\"c\\\001\377 d)");
}

TEST_F(Printf, PrintsWideStringsAsUtf8) {
  const std::array<std::uint32_t, 4> wide{'h', 0xe9, 0, 'x'};
  EXPECT_EQ(print("%ws", {Value{.data = record::Bytes{},
                                .bytes = std::as_bytes(std::span(wide))}}),
            "h\xc3\xa9");
}

TEST_F(Printf, PrintsFloatingPoint) {
  EXPECT_EQ(print("%f %.2e", {Value{.data = record::Real{1.5L, 8}},
                              Value{.data = record::Real{1234.5L, 8}}}),
            "1.500000 1.23e+03");
}

TEST_F(Printf, PrintsTimesAsDTraceWritesThem) {
  ::setenv("TZ", "UTC", 1);  // NOLINT(concurrency-mt-unsafe): no other thread runs
  ::tzset();
  const std::int64_t moment = 123787200000000001;
  EXPECT_EQ(print("%Y", {number(moment, 8)}), "1973 Dec  3 17:20:00");
  EXPECT_EQ(print("%T", {number(moment, 8)}), "Mon, 03 Dec 1973 17:20:00 UTC");
  EXPECT_EQ(print("[%-22Y]", {number(moment, 8)}), "[1973 Dec  3 17:20:00  ]");
}

TEST_F(Printf, NamesAddressesAndSymbols) {
  names_.kernel[0x1010] = SymbolOffset{"vmlinux", "vfs_read", 0x10};
  names_.kernel[0x2000] = SymbolOffset{"ext4", "", 0};
  names_.user[{7, 0x400}] = SymbolOffset{"dd", "main", 4};
  const auto symbol = [](Meaning meaning, std::uint64_t address) {
    return Value{.meaning = meaning, .data = record::Address{address, std::nullopt}};
  };
  EXPECT_EQ(print("%a", {number(0x1010, 8, false)}), "vmlinux`vfs_read+0x10");
  EXPECT_EQ(print("%a", {number(0x2000, 8, false)}), "ext4`0x2000");
  EXPECT_EQ(print("%a", {number(0x3000, 8, false)}), "0x3000");
  EXPECT_EQ(print("%a", {symbol(Meaning::Module, 0x1010)}), "vmlinux");
  EXPECT_EQ(print("%A", {Value{.meaning = Meaning::UserAddress,
                               .data = record::Address{0x400, 7}}}),
            "dd`main+0x4");
}

TEST_F(Printf, PrintsStacksIndentedByTheOptionOrALeftAlignedWidth) {
  names_.kernel[0x10] = SymbolOffset{"vmlinux", "f", 0};
  const Value stack{.meaning = Meaning::Stack,
                    .data = record::Frames{{0x10, 0x20}, {}}};
  EXPECT_EQ(print("at%k.", {stack}),
            "at\n              vmlinux`f\n              0x20\n.");
  EXPECT_EQ(print("at%-2k.", {stack}), "at\n  vmlinux`f\n  0x20\n.");
  EXPECT_EQ(print("at%-*k.", {number(3), stack}), "at\n   vmlinux`f\n   0x20\n.");
}

TEST_F(Printf, PrintsTheProbesParts) {
  names_.probes[9] = provider::Probe{.id = 4711,
                                     .provider = "kinst",
                                     .module = "vmlinux",
                                     .function = "vfs_read",
                                     .name = "4"};
  const auto part = [](Meaning meaning) {
    return Value{.meaning = meaning, .data = record::ProbeKey{9}};
  };
  EXPECT_EQ(
      print("%s:%s:%s:%s %d", {part(Meaning::ProbeProvider), part(Meaning::ProbeModule),
                               part(Meaning::ProbeFunction), part(Meaning::ProbeName),
                               part(Meaning::ProbeId)}),
      "kinst:vmlinux:vfs_read:4 4711");
  EXPECT_EQ(
      print("%s", {Value{.meaning = Meaning::ProbeName, .data = record::ProbeKey{10}}}),
      "<unknown>");
}

TEST_F(Printf, LeavesConversionsWithoutAValueEmpty) {
  EXPECT_EQ(print("[%d|%s]", {number(1)}), "[1|]");
}

}  // namespace
}  // namespace kinst::consumer
