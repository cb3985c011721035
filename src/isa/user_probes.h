// What an experiment with a nop of this very program needs.
#pragma once

#include <cstdint>

namespace kinst::isa {

/// Code of this very program with a nop inside that some kernels replace, to find out
/// what this kernel does.
struct NopExperiment {
  std::uint64_t nop = 0;  ///< its address in this process
  /// Keeps the number below the stack pointer while the nop is executed, and returns
  /// what is left of it. Null where this machine has no such nops.
  std::uint64_t (*keep)(std::uint64_t number) = nullptr;
};

}  // namespace kinst::isa
