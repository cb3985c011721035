#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

using Inet = NativeRuntime;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t family_inet = 2;
constexpr std::uint64_t family_inet6 = 10;

std::string inet4(const Bytes& address) {
  return text_at(kinst_inet_ntoa(address_of(address.data())));
}
std::string inet6(const Bytes& address, bool strict = true) {
  return text_at(
      kinst_inet_ntoa6(address_of(address.data()), static_cast<std::uint64_t>(strict)));
}
/// An address of eight groups.
Bytes groups(const std::array<unsigned, 8>& values) {
  Bytes bytes;
  for (const unsigned value : values) {
    bytes.push_back(static_cast<std::uint8_t>(value >> 8U));
    bytes.push_back(static_cast<std::uint8_t>(value & 0xffU));
  }
  return bytes;
}

TEST_F(Inet, WritesDottedDecimals) {
  EXPECT_EQ(inet4({192, 168, 1, 23}), "192.168.1.23");
  EXPECT_EQ(inet4({0, 10, 100, 255}), "0.10.100.255");
}

TEST_F(Inet, WritesGroupsAndLeavesOutZeros) {
  EXPECT_EQ(inet6(groups({0xfe80, 0, 0, 0, 0x214, 0x4fff, 0xfe0b, 0x76c8})),
            "fe80::214:4fff:fe0b:76c8");
  EXPECT_EQ(inet6(groups({0x1080, 0, 0, 0, 0, 0x808, 0xc, 0x417a})),
            "1080::808:c:417a");
  EXPECT_EQ(inet6(groups({0, 0, 0, 0, 0, 0, 0, 1})), "::1");
  EXPECT_EQ(inet6(groups({0, 0, 0, 0, 0, 0, 0, 0})), "::");
  EXPECT_EQ(inet6(groups({1, 2, 3, 4, 5, 6, 0, 0})), "1:2:3:4:5:6::");
}

TEST_F(Inet, LeavesASingleZeroAndTheLaterOfEqualRuns) {
  EXPECT_EQ(inet6(groups({1, 2, 3, 4, 5, 6, 7, 0})), "1:2:3:4:5:6:7:0");
  EXPECT_EQ(inet6(groups({1, 0, 0, 4, 5, 0, 0, 8})), "1::4:5:0:0:8");
  EXPECT_EQ(inet6(groups({1, 0, 0, 4, 0, 0, 0, 8})), "1:0:0:4::8");
}

TEST_F(Inet, WritesTheLongestAddress) {
  EXPECT_EQ(inet6(Bytes(16, 0xff)), "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
}

TEST_F(Inet, WritesTheIpv4AddressWithin) {
  const Bytes compatible = groups({0, 0, 0, 0, 0, 0, 0x7f00, 1});
  const Bytes mapped = groups({0, 0, 0, 0, 0, 0xffff, 0x7f00, 1});
  EXPECT_EQ(inet6(compatible), "::127.0.0.1");
  EXPECT_EQ(inet6(mapped), "::ffff:127.0.0.1");
  EXPECT_EQ(inet6(compatible, false), "127.0.0.1");
  EXPECT_EQ(inet6(mapped, false), "127.0.0.1");
  EXPECT_EQ(inet6(groups({0, 0, 0, 0, 0, 0xfffe, 0x7f00, 1})), "::fffe:7f00:1");
}

TEST_F(Inet, TakesTheFamilyWhenTheProgramRuns) {
  const Bytes address = groups({0x102, 0x304, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(text_at(kinst_inet_ntop(family_inet, address_of(address.data()))),
            "1.2.3.4");
  EXPECT_EQ(text_at(kinst_inet_ntop(family_inet6, address_of(address.data()))),
            "102:304::");
  EXPECT_EQ(kinst_inet_ntop(1, address_of(address.data())), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_ILLOP);
}

TEST_F(Inet, WritesLinkAddresses) {
  const Bytes address = {0,  1,  0x0a, 0xff, 0x10, 5,    6,    7,    8,    9,
                         10, 11, 12,   13,   14,   0xfe, 0x41, 0x7a, 0x02, 0xcd};
  EXPECT_EQ(text_at(kinst_link_ntop(1, address_of(address.data()))),
            "00:01:0a:ff:10:05");
  EXPECT_EQ(text_at(kinst_link_ntop(32, address_of(address.data()))),
            "00:01:0a:ff:10:05:06:07:08:09:0a:0b:0c:0d:0e:fe:41:7a:02:cd");
  EXPECT_EQ(kinst_link_ntop(2, address_of(address.data())), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_ILLOP);
}

TEST_F(Inet, IsCutOffAsStringsAre) {
  reset(11);
  EXPECT_EQ(inet6(groups({0xfe80, 0x7060, 0x5040, 0, 0, 0, 0, 0})), "fe80:7060:");
}

TEST_F(Inet, FailsForNoAddress) {
  EXPECT_EQ(kinst_inet_ntoa6(0, 0), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

}  // namespace
}  // namespace kinst::runtime
