#include "run/held_records.h"

#include <gtest/gtest.h>

#include <string>

namespace kinst::run {
namespace {

// What comes out of records named by their first letters, 4 bytes each, with room for
// two and a half.
struct Holding {
  std::string out;
  HeldRecords records;

  explicit Holding(BufferPolicy policy)
      : records(policy, 10, [this](std::span<const std::byte> record) {
          out += static_cast<char>(record.front());
        }) {}

  void add(std::string_view names) {
    for (const char name : names) {
      records.add(std::vector<std::byte>(4, static_cast<std::byte>(name)));
    }
  }
};

TEST(HeldRecords, GoOnAtOnceWithSwitch) {
  Holding holding(BufferPolicy::Switch);
  holding.add("abc");
  EXPECT_EQ(holding.out, "abc");
}

TEST(HeldRecords, AreTheNewestWithRing) {
  Holding holding(BufferPolicy::Ring);
  holding.add("abcd");
  EXPECT_EQ(holding.out, "");
  holding.records.release();
  EXPECT_EQ(holding.out, "cd");
  EXPECT_FALSE(holding.records.is_full());
}

TEST(HeldRecords, AreTheOldestWithFillAndThoseOfTheEnd) {
  Holding holding(BufferPolicy::Fill);
  holding.add("ab");
  EXPECT_FALSE(holding.records.is_full());
  holding.add("c");
  EXPECT_TRUE(holding.records.is_full());
  holding.records.end_of_run();
  holding.add("d");
  holding.records.release();
  EXPECT_EQ(holding.out, "abd");
}

}  // namespace
}  // namespace kinst::run
