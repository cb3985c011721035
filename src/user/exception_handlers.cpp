#include "user/exception_handlers.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>

namespace kinst::user {
namespace {

constexpr std::uint8_t omitted = 0xff;

// Reads forward; what is beyond the end reads as 0 and is remembered.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, std::uint64_t address)
      : bytes_(bytes), address_(address) {}

  [[nodiscard]] bool is_good() const { return is_good_; }
  [[nodiscard]] std::size_t at() const { return at_; }
  void go_to(std::size_t at) { at_ = at; }

  template <typename Number>
  Number number() {
    Number value{};
    if (!is_good_ || bytes_.size() - at_ < sizeof value) {
      is_good_ = false;
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  std::uint64_t leb128() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; is_good_ && shift < 64; shift += 7) {
      const auto byte = number<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) == 0) {
        break;
      }
    }
    return value;
  }

  std::string text() {
    std::string text;
    while (char letter = number<char>()) {
      text += letter;
    }
    return text;
  }

  // A pointer by its DW_EH_PE_ encoding: absolute, or relative to where it stands. Zero
  // means none in either.
  std::uint64_t pointer(std::uint8_t encoding) {
    const std::uint64_t here = address_ + at_;
    const std::uint64_t value = raw(encoding & 0x0fU);
    const unsigned relative_to = encoding & 0x70U;
    if (relative_to > 0x10 || (encoding & 0x80U) != 0) {
      is_good_ = false;
    }
    return value != 0 && relative_to == 0x10 ? here + value : value;
  }

 private:
  std::uint64_t raw(unsigned format) {
    switch (format) {
      case 0x0:
      case 0x4:
      case 0xc:
        return number<std::uint64_t>();
      case 0x3:
        return number<std::uint32_t>();
      case 0xb:
        return static_cast<std::uint64_t>(std::int64_t{number<std::int32_t>()});
      default:
        is_good_ = false;
        return 0;
    }
  }

  std::span<const std::byte> bytes_;
  std::uint64_t address_;
  std::size_t at_ = 0;
  bool is_good_ = true;
};

// What the frames of a common entry are like.
struct Common {
  std::uint8_t code_encoding = 0;
  std::uint8_t handlers_encoding = omitted;
};

std::optional<Common> read_common(Cursor cursor) {
  Common common;
  const auto version = cursor.number<std::uint8_t>();
  const std::string augmentation = cursor.text();
  cursor.leb128();  // code alignment
  cursor.leb128();  // data alignment
  if (version == 1) {
    cursor.number<std::uint8_t>();
  } else {
    cursor.leb128();  // return address register
  }
  if (augmentation.empty()) {
    return common;
  }
  if (augmentation.front() != 'z') {
    return std::nullopt;
  }
  cursor.leb128();  // bytes that follow
  for (const char letter : augmentation.substr(1)) {
    if (letter == 'L') {
      common.handlers_encoding = cursor.number<std::uint8_t>();
    } else if (letter == 'R') {
      common.code_encoding = cursor.number<std::uint8_t>();
    } else if (letter == 'P') {
      const auto encoding = cursor.number<std::uint8_t>();
      constexpr std::uint8_t indirect = 0x80;
      cursor.pointer(static_cast<std::uint8_t>(encoding & ~indirect));
    } else if (letter != 'S' && letter != 'B') {
      return std::nullopt;
    }
  }
  return cursor.is_good() ? std::optional(common) : std::nullopt;
}

std::optional<CodeRange> read_frame(Cursor cursor, const Common& common) {
  const std::uint64_t begin = cursor.pointer(common.code_encoding);
  const std::uint64_t size = cursor.pointer(common.code_encoding & 0x0fU);
  cursor.leb128();  // bytes that follow
  if (common.handlers_encoding == omitted ||
      cursor.pointer(common.handlers_encoding) == 0 || !cursor.is_good()) {
    return std::nullopt;
  }
  return CodeRange{.begin = begin, .end = begin + size};
}

}  // namespace

std::vector<CodeRange> code_with_handlers(std::span<const std::byte> call_frames,
                                          std::uint64_t address) {
  std::vector<CodeRange> ranges;
  std::map<std::size_t, std::optional<Common>> commons;
  Cursor cursor(call_frames, address);
  while (cursor.is_good()) {
    const auto length = cursor.number<std::uint32_t>();
    const std::size_t begin = cursor.at();
    if (length < sizeof(std::uint32_t) || length > call_frames.size() - begin) {
      break;  // the end, or a length of 64 bits, which nobody writes
    }
    const auto back = cursor.number<std::uint32_t>();
    if (back == 0) {
      commons[begin - sizeof length] = read_common(cursor);
    } else if (const auto common = commons.find(begin - back);
               back <= begin && common != commons.end() && common->second) {
      if (const auto range = read_frame(cursor, *common->second)) {
        ranges.push_back(*range);
      }
    }
    cursor.go_to(begin + length);
  }
  std::ranges::sort(ranges, {}, &CodeRange::begin);
  return ranges;
}

}  // namespace kinst::user
