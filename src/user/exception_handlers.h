// Which code of a file has exception handlers, according to .eh_frame. Only compilers
// write these entries, and compilers put no data among instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kinst::user {

/// Addresses are the file's own.
struct CodeRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool operator==(const CodeRange&) const = default;
};

/// The functions, or parts of functions, that have a table of landing pads, in address
/// order. Entries that are damaged or not understood are left out. call_frames: the
/// contents of .eh_frame; address: where it is loaded. Source: Linux Standard Base,
/// "Exception Frames".
std::vector<CodeRange> code_with_handlers(std::span<const std::byte> call_frames,
                                          std::uint64_t address);

}  // namespace kinst::user
