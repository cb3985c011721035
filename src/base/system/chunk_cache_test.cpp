#include "base/system/chunk_cache.h"

#include <gtest/gtest.h>

#include <array>

namespace kinst {
namespace {

// Bytes whose value is their offset, and how often pieces of them were read.
struct Source {
  ChunkCache::ReadPiece reader() {
    return [this](std::uint64_t offset, std::span<std::byte> out) -> Result<void> {
      ++reads;
      if (offset >= 64) {
        return error("nothing is at {}", offset);
      }
      for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<std::byte>(offset + i);
      }
      return {};
    };
  }
  int reads = 0;
};

TEST(ChunkCache, ReadsEachPieceOnceAndAcrossTheirBorders) {
  Source source;
  ChunkCache cache(16, source.reader());
  std::array<std::byte, 20> out{};
  ASSERT_TRUE(cache.read(10, out));
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(out[i], static_cast<std::byte>(10 + i));
  }
  EXPECT_EQ(source.reads, 2);
  EXPECT_EQ(cache.at(31), std::byte{31});
  EXPECT_EQ(cache.at(0), std::byte{0});
  EXPECT_EQ(cache.rest_of_piece(28).size(), 4U);
  EXPECT_EQ(cache.rest_of_piece(28).front(), std::byte{28});
  EXPECT_EQ(source.reads, 2);
}

TEST(ChunkCache, KeepsWorkingWhenMoved) {
  Source source;
  ChunkCache first(16, source.reader());
  EXPECT_EQ(first.at(5), std::byte{5});
  ChunkCache second = std::move(first);
  EXPECT_EQ(second.at(6), std::byte{6});
  EXPECT_EQ(source.reads, 1);
}

TEST(ChunkCache, TellsWhatCannotBeRead) {
  Source source;
  ChunkCache cache(16, source.reader());
  std::array<std::byte, 2> out{};
  EXPECT_EQ(cache.read(63, out).error().message, "nothing is at 64");
  EXPECT_EQ(cache.at(64), std::byte{0});
  EXPECT_TRUE(cache.rest_of_piece(64).empty());
}

}  // namespace
}  // namespace kinst
