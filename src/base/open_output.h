// Files that output is appended to.
#pragma once

#include <string>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace kinst {

/// Opens the file to append to it; makes it where there is none. Waits for a reader
/// where it is a FIFO, until a stop signal comes. Errors: "cannot open PATH: CAUSE".
Result<FileDescriptor> open_to_append(const std::string& path);

}  // namespace kinst
