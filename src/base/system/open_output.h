// Files that output is appended to.
#pragma once

#include <string>

#include "base/result.h"
#include "base/system/file_descriptor.h"

namespace kinst {

/// Opens the file for appending, and creates it if it does not exist. If the file is a
/// FIFO, waits for a reader until a stop signal comes. Errors: "cannot open PATH:
/// CAUSE".
Result<FileDescriptor> open_to_append(const std::string& path);

}  // namespace kinst
