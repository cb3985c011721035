#include "unwind/unwind_row.h"

#include <gtest/gtest.h>

#include "runtime/abi.h"

namespace kinst::user {
namespace {

using Kind = FrameRule::Kind;
using FramePointer = FrameRule::FramePointer;
using ReturnAddress = FrameRule::ReturnAddress;

// The fields, as runtime/unwind.c takes them apart.
struct Fields {
  std::uint32_t kind = 0;
  std::uint32_t return_address = KINST_FRAME_RETURN_BELOW_CFA;
  std::uint32_t cfa = 0;
  std::uint32_t frame_pointer = KINST_FRAME_FP_KEPT;

  bool operator==(const Fields&) const = default;
};

Fields fields(const FrameRule& rule) {
  const auto low = static_cast<std::uint32_t>(unwind_row(0, rule));
  return {.kind = low >> KINST_FRAME_KIND_SHIFT,
          .return_address = low >> KINST_FRAME_RETURN_SHIFT & KINST_FRAME_RETURN_MASK,
          .cfa = low >> KINST_FRAME_CFA_SHIFT & 0xffffU,
          .frame_pointer = low & KINST_FRAME_FP_MASK};
}

constexpr Fields nothing{.kind = KINST_FRAME_UNKNOWN};

TEST(UnwindRow, HasTheAddressAboveTheRule) {
  EXPECT_EQ(unwind_row(0xfedcba98, {}), 0xfedcba98'00000000U);
}

TEST(UnwindRow, CountsWords) {
  EXPECT_EQ(fields({.kind = Kind::FromStackPointer,
                    .frame_pointer = FramePointer::BelowCfa,
                    .offset = 48,
                    .saved_below = 16}),
            (Fields{.kind = KINST_FRAME_SP, .cfa = 6, .frame_pointer = 2}));
  EXPECT_EQ(fields({.kind = Kind::SavedByFramePointer,
                    .frame_pointer = FramePointer::PointedTo,
                    .offset = 8,
                    .place = -16}),
            (Fields{.kind = KINST_FRAME_FP_SAVED,
                    .cfa = 0xfe01,
                    .frame_pointer = KINST_FRAME_FP_POINTED_TO}));
}

TEST(UnwindRow, SaysWhereTheReturnAddressIs) {
  FrameRule leaf{.kind = Kind::FromStackPointer,
                 .return_address = ReturnAddress::InLink};
  EXPECT_EQ(fields(leaf), (Fields{.kind = KINST_FRAME_SP,
                                  .return_address = KINST_FRAME_RETURN_IN_LINK}));
  FrameRule pair{.kind = Kind::FromStackPointer,
                 .frame_pointer = FramePointer::BelowCfa,
                 .offset = 32,
                 .saved_below = 32,
                 .return_below = 24};
  EXPECT_EQ(fields(pair), (Fields{.kind = KINST_FRAME_SP,
                                  .return_address = KINST_FRAME_RETURN_ABOVE_FP,
                                  .cfa = 4,
                                  .frame_pointer = 4}));
  FrameRule alone{.kind = Kind::FromStackPointer, .offset = 64, .return_below = 32};
  EXPECT_EQ(fields(alone), (Fields{.kind = KINST_FRAME_SP,
                                   .return_address = KINST_FRAME_RETURN_IN_PLACE,
                                   .cfa = 8,
                                   .frame_pointer = 4}));
}

TEST(UnwindRow, SaysNothingOfWhatHasNoRoom) {
  FrameRule rule{.kind = Kind::FromStackPointer, .offset = 12};
  EXPECT_EQ(fields(rule), nothing);
  rule.offset = std::int64_t{8} * 0x10000;
  EXPECT_EQ(fields(rule), nothing);
  rule.offset = std::int64_t{8} * 0xffff;
  EXPECT_EQ(fields(rule), (Fields{.kind = KINST_FRAME_SP, .cfa = 0xffff}));
  rule.frame_pointer = FramePointer::BelowCfa;
  rule.saved_below = std::int64_t{8} * 0x7ff;
  EXPECT_EQ(fields(rule), nothing);
  rule.saved_below = std::int64_t{8} * 0x7fe;
  EXPECT_EQ(fields(rule),
            (Fields{.kind = KINST_FRAME_SP, .cfa = 0xffff, .frame_pointer = 0x7fe}));
  rule.return_below = 24;  // far from the frame pointer
  EXPECT_EQ(fields(rule), nothing);
}

}  // namespace
}  // namespace kinst::user
