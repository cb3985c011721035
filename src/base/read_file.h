// Whole files, also those of /proc and /sys, whose size is not known beforehand.
#pragma once

#include <string>

#include "base/result.h"

namespace kinst {

/// Everything that can be read from the file at `path`.
Result<std::string> read_file(const std::string& path);

}  // namespace kinst
