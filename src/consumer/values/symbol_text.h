// Addresses, stacks and probes as text. Their names come from programs and files, so
// control characters in them are replaced (base/text/printable.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "consumer/values/symbolizer.h"
#include "record/decode.h"

namespace kinst::consumer {

/// An address: "vmlinux`vfs_read+0x1c"; "ext4`0xffff…" if only the module is known;
/// "0xffff…" if nothing is known.
std::string address_text(Symbolizer& names, const record::Address& address);

/// The address of a stack's frame as text. number: 0 for the innermost frame. The
/// addresses of the other frames are return addresses. If a call is a function's last
/// instruction, its return address is behind the function; the function is named
/// nevertheless.
std::string frame_text(Symbolizer& names, const record::Frames& frames,
                       std::size_t number);

/// The result of sym(), func(), mod() and their user-space relatives: an address
/// without the offset, or only its module. `meaning` says which of them.
std::string symbol_text(Symbolizer& names, record::Meaning meaning,
                        const record::Address& address);

/// A part of a probe's name, or a fact about its instruction; `meaning` says which.
/// "<unknown>" for an unknown probe.
std::string probe_text(Symbolizer& names, record::Meaning meaning, std::uint64_t key);

/// Appends a stack: a newline, then a line for each frame, indented.
void append_stack(std::string& out, Symbolizer& names, const record::Frames& frames,
                  std::uint32_t indent);

}  // namespace kinst::consumer
