// Rules for finding callers, as the runtime reads them.
#pragma once

#include <cstdint>

#include "unwind/call_frames.h"

namespace kinst::user {

/// An element of the map "unwind_rows" (runtime/abi.h): the rule holds from `address`
/// on. A rule that does not fit becomes one of Kind::Unknown.
std::uint64_t unwind_row(std::uint32_t address, const FrameRule& rule);

}  // namespace kinst::user
