// What gcc does is the truth: the expected places are those of the struct beside them.
#include "types/lay_out.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace kinst::types {
namespace {

class Layout : public testing::Test {
 protected:
  TypeId character() const { return table_.char_type(); }
  TypeId integer() const { return table_.int_type(); }
  TypeId quad() const { return table_.int64_type(); }

  Record lay_out(const std::vector<MemberDeclaration>& members,
                 RecordKind kind = RecordKind::Struct) {
    auto record = types::lay_out(table_, kind, "s", members);
    EXPECT_TRUE(record);
    return record.value_or(Record{});
  }
  static std::vector<std::uint64_t> places(const Record& record) {
    std::vector<std::uint64_t> places;
    for (const Member& member : record.members) {
      places.push_back(member.offset_bits);
    }
    return places;
  }

  TypeTable table_;
};

// The lowest bit that a change of one member of a zeroed struct sets.
template <typename Struct, typename Set>
std::uint64_t lowest_bit(Set set) {
  Struct value{};
  std::memset(&value, 0, sizeof(value));
  set(value);
  std::array<unsigned char, sizeof(Struct)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof(value));
  for (std::uint64_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    if ((bytes.at(bit / 8) >> (bit % 8) & 1U) != 0) {
      return bit;
    }
  }
  return ~std::uint64_t{0};
}

TEST_F(Layout, PadsMembersToTheirAlignmentAndTheEndToTheLargest) {
  struct Expected {
    char a;
    std::int64_t b;
    int c;
    std::array<char, 3> d;
  };
  const Record record =
      lay_out({{.name = "a", .type = character()},
               {.name = "b", .type = quad()},
               {.name = "c", .type = integer()},
               {.name = "d", .type = table_.array_of(character(), 3)}});
  EXPECT_EQ(record.size_bytes, sizeof(Expected));
  EXPECT_EQ(places(record), (std::vector<std::uint64_t>{
                                8 * offsetof(Expected, a), 8 * offsetof(Expected, b),
                                8 * offsetof(Expected, c), 8 * offsetof(Expected, d)}));
}

TEST_F(Layout, PutsAllMembersOfAUnionAtItsStart) {
  const Record record = lay_out({{.name = "a", .type = character()},
                                 {.name = "b", .type = table_.array_of(integer(), 3)},
                                 {.name = "c", .type = quad()}},
                                RecordKind::Union);
  EXPECT_EQ(record.size_bytes, 16U);
  EXPECT_EQ(places(record), (std::vector<std::uint64_t>{0, 0, 0}));
}

TEST_F(Layout, MovesABitFieldThatWouldCrossItsUnit) {
  struct Expected {
    char a;
    int b : 20;
    int c : 5;
    std::int64_t d : 40;
    char e : 7;
  };
  const Record record = lay_out({{.name = "a", .type = character()},
                                 {.name = "b", .type = integer(), .width_bits = 20},
                                 {.name = "c", .type = integer(), .width_bits = 5},
                                 {.name = "d", .type = quad(), .width_bits = 40},
                                 {.name = "e", .type = character(), .width_bits = 7}});
  EXPECT_EQ(record.size_bytes, sizeof(Expected));
  EXPECT_EQ(places(record), (std::vector<std::uint64_t>{
                                lowest_bit<Expected>([](auto& s) { s.a = 1; }),
                                lowest_bit<Expected>([](auto& s) { s.b = 1; }),
                                lowest_bit<Expected>([](auto& s) { s.c = 1; }),
                                lowest_bit<Expected>([](auto& s) { s.d = 1; }),
                                lowest_bit<Expected>([](auto& s) { s.e = 1; })}));
}

TEST_F(Layout, EndsTheUnitAtAZeroWidthAndSkipsUnnamedBits) {
  struct Expected {
    char a : 3;
    char : 2;
    char b : 2;
    int : 0;
    char c : 2;
  };
  const Record record = lay_out({{.name = "a", .type = character(), .width_bits = 3},
                                 {.type = character(), .width_bits = 2},
                                 {.name = "b", .type = character(), .width_bits = 2},
                                 {.type = integer(), .width_bits = 0},
                                 {.name = "c", .type = character(), .width_bits = 2}});
  EXPECT_EQ(record.size_bytes, sizeof(Expected));
  EXPECT_EQ(places(record), (std::vector<std::uint64_t>{
                                lowest_bit<Expected>([](auto& s) { s.a = 1; }),
                                lowest_bit<Expected>([](auto& s) { s.b = 1; }),
                                lowest_bit<Expected>([](auto& s) { s.c = 1; })}));
}

TEST_F(Layout, GivesAnEmptyStructNoSizeAndAFlexibleArrayNone) {
  EXPECT_EQ(lay_out({}).size_bytes, 0U);
  EXPECT_EQ(lay_out({{.name = "count", .type = integer()},
                     {.name = "items", .type = table_.array_of(quad(), 0)}})
                .size_bytes,
            8U);
}

TEST_F(Layout, RefusesWhatDoesNotFit32Bits) {
  const TypeId half = table_.array_of(character(), std::uint64_t{1} << 31);
  EXPECT_FALSE(
      types::lay_out(table_, RecordKind::Struct, "s",
                     {{.name = "a", .type = half}, {.name = "b", .type = half}}));
  EXPECT_TRUE(
      types::lay_out(table_, RecordKind::Union, "s",
                     {{.name = "a", .type = half}, {.name = "b", .type = half}}));
}

}  // namespace
}  // namespace kinst::types
