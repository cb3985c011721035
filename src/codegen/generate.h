// Generates BPF programs, and the layouts of their records, from a checked program and
// the probes it enables.
#pragma once

#include "base/text/diagnostic.h"
#include "bpf/code/program.h"
#include "codegen/plan/enabled_program.h"
#include "codegen/plan/plan.h"
#include "codegen/plan/storage.h"
#include "record/layout.h"

namespace kinst::codegen {

struct Generated {
  /// programs[i] is to be attached to the probes of plan.groups[i].
  bpf::ObjectSpecification object;
  record::Layouts layouts;
  Storage storage;
};

/// Generates all programs of `plan`. Reports what cannot be generated in `diagnostics`;
/// the result must not be used then.
Generated generate(const EnabledProgram& enabled, const Plan& plan,
                   const StorageOptions& options, Diagnostics& diagnostics);

/// Whether programs of this kind count their calls in kinst_counters::entered. They do
/// if the kernel counts the hits of their probes: the difference is the number of hits
/// at which the kernel did not call the program.
/// attach_type: BPF's attach type that they are loaded with.
bool has_counted_hits(ContextKind context, std::uint32_t attach_type);

}  // namespace kinst::codegen
