#include <gtest/gtest.h>

#include "isa/isa.h"

// tests/arguments compares the same with what gcc does, for all prototypes of a kernel.
namespace kinst::isa {
namespace {

using Words = std::vector<std::uint32_t>;

ValueShape scalar(std::uint64_t size_bytes,
                  ScalarClass scalar_class = ScalarClass::Integer) {
  return {.size_bytes = size_bytes,
          .alignment_bytes = size_bytes,
          .scalars = {{.offset_bits = 0,
                       .width_bits = 8 * size_bytes,
                       .scalar_class = scalar_class}}};
}

ValueShape words(std::uint64_t count) {
  ValueShape shape{.size_bytes = 8 * count, .alignment_bytes = 8, .scalars = {}};
  for (std::uint64_t word = 0; word < count; ++word) {
    shape.scalars.push_back({.offset_bits = 64 * word, .width_bits = 64});
  }
  return shape;
}

std::vector<Words> places(const std::vector<ValueShape>& parameters,
                          const std::optional<ValueShape>& result = std::nullopt) {
  std::vector<Words> all;
  for (const ParameterPlace& place :
       x86_64()
           .function_places({.parameters = parameters, .result = result})
           .parameters) {
    all.push_back(place.words);
  }
  return all;
}

TEST(Calls, PutASmallStructIntoTwoRegisters) {
  EXPECT_EQ(places({scalar(4), words(2), scalar(4)}),
            (std::vector<Words>{{0}, {1, 2}, {3}}));
}

TEST(Calls, PutAStructOnTheStackAsAWholeAndUseTheLastRegister) {
  const ValueShape one = scalar(8);
  EXPECT_EQ(places({one, one, one, one, one, words(2), one, one}),
            (std::vector<Words>{{0}, {1}, {2}, {3}, {4}, {6, 7}, {5}, {8}}));
}

TEST(Calls, PutWhatIsLargeOrUnalignedOnTheStack) {
  ValueShape packed = words(2);
  packed.scalars[1].is_unaligned = true;
  EXPECT_EQ(places({scalar(4), words(3), packed, scalar(4)}),
            (std::vector<Words>{{0}, {6, 7, 8}, {9, 10}, {1}}));
}

TEST(Calls, AlignA128BitNumberOnTheStackOnly) {
  const ValueShape one = scalar(8);
  EXPECT_EQ(places({one, scalar(16), one, one, one, one, scalar(16)}),
            (std::vector<Words>{{0}, {1, 2}, {3}, {4}, {5}, {6}, {8, 9}}));
}

TEST(Calls, GiveTheAddressOfALargeResultFirst) {
  EXPECT_EQ(places({scalar(4)}, words(3)), (std::vector<Words>{{1}}));
  EXPECT_EQ(places({scalar(4)}, words(2)), (std::vector<Words>{{0}}));
}

TEST(Calls, PassFloatingPointNumbersWhereProbesDoNotSee) {
  const FunctionPlaces found = x86_64().function_places(
      {.parameters = {scalar(4, ScalarClass::Float), scalar(4)},
       .result = scalar(8, ScalarClass::Float)});
  EXPECT_FALSE(found.parameters[0].is_readable);
  EXPECT_EQ(found.parameters[1].words, Words{0});
  EXPECT_EQ(found.result, ResultKind::Unreadable);
}

TEST(Calls, PassNothingOfAnEmptyStruct) {
  EXPECT_EQ(places({ValueShape{}, scalar(4)}), (std::vector<Words>{{}, {0}}));
}

}  // namespace
}  // namespace kinst::isa
