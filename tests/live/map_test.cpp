#include "bpf/load/map.h"

#include <gtest/gtest.h>

#include <map>

#include "live/live_bpf.h"

namespace kinst::live {
namespace {

using namespace bpf;  // NOLINT(google-build-using-namespace): the subject here

using MapTest = Live;

Map create(const MapSpecification& specification) {
  auto map = Map::create(specification);
  EXPECT_TRUE(map) << map.error().message;
  return *std::move(map);
}

TEST_F(MapTest, ReadsAllElementsOfALargeHashOnce) {
  Map map = create({.name = "hash",
                    .type = MapType::Hash,
                    .key_size = 8,
                    .value_size = 8,
                    .max_entries = 20000});
  for (std::uint64_t i = 0; i < 10000; ++i) {
    ASSERT_TRUE(map.update(bytes_of(i), bytes_of(i * i)));
  }
  const auto entries = map.entries();
  ASSERT_TRUE(entries) << entries.error().message;
  std::map<std::uint64_t, std::uint64_t> squares;
  for (std::size_t i = 0; i < entries->size(); ++i) {
    squares[value_at<std::uint64_t>(entries->key(i))] =
        value_at<std::uint64_t>(entries->value(i));
  }
  EXPECT_EQ(entries->size(), 10000U);
  EXPECT_EQ(squares.size(), 10000U);
  EXPECT_EQ(squares[9999], 9999U * 9999);
  ASSERT_TRUE(map.clear());
  EXPECT_EQ(map.entries()->size(), 0U);
}

TEST_F(MapTest, GivesAPerCpuValueOnePartForEachCpu) {
  const std::uint32_t cpus = possible_cpu_count().value();
  Map map = create({.name = "percpu",
                    .type = MapType::PerCpuHash,
                    .key_size = 4,
                    .value_size = 12,  // rounded up to 16 for each CPU
                    .max_entries = 10});
  ASSERT_EQ(map.value_bytes(), 16U * cpus);
  std::vector<std::byte> value(map.value_bytes(), std::byte{7});
  const std::uint32_t key = 3;
  ASSERT_TRUE(map.update(bytes_of(key), value));
  const auto entries = map.entries();
  ASSERT_TRUE(entries) << entries.error().message;
  ASSERT_EQ(entries->size(), 1U);
  EXPECT_EQ(entries->value(0).size(), value.size());
  EXPECT_EQ(entries->value(0)[16U * (cpus - 1) + 11], std::byte{7});
}

TEST_F(MapTest, FillsArraysWithTheirContents) {
  const Map map = create({.name = "array",
                          .type = MapType::Array,
                          .value_size = 2,
                          .max_entries = 4,
                          .contents = {std::byte{1}, std::byte{2}, std::byte{3}}});
  EXPECT_EQ(map.element(0).value(), (std::vector{std::byte{1}, std::byte{2}}));
  EXPECT_EQ(map.element(1).value(), (std::vector{std::byte{3}, std::byte{0}}));
  EXPECT_EQ(map.entries()->size(), 4U);
}

TEST_F(MapTest, LetsNobodyWriteWhatIsFrozen) {
  Map map = create(
      {.name = "frozen", .value_size = 8, .flags = BPF_F_RDONLY_PROG, .frozen = true});
  EXPECT_EQ(map.set_element(0, bytes_of(std::uint64_t{1})).error().message,
            "cannot write BPF map frozen: Operation not permitted");
}

TEST_F(MapTest, ShowsWritesInMappedMemory) {
  Map map = create(
      {.name = "mapped", .value_size = 12, .max_entries = 3, .flags = BPF_F_MMAPABLE});
  auto memory = map.mapped();
  ASSERT_TRUE(memory) << memory.error().message;
  std::vector<std::byte> value(12, std::byte{9});
  ASSERT_TRUE(map.set_element(2, value));
  EXPECT_EQ(memory->bytes()[2 * 16 + 11], std::byte{9});
  memory->bytes()[0] = std::byte{5};
  EXPECT_EQ(map.element(0)->at(0), std::byte{5});
}

TEST_F(MapTest, SaysThatAHashIsFull) {
  Map map = create(
      {.name = "full", .type = MapType::Hash, .value_size = 8, .max_entries = 1});
  ASSERT_TRUE(map.update(bytes_of(std::uint32_t{1}), bytes_of(std::uint64_t{0})));
  EXPECT_EQ(map.update(bytes_of(std::uint32_t{2}), bytes_of(std::uint64_t{0}))
                .error()
                .message,
            "cannot write BPF map full: all its 1 elements are in use");
}

TEST_F(MapTest, TellsWhetherARemovedKeyWasThere) {
  Map map = create(
      {.name = "remove", .type = MapType::Hash, .value_size = 8, .max_entries = 4});
  ASSERT_TRUE(map.update(bytes_of(std::uint32_t{1}), bytes_of(std::uint64_t{0})));
  EXPECT_TRUE(map.remove(bytes_of(std::uint32_t{1})).value());
  EXPECT_FALSE(map.remove(bytes_of(std::uint32_t{1})).value());
  EXPECT_FALSE(map.lookup(bytes_of(std::uint32_t{1})).value());
}

}  // namespace
}  // namespace kinst::live
