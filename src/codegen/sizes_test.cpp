#include "codegen/plan/sizes.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "codegen/generated_fixture.h"

namespace kinst::codegen {
namespace {

constexpr std::string_view too_large =
    " would take more than 1073741824 bytes, which are the most there can be";

std::string refusal(std::string_view text) {
  return testing::generate_text(text)->diagnostics;
}

TEST(Sizes, OfVariablesAreAddedUp) {
  EXPECT_EQ(refusal("int x[100000]; BEGIN { x[1] = 1; }"), "");
  EXPECT_EQ(refusal("int x[0x7fffffff]; BEGIN { x[1] = 1; }"),
            "the global variables" + std::string(too_large));
  EXPECT_EQ(refusal("char x[0x20000000]; char y[0x20000000]; BEGIN { x[1] = 1; }"),
            "the global variables" + std::string(too_large));
}

TEST(Sizes, OfClauseLocalVariablesAreEachProcessors) {
  EXPECT_EQ(refusal("this char x[0x200000]; BEGIN { this->x[1] = 1; }"),
            "the clause-local variables would take more than 1048576 bytes, which are "
            "the most there can be");
}

TEST(Sizes, OfElementsAndKeysAreTheirOwn) {
  constexpr std::string_view large = "struct s { char c[0x7fffffff]; }; ";
  EXPECT_EQ(refusal(std::string(large) + "struct s x[int]; BEGIN { x[1] = x[2]; }"),
            "variable x" + std::string(too_large));
  EXPECT_EQ(refusal(std::string(large) + "struct s *p; BEGIN { @sums[*p] = count(); }"),
            "a key of @sums" + std::string(too_large));
}

TEST(Sizes, OfRecordsAreAddedUp) {
  EXPECT_EQ(refusal("BEGIN { tracemem(0, 1000000); }"), "");
  EXPECT_EQ(refusal("BEGIN { tracemem(0, 0x7fffffffffffffff); }"),
            "what a clause records" + std::string(too_large));
  // The lower 32 bits are 0.
  EXPECT_EQ(refusal("BEGIN { tracemem(0, 0x100000000); }"),
            "what a clause records" + std::string(too_large));
  EXPECT_EQ(refusal("BEGIN { tracemem(0, 0x20000000); tracemem(0, 0x20000000); }"),
            "what a clause records" + std::string(too_large));
}

TEST(Sizes, OfDistributionsAreWhatAMapHolds) {
  // The most levels that DTrace's encoding has.
  EXPECT_EQ(refusal("BEGIN { @ = lquantize(1, 0, 65535, 1); }"), "");
  EXPECT_EQ(refusal("BEGIN { @ = llquantize(1, 10, 0, 10, 1000); }"), "");
  EXPECT_EQ(
      refusal("BEGIN { @wide = llquantize(1, 2, 0, 62, 32768); }"),
      "@wide would have 2064388 values for each key, and the kernel holds no more than "
      "516096: a smaller number of steps or magnitudes makes fewer");
}

TEST(Sizes, OfDistributionsDecideWhetherAllCpusShareAValue) {
  const auto words = [](std::uint32_t count) {
    record::Aggregation layout;
    layout.value_words = count;
    return layout;
  };
  EXPECT_FALSE(is_one_value(words(4096)));
  EXPECT_TRUE(is_one_value(words(4097)));
}

}  // namespace
}  // namespace kinst::codegen
