#include "codegen/sizes.h"

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
  EXPECT_EQ(refusal("BEGIN { @ = lquantize(1, 0, 4000, 1); }"), "");
  EXPECT_EQ(refusal("BEGIN { @ms = lquantize(1, 0, 10000, 1); }"),
            "@ms would have 10003 values for each key and CPU, and the kernel holds no "
            "more than 4096: a larger step makes fewer");
  EXPECT_EQ(
      refusal("BEGIN { @ = llquantize(1, 1000, 0, 5, 1000); }"),
      "@ would have 11992 values for each key and CPU, and the kernel holds no more "
      "than 4096: a smaller number of steps or magnitudes makes fewer");
}

}  // namespace
}  // namespace kinst::codegen
