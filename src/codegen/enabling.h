// What code is generated for: a checked program, the probes it enables, the machine.
#pragma once

#include <span>

#include "codegen/platform.h"
#include "d/typed_program.h"
#include "provider/probe.h"
#include "types/type.h"

namespace kinst::codegen {

/// Owns nothing: all must outlive the call that it is given to.
struct Enabling {
  const d::typed::Program& program;
  const types::TypeTable& types;
  /// All probes that some clause means, each once.
  std::span<const provider::Probe> probes;
  const Platform& platform;
};

}  // namespace kinst::codegen
