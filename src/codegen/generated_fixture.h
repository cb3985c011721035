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
#include "types/type.h"

namespace kinst::codegen::testing {

/// All stages' values of one text.
struct GeneratedText {
  types::TypeTable types;
  d::typed::Program program;
  std::vector<provider::Probe> probes;  ///< BEGIN, END, ERROR
  Plan plan;
  Generated generated;
  std::string diagnostics;  ///< empty if all went well

  /// The code of the program for BEGIN or END, as -S shows it.
  [[nodiscard]] std::string code_of(provider::DtraceProbe which) const;
};

/// text: clauses of BEGIN, END and ERROR, one description each.
std::unique_ptr<GeneratedText> generate_text(std::string_view text,
                                             const StorageOptions& options = {});

}  // namespace kinst::codegen::testing
