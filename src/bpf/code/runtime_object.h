// The runtime: functions written in C, compiled for BPF when kinst was built.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "bpf/code/assembled_function.h"
#include "bpf/code/program.h"

namespace kinst::bpf {

/// The functions of the runtime, not yet placed in any program, and the maps that hold
/// their constants (".rodata" of each object, frozen).
struct Runtime {
  std::vector<AssembledFunction> functions;
  std::vector<MapSpecification> constants;
};

/// The ELF objects that the build embedded in this command, one for each source file.
std::span<const std::span<const std::byte>> embedded_runtime();

/// Reads objects that `clang -target bpf -g` made.
/// A function whose parameters and result are integers is verified on its own; one that
/// takes a pointer or returns nothing at each call. A symbol in section ".maps", or one
/// that is not defined, is a map of the object it gets linked into, by name; an
/// undefined function is a function of the program it gets linked into.
/// Errors: not a BPF object, variables that can be written, two functions of one name.
Result<Runtime> read_runtime(std::span<const std::span<const std::byte>> objects);

}  // namespace kinst::bpf
