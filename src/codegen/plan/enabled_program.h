// The input of code generation: a checked program, the probes it enables, the machine.
#pragma once

#include <span>

#include "codegen/plan/platform.h"
#include "d/typed/typed_program.h"
#include "provider/tracing.h"
#include "types/type.h"

namespace kinst::codegen {

/// Owns nothing. Everything must outlive the call that it is passed to.
struct EnabledProgram {
  const d::typed::Program& program;
  const types::TypeTable& types;
  /// All probes that some clause's description matches, each once.
  std::span<const provider::Probe> probes;
  /// How each of them is traced.
  std::span<const provider::TracingMethod> tracing;
  const Platform& platform;
};

}  // namespace kinst::codegen
