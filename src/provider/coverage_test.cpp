#include "provider/coverage.h"

#include <gtest/gtest.h>

namespace kinst::provider {
namespace {

kernel::Symbol function(std::string name, std::uint64_t address,
                        std::string module = "vmlinux") {
  return {.address = KernelAddress{address},
          .name = std::move(name),
          .module = std::move(module)};
}

const d::Description described = {.provider = "kinst", .function = "f*", .name = "0"};

TEST(Coverage, TellsTheFunctionsThatHaveProbes) {
  const std::vector<kernel::Symbol> all = {function("f", 16), function("fa", 32),
                                           function("fb", 48)};
  Coverage coverage(all);
  coverage.add(all[0], true, {});
  coverage.add(all[1], false, {});
  EXPECT_EQ(coverage.told(described), "") << "nothing is meant in fa";
  std::vector<Skipped> skipped = {{.probe = "kinst:vmlinux:fb:0", .reason = "no"}};
  coverage.add(all[2], false, skipped);
  EXPECT_EQ(coverage.told(described),
            "kinst::f*:0 has probes in 1 of 2 functions (f); -v says why");
  EXPECT_EQ(skipped.front().reason, "no");
}

TEST(Coverage, TellsFunctionsOfOneNameApart) {
  const std::vector<kernel::Symbol> all = {function("f", 16), function("f", 32),
                                           function("f", 48, "module")};
  Coverage coverage(all);
  std::vector<Skipped> skipped = {{.probe = "kinst:vmlinux:f:0", .reason = "no"}};
  coverage.add(all[0], false, skipped);
  coverage.add(all[1], true, {});
  coverage.add(all[2], true, {});
  EXPECT_EQ(coverage.told(described),
            "kinst::f*:0 has probes in 2 of 3 functions (f at 20, f); -v says why");
  EXPECT_EQ(skipped.front().reason, "no (in the one at 10)");
}

TEST(Coverage, WritesDescriptionsAsTheyAreRead) {
  EXPECT_EQ(written({.provider = "kinst", .function = "f", .name = "9"}), "kinst::f:9");
  EXPECT_EQ(written({.provider = "kinst", .name = "@f.c:9"}), "kinst:::\"@f.c:9\"");
}

TEST(Coverage, HasNothingToTellOfNoneAndOfAll) {
  const std::vector<kernel::Symbol> all = {function("f", 16), function("g", 32)};
  std::vector<Skipped> skipped = {{.probe = "kinst:vmlinux:f:0", .reason = "no"}};
  Coverage none(all);
  none.add(all[0], false, skipped);
  EXPECT_EQ(none.told(described), "");
  Coverage every(all);
  every.add(all[0], true, skipped);
  every.add(all[1], true, {});
  EXPECT_EQ(every.told(described), "");
}

}  // namespace
}  // namespace kinst::provider
