#include "listing/flow.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "listing/code_for_tests.h"

namespace kinst::listing {
namespace {

class CountedFlow : public testing::Test {
 protected:
  Flow followed() const {
    std::vector<FlowInstruction> instructions;
    for (std::size_t i = 0; i < work.instructions.size(); ++i) {
      instructions.push_back({.instruction = &work.instructions[i],
                              .is_counted = !without_probe.contains(i),
                              .is_end_of_part = i + 1 == work.instructions.size()});
    }
    return follow_flow(instructions, counts);
  }

  kernel::Symbols symbols = symbols_for_tests();
  kernel::Function work = work_for_tests(symbols);
  Counts counts = counts_for_tests();
  std::set<std::size_t> without_probe;
};

TEST_F(CountedFlow, SplitsBlocksWhereControlLeavesOrArrives) {
  EXPECT_EQ(followed().blocks,
            (std::vector<Block>{{0, 1}, {2, 2}, {3, 4}, {5, 5}, {6, 6}}));
}

TEST_F(CountedFlow, CountsEveryEdge) {
  const auto counted = [](std::uint64_t value) {
    return Count{value, Certainty::Counted};
  };
  const KernelAddress kfree{0xffffffff81000140};
  EXPECT_EQ(followed().edges,
            (std::vector<Edge>{
                {EdgeKind::Taken, 1, 3, at_offset(9), counted(3)},
                {EdgeKind::Next, 1, 2, at_offset(4), counted(7)},
                {EdgeKind::Next, 2, 3, at_offset(9), counted(7)},
                {EdgeKind::Taken, 4, 3, at_offset(9), counted(15)},
                {EdgeKind::Next, 4, 5, at_offset(13), counted(10)},
                {EdgeKind::Indirect, 5, 6, at_offset(15), counted(6)},
                {EdgeKind::Indirect, 5, std::nullopt, kfree, counted(4)},
                {EdgeKind::Return, 6, std::nullopt, KernelAddress{}, counted(6)}}));
}

TEST_F(CountedFlow, OfWholeRunsAddsUpWithoutDifferences) {
  const Flow flow = followed();
  EXPECT_EQ(flow.differences, std::vector<Difference>());
  EXPECT_EQ(flow.entered.value, 10U);
  EXPECT_EQ(flow.returned.value, 6U);
  EXPECT_EQ(flow.jumped_out.value, 4U);
  EXPECT_TRUE(flow.adds_up());
}

TEST_F(CountedFlow, DerivesWhatHasNoProbeFromWhatLeadsThereAndWhatFollows) {
  without_probe = {0, 2};
  counts.executed.erase(at_offset(0));
  counts.executed.erase(at_offset(4));
  const Flow flow = followed();
  EXPECT_EQ(flow.executed[0], (Count{10, Certainty::Derived}));
  EXPECT_EQ(flow.executed[2], (Count{7, Certainty::Derived}));
  EXPECT_EQ(flow.entered, (Count{10, Certainty::Derived}));
  EXPECT_TRUE(flow.adds_up());
}

TEST_F(CountedFlow, WhereNothingLeadsNothingRan) {
  counts.targets.clear();
  counts.executed = {};
  counts.taken = {};
  without_probe = {6};
  EXPECT_EQ(followed().executed[6], (Count{0, Certainty::Derived}));
}

TEST_F(CountedFlow, ThatIsCutOffInACallIsStillInside) {
  counts.executed[at_offset(9)] = 24;
  counts.executed[at_offset(11)] = 24;
  counts.executed[at_offset(13)] = 9;
  counts.targets[at_offset(13)][at_offset(15)] = 5;
  counts.executed[at_offset(15)] = 5;
  const Flow flow = followed();
  EXPECT_EQ(flow.differences,
            (std::vector<Difference>{{Difference::Place::BehindCall, 2, 1}}));
  EXPECT_EQ(flow.kept_inside, 1U);
  EXPECT_TRUE(flow.adds_up());
}

TEST_F(CountedFlow, ThatBeganInACallCameFromInside) {
  counts.executed[at_offset(0)] = 9;
  counts.executed[at_offset(2)] = 9;
  counts.executed[at_offset(4)] = 6;
  const Flow flow = followed();
  EXPECT_EQ(flow.differences,
            (std::vector<Difference>{{Difference::Place::BehindCall, 2, -1}}));
  EXPECT_EQ(flow.came_from_inside, 1U);
  EXPECT_TRUE(flow.adds_up());
}

TEST_F(CountedFlow, FindsWhereTheOnlyJumpWithoutAProbeWent) {
  without_probe = {5};
  counts.executed.erase(at_offset(13));
  counts.targets.clear();
  const Flow flow = followed();
  EXPECT_EQ(flow.executed[5], (Count{10, Certainty::Derived}));
  EXPECT_EQ(flow.edges[5],
            (Edge{EdgeKind::Indirect, 5, 6, at_offset(15), {6, Certainty::Derived}}));
  // It also left the function, which no count inside tells.
  EXPECT_EQ(flow.differences,
            (std::vector<Difference>{{Difference::Place::FarJump, 5, 4}}));
}

TEST_F(CountedFlow, NoticesTargetsThatWereNotCounted) {
  counts.targets[at_offset(13)].erase(KernelAddress{0xffffffff81000140});
  EXPECT_EQ(followed().differences,
            (std::vector<Difference>{{Difference::Place::FarJump, 5, 4}}));
}

}  // namespace
}  // namespace kinst::listing
