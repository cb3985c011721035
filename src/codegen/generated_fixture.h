// For tests: D text, checked against a small kernel and generated.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/generate.h"
#include "codegen/plan/plan.h"
#include "d/typed/typed_program.h"
#include "provider/probe.h"
#include "provider/tracing.h"
#include "types/type.h"

namespace kinst::codegen::testing {

/// All stages' values of one text.
struct GeneratedText {
  types::TypeTable types;
  d::typed::Program program;
  std::vector<provider::Probe> probes;
  Plan plan;
  Generated generated;
  std::string diagnostics;  ///< empty if all went well

  /// The code of the program for BEGIN or END, as -S shows it.
  [[nodiscard]] std::string code_of(provider::DtraceProbe which) const;
};

/// text: clauses of BEGIN, END and ERROR, one description each.
std::unique_ptr<GeneratedText> generate_text(std::string_view text,
                                             const StorageOptions& options = {});

/// A probe, and how it is traced.
struct TracedProbe {
  provider::Probe probe;
  provider::TracingMethod tracing;
};

/// text: declarations, and clauses of "PROBE", which is the probe. The checker takes
/// the probe for one that has all that a built-in variable can ask for, so that what
/// there is of it comes out when code is generated.
std::unique_ptr<GeneratedText> generate_at(const TracedProbe& traced,
                                           std::string_view text);

/// A probe for each kind of context.
std::vector<TracedProbe> probes_of_all_contexts();

}  // namespace kinst::codegen::testing
