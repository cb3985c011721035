// Offsets become numbers of words. What no compiler writes has no room: stacks of more
// than half a megabyte, frame pointers saved more than 16 KB below the CFA.
#include "unwind/unwind_row.h"

#include <optional>

#include "runtime/abi.h"

namespace kinst::user {
namespace {

constexpr std::int64_t word_bytes = 8;

// The number of words; nothing if it is not between the two.
std::optional<std::uint32_t> words(std::int64_t bytes, std::int64_t least,
                                   std::int64_t most) {
  const std::int64_t count = bytes / word_bytes;
  return bytes % word_bytes == 0 && count >= least && count <= most
             ? std::optional(static_cast<std::uint32_t>(count))
             : std::nullopt;
}

std::optional<std::uint32_t> cfa_field(const FrameRule& rule) {
  switch (rule.kind) {
    case FrameRule::Kind::FromStackPointer:
    case FrameRule::Kind::FromFramePointer:
      return words(rule.offset, 0, 0xffff);
    case FrameRule::Kind::SavedByStackPointer:
    case FrameRule::Kind::SavedByFramePointer: {
      const auto place = words(rule.place, -128, 127);
      const auto more = words(rule.offset, 0, 0xff);
      return place && more ? std::optional((*place & 0xffU) << 8U | *more)
                           : std::nullopt;
    }
    case FrameRule::Kind::LinkageStub:
      return static_cast<std::uint32_t>(rule.offset);
    case FrameRule::Kind::Unknown:
    case FrameRule::Kind::SignalReturn:
    case FrameRule::Kind::Outermost:
      return 0;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> frame_pointer_field(const FrameRule& rule) {
  switch (rule.frame_pointer) {
    case FrameRule::FramePointer::Kept:
      return KINST_FRAME_FP_KEPT;
    case FrameRule::FramePointer::PointedTo:
      return KINST_FRAME_FP_POINTED_TO;
    case FrameRule::FramePointer::BelowCfa:
      return words(rule.saved_below, 1, KINST_FRAME_FP_POINTED_TO - 1);
  }
  return std::nullopt;
}

// The field of the return address, and the lowest one, which the two share.
struct SavedFields {
  kinst_frame_return return_address = KINST_FRAME_RETURN_BELOW_CFA;
  std::uint32_t frame_pointer = KINST_FRAME_FP_KEPT;
};

std::optional<SavedFields> saved_fields(const FrameRule& rule) {
  const auto frame_pointer = frame_pointer_field(rule);
  if (!frame_pointer) {
    return std::nullopt;
  }
  if (rule.return_address == FrameRule::ReturnAddress::InLink) {
    return SavedFields{KINST_FRAME_RETURN_IN_LINK, *frame_pointer};
  }
  if (rule.return_below == word_bytes) {
    return SavedFields{KINST_FRAME_RETURN_BELOW_CFA, *frame_pointer};
  }
  if (rule.frame_pointer == FrameRule::FramePointer::BelowCfa) {
    return rule.return_below == rule.saved_below - word_bytes
               ? std::optional(SavedFields{KINST_FRAME_RETURN_ABOVE_FP, *frame_pointer})
               : std::nullopt;
  }
  const auto place = words(rule.return_below, 1, KINST_FRAME_FP_POINTED_TO - 1);
  return place && rule.frame_pointer == FrameRule::FramePointer::Kept
             ? std::optional(SavedFields{KINST_FRAME_RETURN_IN_PLACE, *place})
             : std::nullopt;
}

kinst_frame_kind kind_of(FrameRule::Kind kind) {
  switch (kind) {
    case FrameRule::Kind::Unknown:
      return KINST_FRAME_UNKNOWN;
    case FrameRule::Kind::FromStackPointer:
      return KINST_FRAME_SP;
    case FrameRule::Kind::FromFramePointer:
      return KINST_FRAME_FP;
    case FrameRule::Kind::SavedByStackPointer:
      return KINST_FRAME_SP_SAVED;
    case FrameRule::Kind::SavedByFramePointer:
      return KINST_FRAME_FP_SAVED;
    case FrameRule::Kind::LinkageStub:
      return KINST_FRAME_STUB;
    case FrameRule::Kind::SignalReturn:
      return KINST_FRAME_SIGNAL;
    case FrameRule::Kind::Outermost:
      return KINST_FRAME_OUTERMOST;
  }
  return KINST_FRAME_UNKNOWN;
}

}  // namespace

std::uint64_t unwind_row(std::uint32_t address, const FrameRule& rule) {
  const auto cfa = cfa_field(rule);
  const auto saved = saved_fields(rule);
  std::uint32_t packed = 0;
  if (cfa && saved) {
    packed = static_cast<std::uint32_t>(kind_of(rule.kind)) << KINST_FRAME_KIND_SHIFT |
             static_cast<std::uint32_t>(saved->return_address)
                 << KINST_FRAME_RETURN_SHIFT |
             *cfa << KINST_FRAME_CFA_SHIFT | saved->frame_pointer;
  }
  return std::uint64_t{address} << 32U | packed;
}

}  // namespace kinst::user
