#include "command/list_probes.h"

#include <gtest/gtest.h>

namespace kinst::command {
namespace {

TEST(ProbeTable, HasAddressesWhereNamesAreShared) {
  const auto probe = [](std::uint32_t id, std::string name, std::uint64_t address) {
    return provider::Probe{
        .id = id,
        .provider = "kinst",
        .module = "vmlinux",
        .function = "f",
        .name = std::move(name),
        .site = provider::KernelInstruction{.address = KernelAddress{address}}};
  };
  const std::vector<provider::Probe> probes = {probe(4, "0", 0xffffffff81000000),
                                               probe(5, "4", 0xffffffff81000004),
                                               probe(6, "0", 0xffffffff81000100)};
  const types::TypeTable types;
  EXPECT_EQ(
      probe_table({&probes[0], &probes[1], &probes[2]}, {}, types, false),
      "   ID   PROVIDER            MODULE                          FUNCTION NAME\n"
      "    4      kinst           vmlinux                                 f 0 at "
      "ffffffff81000000\n"
      "    5      kinst           vmlinux                                 f 4\n"
      "    6      kinst           vmlinux                                 f 0 at "
      "ffffffff81000100\n");
}

}  // namespace
}  // namespace kinst::command
