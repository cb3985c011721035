#include "user/exception_handlers.h"

#include <algorithm>
#include <map>
#include <optional>

#include "unwind/frame_entries.h"

namespace kinst::user {
namespace {

bool can_be_followed(std::uint8_t encoding) {
  return (encoding & pointer_relative_mask) <= pointer_relative_to_itself;
}

// The code of an entry, if it has handlers.
std::optional<CodeRange> read_frame(FrameCursor cursor, const CommonEntry& common) {
  if (common.handlers_encoding == pointer_is_omitted ||
      !can_be_followed(common.pointer_encoding)) {
    return std::nullopt;
  }
  const std::uint64_t begin = take_pointer(cursor, common.pointer_encoding);
  const std::uint64_t size = take_form(cursor, common.pointer_encoding);
  cursor.take_unsigned();  // bytes that follow
  // Zero means that there are none, whatever it is relative to.
  if (take_form(cursor, common.handlers_encoding) == 0 || !cursor.is_good()) {
    return std::nullopt;
  }
  return CodeRange{.begin = begin, .end = begin + size};
}

}  // namespace

std::vector<CodeRange> code_with_handlers(std::span<const std::byte> call_frames,
                                          std::uint64_t address) {
  std::vector<CodeRange> ranges;
  std::map<std::size_t, std::optional<CommonEntry>> commons;
  FrameCursor cursor(call_frames, address);
  while (cursor.is_good()) {
    const auto length = cursor.take<std::uint32_t>();
    const std::size_t begin = cursor.position();
    if (length < sizeof(std::uint32_t) || length > cursor.rest().size()) {
      break;  // the end, or a length of 64 bits, which nobody writes
    }
    FrameCursor entry = cursor.take_bytes(length);
    const auto back = entry.take<std::uint32_t>();
    if (back == 0) {
      commons[begin - sizeof length] = read_common_entry(entry);
    } else if (const auto common = commons.find(begin - back);
               back <= begin && common != commons.end() && common->second) {
      if (const auto range = read_frame(entry, *common->second)) {
        ranges.push_back(*range);
      }
    }
  }
  std::ranges::sort(ranges, {}, &CodeRange::begin);
  return ranges;
}

}  // namespace kinst::user
