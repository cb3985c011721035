// The functions that the kernel's BTF names, for users who may not read the function
// tracer's list.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace kinst::types {

struct FunctionName {
  std::string module;  ///< "vmlinux" or a module's name
  std::string name;
};

/// All functions of the kernel and of its modules, in BTF's order, the kernel's first.
/// directory: where BTF files are.
/// Errors: the kernel has no BTF, it cannot be read, or it is damaged.
Result<std::vector<FunctionName>> function_names(
    const std::string& directory = "/sys/kernel/btf");

}  // namespace kinst::types
