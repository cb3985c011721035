// How code of a file finds its caller's frame. Read from the call frame information
// that compilers write for exceptions: the section .eh_frame, which strip(1) leaves in
// place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kinst::user {

/// The numbers that DWARF gives to a machine's registers.
struct FrameRegisters {
  std::uint64_t stack_pointer = 0;
  std::uint64_t frame_pointer = 0;
  /// The register in which a call leaves the return address; nothing where it pushes
  /// the return address, so that it is in the word below the CFA.
  std::optional<std::uint64_t> link;
};

/// CFA is DWARF's word for the stack pointer as it was before the call. Offsets are
/// bytes.
struct FrameRule {
  enum class Kind : std::uint8_t {
    Unknown,              ///< no information, or of a kind that is not understood
    FromStackPointer,     ///< CFA = the stack pointer + offset
    FromFramePointer,     ///< CFA = the frame pointer + offset
    SavedByStackPointer,  ///< CFA = what is at stack pointer + place, + offset
    SavedByFramePointer,  ///< CFA = what is at frame pointer + place, + offset
    LinkageStub,          ///< CFA = the stack pointer + 8, + 8 more from byte `offset`
                          ///< of each 16 bytes of code on
    SignalReturn,         ///< the caller is what a signal interrupted
    Outermost,            ///< there is no caller, or none that can be found
  } kind = Kind::Unknown;
  enum class FramePointer : std::uint8_t {
    Kept,       ///< the caller's is in its register
    BelowCfa,   ///< it is saved_below bytes below the CFA
    PointedTo,  ///< it is where the frame pointer points
  } frame_pointer = FramePointer::Kept;
  std::int64_t offset = 0;
  std::int64_t place = 0;
  std::int64_t saved_below = 0;
  enum class ReturnAddress : std::uint8_t {
    BelowCfa,  ///< it is return_below bytes below the CFA
    InLink,    ///< it is still in the link register
  } return_address = ReturnAddress::BelowCfa;
  std::int64_t return_below = 8;

  bool operator==(const FrameRule&) const = default;
};

/// A rule, and the address from which on it holds, up to the next row's.
struct FrameRow {
  std::uint64_t address = 0;
  FrameRule rule;

  bool operator==(const FrameRow&) const = default;
};

/// The section's contents as read from a file, and the address it is loaded at.
struct CallFrameSection {
  /// A larger section is not read at all.
  static constexpr std::uint64_t most_bytes = 64U << 20U;

  std::uint64_t address = 0;
  std::vector<std::byte> bytes;
};

/// Rows in address order, each different from the one before; code without information
/// has rows of Kind::Unknown. What is damaged or of a form not understood is left out,
/// and so is what comes behind four million rows. Source: Linux Standard Base,
/// "Exception Frames"; DWARF 4, 6.4.
std::vector<FrameRow> read_call_frames(const CallFrameSection& section,
                                       const FrameRegisters& registers);

}  // namespace kinst::user
