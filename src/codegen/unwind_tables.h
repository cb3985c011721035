// How the stacks of processes are walked where the kernel's own way, by frame pointers,
// does not do.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/abi.h"

namespace kinst::codegen {

/// Contents of the maps of the same names; runtime/abi.h says what they mean.
struct UnwindTables {
  kinst_unwinding settings{};
  std::vector<kinst_unwind_range> ranges;  ///< empty: no process is known
  std::vector<std::uint64_t> rows;
};

}  // namespace kinst::codegen
