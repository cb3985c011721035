// What the readers of .eh_frame share: reading its entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace kinst::user {

/// Reads numbers one after the other. Behind the end it returns zeros, and is_good() is
/// false from then on. The bytes must outlive the cursor and the cursors and texts that
/// it returns.
class FrameCursor {
 public:
  /// `address` is where the bytes are when they are mapped.
  FrameCursor(std::span<const std::byte> bytes, std::uint64_t address)
      : bytes_(bytes), address_(address) {}

  [[nodiscard]] bool is_at_end() const { return at_ >= bytes_.size(); }
  [[nodiscard]] bool is_good() const { return is_good_; }
  [[nodiscard]] std::uint64_t address() const { return address_ + at_; }
  [[nodiscard]] std::size_t position() const { return at_; }
  [[nodiscard]] std::span<const std::byte> rest() const { return bytes_.subspan(at_); }

  template <typename Number>
  Number take() {
    Number value{};
    if (bytes_.size() - at_ < sizeof value) {
      is_good_ = false;
      at_ = bytes_.size();
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  std::uint64_t take_unsigned();  ///< ULEB128; bits beyond 64 are lost
  std::int64_t take_signed();     ///< SLEB128; bits beyond 64 are lost
  /// A cursor over the next `count` bytes, or over fewer if there are not so many.
  FrameCursor take_bytes(std::uint64_t count);
  std::string_view take_text();  ///< up to a zero or the end

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t address_;
  std::size_t at_ = 0;
  bool is_good_ = true;
};

/// How pointers are written: DW_EH_PE_* (Linux Standard Base, "DWARF Extensions").
inline constexpr std::uint8_t pointer_is_omitted = 0xff;
inline constexpr std::uint8_t pointer_form_mask = 0x0f;
inline constexpr std::uint8_t pointer_relative_mask = 0x70;
inline constexpr std::uint8_t pointer_relative_to_itself = 0x10;

/// A number of the encoding's form, relative to nothing.
std::uint64_t take_form(FrameCursor& cursor, std::uint8_t encoding);

/// A pointer, absolute or relative to its own address. Any other base counts as 0. An
/// omitted pointer is 0 and takes no bytes.
std::uint64_t take_pointer(FrameCursor& cursor, std::uint8_t encoding);

/// A CIE (common information entry): what the entries of several functions share.
struct CommonEntry {
  std::uint64_t code_alignment = 1;
  std::int64_t data_alignment = 1;
  std::uint64_t return_register = 0;
  std::uint8_t pointer_encoding = 0;
  std::uint8_t handlers_encoding = pointer_is_omitted;  ///< of the pointer to an LSDA
  bool has_augmentation_data = false;
  bool is_signal_frame = false;
  FrameCursor instructions{{}, 0};
};

/// Reads a CIE; the cursor is behind its length and its mark. Nothing if the CIE is
/// damaged, or its version or augmentation is not known.
std::optional<CommonEntry> read_common_entry(FrameCursor cursor);

}  // namespace kinst::user
