// Tables for walking the stacks of processes where the kernel's own way, by frame
// pointers, is not enough.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/abi.h"

namespace kinst::codegen {

/// The contents of the maps of the same names; see runtime/abi.h.
struct UnwindTables {
  kinst_unwinding settings{};
  std::vector<kinst_unwind_range> ranges;  ///< empty: no process is known
  std::vector<std::uint64_t> rows;
};

}  // namespace kinst::codegen
