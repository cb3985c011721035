#include "record/format.h"

#include <gtest/gtest.h>

#include <ostream>

namespace kinst::record {
namespace {

// A directive as one line, so that whole formats can be compared.
std::string shown(const Directive& directive) {
  std::string text = "'" + directive.text + "'";
  if (directive.conversion == nullptr) {
    return text;
  }
  text += " %";
  text += directive.alternate ? "#" : "";
  text += directive.zero_pad ? "0" : "";
  text += directive.left ? "-" : "";
  text += directive.plus ? "+" : "";
  text += directive.space ? " " : "";
  text += directive.group ? "'" : "";
  text += directive.aggregation ? "@" : "";
  text += directive.dynamic_width ? "*" : "";
  text += directive.width != 0 ? std::to_string(directive.width) : "";
  text += directive.dynamic_precision ? ".*" : "";
  text += directive.precision ? "." + std::to_string(*directive.precision) : "";
  return text + std::string(directive.conversion->name);
}

std::vector<std::string> parsed(std::string_view text) {
  const auto format = parse_format(text);
  if (!format) {
    return {format.error().message};
  }
  std::vector<std::string> lines;
  for (const Directive& directive : *format) {
    lines.push_back(shown(directive));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Format, SplitsTextFromConversions) {
  EXPECT_EQ(parsed("a %d b %s\n"), (Lines{"'a ' %d", "' b ' %s", "'\n'"}));
  EXPECT_EQ(parsed("no conversion"), (Lines{"'no conversion'"}));
  EXPECT_EQ(parsed("%d"), (Lines{"'' %d"}));
  EXPECT_EQ(parsed(""), Lines{});
}

TEST(Format, ReadsFlagsWidthsAndPrecisions) {
  EXPECT_EQ(parsed("%#08llx"), (Lines{"'' %#08llx"}));
  EXPECT_EQ(parsed("%+ '-12.5ld"), (Lines{"'' %-+ '12.5ld"}));
  EXPECT_EQ(parsed("%-*.*s"), (Lines{"'' %-*.*s"}));
  EXPECT_EQ(parsed("%@-10d"), (Lines{"'' %-@10d"}));
  EXPECT_EQ(parsed("%?p"), (Lines{"'' %16p"}));
}

TEST(Format, RefusesWidthsThatNoOutputHas) {
  const Lines refusal = {
      "format conversion #1: a width or precision is 16777216 at the most"};
  EXPECT_EQ(parsed("%16777216d"), (Lines{"'' %16777216d"}));
  EXPECT_EQ(parsed("%16777217d"), refusal);
  EXPECT_EQ(parsed("%.99999999999999999999d"), refusal);
}

TEST(Format, KeepsZeroAndMinusInAnyOrder) {
  EXPECT_EQ(parsed("%-08x"), (Lines{"'' %0-8x"}));
  EXPECT_EQ(parsed("%0-8x"), (Lines{"'' %0-8x"}));
}

TEST(Format, TellsAPrecisionOfZeroFromNone) {
  EXPECT_EQ(parsed("%.0d"), (Lines{"'' %.0d"}));
  EXPECT_EQ(parsed("%10.s"), (Lines{"'' %10.0s"}));
  EXPECT_EQ(parsed("%10s"), (Lines{"'' %10s"}));
}

TEST(Format, SaysWhatIsWrongWithAConversionAndWhere) {
  EXPECT_EQ(
      parsed("%d %j"),
      (Lines{"format conversion #2: there is no conversion '%j'; %% prints a percent "
             "sign"}));
  EXPECT_EQ(parse_format("%d %j").error().offset, 3U);
  EXPECT_EQ(
      parsed("100%"),
      (Lines{"format conversion #1: the format ends within a conversion; %% prints a "
             "percent sign"}));
  EXPECT_EQ(parsed("%5%"),
            (Lines{"format conversion #1: '%%' takes no flags, width or precision"}));
  EXPECT_EQ(parsed("%**d"),
            (Lines{"format conversion #1: it has more than one '*' for its width"}));
  EXPECT_EQ(parsed("%.*.*d"),
            (Lines{"format conversion #1: it has more than one '.'"}));
  EXPECT_EQ(parsed("%1$d"),
            (Lines{"format conversion #1: arguments cannot be chosen by position, as "
                   "in '%1$d'"}));
}

TEST(Format, WantsWidthThenPrecisionThenTheValue) {
  const auto format = parse_format("100%% %*.*d %@u");
  ASSERT_TRUE(format);
  const auto wanted = wanted_arguments(*format);
  ASSERT_EQ(wanted.size(), 4U);
  EXPECT_EQ(wanted[0].role, WantedArgument::Role::Width);
  EXPECT_EQ(wanted[1].role, WantedArgument::Role::Precision);
  EXPECT_EQ(wanted[2].role, WantedArgument::Role::Value);
  EXPECT_EQ(wanted[2].argument, Argument::Integer);
  EXPECT_EQ(wanted[2].directive, 2U);
  EXPECT_EQ(wanted[3].role, WantedArgument::Role::Aggregation);
}

class Accepts : public testing::Test {
 protected:
  bool accepts(std::string_view conversion, types::TypeId type,
               Meaning meaning = Meaning::Value) {
    const auto format = parse_format("%" + std::string(conversion));
    EXPECT_TRUE(format) << conversion;
    return record::accepts(format->front().conversion->argument, table_, type, meaning);
  }
  types::TypeId integer(std::uint32_t size_bytes, bool is_signed) {
    return table_.add(
        types::Integer{.name = "i", .size_bytes = size_bytes, .is_signed = is_signed});
  }

  types::TypeTable table_;
};

TEST_F(Accepts, IntegersOfTheSizeAndSignThatAPrefixNames) {
  EXPECT_TRUE(accepts("d", integer(8, false)));
  EXPECT_FALSE(accepts("d", table_.pointer_to(table_.int_type())));
  EXPECT_TRUE(accepts("hd", integer(2, true)));
  EXPECT_FALSE(accepts("hd", integer(4, true)));
  EXPECT_FALSE(accepts("hu", integer(2, true)));
  EXPECT_TRUE(accepts("hx", integer(2, true)));
  EXPECT_TRUE(accepts("lld", integer(8, true)));
  EXPECT_FALSE(accepts("lld", integer(4, true)));
  EXPECT_TRUE(accepts("llx", integer(8, false)));
  EXPECT_TRUE(accepts("c", table_.char_type()));
  EXPECT_FALSE(accepts("c", table_.int64_type()));
  EXPECT_TRUE(accepts("Y", table_.uint64_type()));
  EXPECT_FALSE(accepts("Y", table_.int_type()));
}

TEST_F(Accepts, StringsAndArraysOfChar) {
  EXPECT_TRUE(accepts("s", table_.string_type()));
  EXPECT_TRUE(accepts("S", table_.array_of(table_.char_type(), 16)));
  EXPECT_FALSE(accepts("s", table_.pointer_to(table_.char_type())));
  EXPECT_FALSE(accepts("s", table_.array_of(table_.int_type(), 16)));
  EXPECT_TRUE(accepts("ws", table_.array_of(table_.int_type(), 16)));
}

TEST_F(Accepts, StacksAndSymbolsOnlyWhereTheyAreMeant) {
  const types::TypeId address = table_.uint64_type();
  EXPECT_TRUE(accepts("k", address, Meaning::Stack));
  EXPECT_TRUE(accepts("k", address, Meaning::UserStack));
  EXPECT_FALSE(accepts("k", address));
  EXPECT_FALSE(accepts("d", address, Meaning::Stack));
  EXPECT_TRUE(accepts("a", address, Meaning::Symbol));
  EXPECT_TRUE(accepts("a", address));
  EXPECT_FALSE(accepts("a", address, Meaning::UserSymbol));
  EXPECT_TRUE(accepts("A", address, Meaning::UserModule));
  EXPECT_FALSE(accepts("s", address, Meaning::Symbol));
  EXPECT_TRUE(accepts("s", table_.string_type(), Meaning::ProbeFunction));
}

TEST_F(Accepts, FloatingPointForItsConversions) {
  const types::TypeId number = table_.add(types::Float{.name = "double"});
  EXPECT_TRUE(accepts("f", number));
  EXPECT_FALSE(accepts("Lf", number));
  EXPECT_FALSE(accepts("f", table_.int_type()));
  EXPECT_FALSE(accepts("d", number));
}

}  // namespace
}  // namespace kinst::record
