#include <cstdint>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

using Speculations = NativeRuntime;

constexpr std::uint64_t unlimited = 1U << 20U;

TEST_F(Speculations, AreGivenOutOnceEach) {
  static_assert(NATIVE_SPECULATIONS == 3);
  EXPECT_EQ(kinst_speculation(), 1U);
  EXPECT_EQ(kinst_speculation(), 2U);
  EXPECT_EQ(kinst_speculation(), 3U);
  EXPECT_EQ(kinst_speculation(), 0U);
  EXPECT_EQ(native_state()->counters.speculation_busy, 1U);
}

TEST_F(Speculations, AreGivenOutAgainWhenTheirEndHasBeenSent) {
  kinst_speculation();
  kinst_end_speculation(1);
  EXPECT_EQ(kinst_speculation(), 2U);
  kinst_free_speculation(1);
  EXPECT_EQ(kinst_speculation(), 1U);
}

TEST_F(Speculations, GoOnWhereTheClauseThatEndedThemFailed) {
  kinst_speculation();
  kinst_end_speculation(1);
  kinst_resume_speculation(1);
  EXPECT_EQ(kinst_speculate(1, 8, unlimited), 1U);
}

TEST_F(Speculations, TakeRecordsWhileTheyAreGivenOut) {
  EXPECT_EQ(kinst_speculate(1, 8, unlimited), 0U);
  kinst_speculation();
  EXPECT_EQ(kinst_speculate(1, 8, unlimited), 1U);
  kinst_end_speculation(1);
  EXPECT_EQ(kinst_speculate(1, 8, unlimited), 0U);
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{4}, ~std::uint64_t{0}}) {
    EXPECT_EQ(kinst_speculate(number, 8, unlimited), 0U);
  }
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
  EXPECT_EQ(native_state()->counters.speculation_drops, 0U);
}

TEST_F(Speculations, TakeNoMoreThanTheirSize) {
  kinst_speculation();
  EXPECT_EQ(kinst_speculate(1, 72, 159), 1U);
  EXPECT_EQ(kinst_speculate(1, 88, 159), 0U);
  EXPECT_EQ(kinst_speculate(1, 87, 159), 1U);
  EXPECT_EQ(native_state()->counters.speculation_drops, 1U);
}

TEST_F(Speculations, EndWithoutHarmIfNotGivenOut) {
  kinst_end_speculation(0);
  kinst_end_speculation(3);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
  EXPECT_EQ(kinst_speculation(), 1U);
}

TEST_F(Speculations, FailToEndWhatIsNone) {
  kinst_end_speculation(4);
  EXPECT_EQ(fault(), KINST_FAULT_ILLOP);
  native_state()->fault = KINST_FAULT_NONE;
  kinst_end_speculation(~std::uint64_t{0});
  EXPECT_EQ(fault(), KINST_FAULT_ILLOP);
}

}  // namespace
}  // namespace kinst::runtime
