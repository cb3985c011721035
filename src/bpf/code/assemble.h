// From a function's items to its instructions.
#pragma once

#include "base/result.h"
#include "bpf/code/assembled_function.h"
#include "bpf/code/program.h"

namespace kinst::bpf {

/// Resolves the labels of a function and leaves out what nothing can reach, which the
/// verifier would refuse ("unreachable insn").
/// maps: the object's, to give LoadMap its name.
/// Errors: a label that is never bound, or an end that is no exit or jump. That is our
/// bug; the error says so.
Result<AssembledFunction> assemble(const Function& function,
                                   const std::vector<MapSpecification>& maps);

}  // namespace kinst::bpf
