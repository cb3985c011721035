// Which kernel runs.
#pragma once

#include <string>

namespace kinst::kernel {

/// "6.1.0-57-cloud-amd64", as `uname -r` says; empty if the kernel does not tell.
std::string running_release();

}  // namespace kinst::kernel
