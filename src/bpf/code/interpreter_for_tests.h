// For tests: executes generated code without a kernel.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "bpf/code/assembled_function.h"
#include "bpf/code/bpf_instruction.h"

namespace kinst::bpf::testing {

/// What a helper of the kernel returns for R1 to R5.
using CallHelper =
    std::function<std::uint64_t(Helper, const std::array<std::uint64_t, 5>&)>;

/// Executes a function that refers to nothing by name, and returns its R0. Addresses
/// are those of this process. context: what R1 points to at the beginning. Source: the
/// kernel's Documentation/bpf/instruction-set.rst.
std::uint64_t interpret(const AssembledFunction& function, const void* context,
                        const CallHelper& call);

}  // namespace kinst::bpf::testing
