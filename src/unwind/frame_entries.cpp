#include "unwind/frame_entries.h"

#include <algorithm>

namespace kinst::user {

std::uint64_t FrameCursor::take_unsigned() {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = take<std::uint8_t>();
    value |= shift < 64 ? std::uint64_t{byte & 0x7fU} << shift : 0;
    if ((byte & 0x80U) == 0) {
      return value;
    }
  }
}

std::int64_t FrameCursor::take_signed() {
  std::uint64_t value = 0;
  unsigned shift = 0;
  std::uint8_t byte = 0;
  do {
    byte = take<std::uint8_t>();
    value |= shift < 64 ? std::uint64_t{byte & 0x7fU} << shift : 0;
    shift += 7;
  } while ((byte & 0x80U) != 0);
  if (shift < 64 && (byte & 0x40U) != 0) {
    value |= ~std::uint64_t{0} << shift;
  }
  return static_cast<std::int64_t>(value);
}

FrameCursor FrameCursor::take_bytes(std::uint64_t count) {
  const std::uint64_t have = std::min<std::uint64_t>(count, bytes_.size() - at_);
  is_good_ = is_good_ && have == count;
  FrameCursor part(bytes_.subspan(at_, have), address());
  at_ += have;
  return part;
}

std::string_view FrameCursor::take_text() {
  const auto* begin = reinterpret_cast<const char*>(bytes_.data() + at_);
  const std::string_view text(begin, strnlen(begin, bytes_.size() - at_));
  at_ = std::min(bytes_.size(), at_ + text.size() + 1);
  return text;
}

std::uint64_t take_form(FrameCursor& cursor, std::uint8_t encoding) {
  const auto extended = [](auto value) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  };
  switch (encoding & pointer_form_mask) {
    case 0x1:
      return cursor.take_unsigned();
    case 0x2:
      return cursor.take<std::uint16_t>();
    case 0x3:
      return cursor.take<std::uint32_t>();
    case 0x9:
      return extended(cursor.take_signed());
    case 0xa:
      return extended(cursor.take<std::int16_t>());
    case 0xb:
      return extended(cursor.take<std::int32_t>());
    default:  // absptr, udata8, sdata8
      return cursor.take<std::uint64_t>();
  }
}

std::uint64_t take_pointer(FrameCursor& cursor, std::uint8_t encoding) {
  const std::uint64_t base =
      (encoding & pointer_relative_mask) == pointer_relative_to_itself
          ? cursor.address()
          : 0;
  return encoding == pointer_is_omitted ? 0 : base + take_form(cursor, encoding);
}

std::optional<CommonEntry> read_common_entry(FrameCursor cursor) {
  CommonEntry common;
  const auto version = cursor.take<std::uint8_t>();
  const std::string_view augmentation = cursor.take_text();
  common.code_alignment = cursor.take_unsigned();
  common.data_alignment = cursor.take_signed();
  common.return_register =
      version == 1 ? cursor.take<std::uint8_t>() : cursor.take_unsigned();
  if (augmentation.starts_with('z')) {
    common.has_augmentation_data = true;
    FrameCursor data = cursor.take_bytes(cursor.take_unsigned());
    for (const char letter : augmentation.substr(1)) {
      if (letter == 'R') {
        common.pointer_encoding = data.take<std::uint8_t>();
      } else if (letter == 'P') {
        const auto encoding = data.take<std::uint8_t>();
        take_pointer(data, encoding);
      } else if (letter == 'L') {
        common.handlers_encoding = data.take<std::uint8_t>();
      } else if (letter == 'S') {
        common.is_signal_frame = true;
      } else {
        break;  // what follows is of an unknown form
      }
    }
  } else if (!augmentation.empty()) {
    return std::nullopt;
  }
  common.instructions = cursor;
  return cursor.is_good() && (version == 1 || version == 3 || version == 4)
             ? std::optional(common)
             : std::nullopt;
}

}  // namespace kinst::user
