// The same rows as the reader of .eh_frame makes, made by elfutils.
#pragma once

#include <vector>

#include "unwind/call_frames.h"

namespace kinst::user {

/// What read_call_frames() gives for a section of x86-64, or of arm64 if there is a
/// link register, but made by libdw's interpreter. Nothing limits its time or memory:
/// only for files that are trusted.
std::vector<FrameRow> rows_by_libdw(const CallFrameSection& section,
                                    const FrameRegisters& registers);

}  // namespace kinst::user
