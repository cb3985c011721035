#include "provider/provider.h"

#include <gtest/gtest.h>

#include "provider/dtrace.h"

namespace kinst::provider {
namespace {

TEST(ProbeList, NumbersBeginEndAndErrorFromOne) {
  ProbeList list;
  for (Probe& probe : DtraceProvider::probes()) {
    list.add(std::move(probe));
  }
  ASSERT_EQ(list.all().size(), 3U);
  EXPECT_EQ(list.all()[0].name, "BEGIN");
  EXPECT_EQ(list.all()[0].id, 1U);
  EXPECT_EQ(list.all()[2].name, "ERROR");
  EXPECT_EQ(list.all()[2].key, 3U);
}

TEST(ProbeList, HoldsAProbeThatTwoDescriptionsMeanOnce) {
  ProbeList list;
  const std::size_t first = list.add(DtraceProvider::probes()[0]);
  EXPECT_EQ(list.add(DtraceProvider::probes()[0]), first);
  EXPECT_EQ(list.all().size(), 1U);
}

TEST(DtraceProvider, MatchesPatternsInTheName) {
  d::Description description;
  description.name = "E*";
  const auto match = DtraceProvider().match(description);
  ASSERT_TRUE(match);
  ASSERT_EQ(match->probes.size(), 2U);
  EXPECT_EQ(match->probes[0].name, "END");
  EXPECT_EQ(match->probes[1].name, "ERROR");
}

}  // namespace
}  // namespace kinst::provider
