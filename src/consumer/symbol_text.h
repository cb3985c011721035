// Addresses, stacks and probes as text. Their names are as somebody wrote them into a
// program or called a file: control characters in them are shown as base/printable.h
// has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "consumer/histogram.h"
#include "consumer/names.h"
#include "record/decode.h"

namespace kinst::consumer {

/// How addresses and probes are told.
struct Naming {
  Names& names;
  std::uint32_t stack_indent = 14;  ///< the option stackindent
  DrawingOptions drawing;
  /// Strings of the program go to a terminal, which must not obey them.
  bool escapes_controls = false;
};

/// "vmlinux`vfs_read+0x1c", "ext4`0xffff…" where only the module is known, "0xffff…"
/// where nothing is.
std::string address_text(Names& names, const record::Address& address);

/// The same for the frame of a stack with that number, 0 the innermost. Others'
/// addresses are where calls return to, which is behind the function where the call is
/// its end.
std::string frame_text(Names& names, const record::Frames& frames, std::size_t number);

/// What sym(), func(), mod() and their user-space relatives make of an address: the
/// same without the offset, or the module alone. `meaning` is that of one of them.
std::string symbol_text(Names& names, record::Meaning meaning,
                        const record::Address& address);

/// What a probe's part, or what is known of its instruction, is called; `meaning` says
/// which. A probe that is not known is "<unknown>".
std::string probe_text(Names& names, record::Meaning meaning, std::uint64_t key);

/// Appends a stack: a newline, then a line for each frame, indented.
void append_stack(std::string& out, Names& names, const record::Frames& frames,
                  std::uint32_t indent);

}  // namespace kinst::consumer
