// Which code of a file handles exceptions, as .eh_frame tells. Only compilers write
// that, and they put no data among instructions.
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

/// The functions (or parts of them) that have a table of landing pads, in address
/// order. What is damaged or of a form not understood is left out. call_frames: the
/// contents of .eh_frame; address: where it is loaded. Source: Linux Standard Base,
/// "Exception Frames".
std::vector<CodeRange> code_with_handlers(std::span<const std::byte> call_frames,
                                          std::uint64_t address);

}  // namespace kinst::user
