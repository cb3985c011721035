// A checked program and the probes it means, to BPF and the layouts of its records.
#pragma once

#include "base/diagnostic.h"
#include "bpf/program.h"
#include "codegen/enabling.h"
#include "codegen/plan.h"
#include "codegen/storage.h"
#include "record/layout.h"

namespace kinst::codegen {

struct Generated {
  /// programs[i] is to be attached to the probes of plan.groups[i].
  bpf::ObjectSpecification object;
  record::Layouts layouts;
  Storage storage;
};

/// Generates every program of `plan`. What cannot be generated is told in
/// `diagnostics`; the result is then not to be used.
Generated generate(const Enabling& enabling, const Plan& plan,
                   const StorageOptions& options, Diagnostics& diagnostics);

/// Whether programs of this kind, loaded for that (BPF's attach type), count in
/// kinst_counters::entered each time that they are called: where the kernel counts the
/// hits of their probes, so that the hits at which it called none are the difference.
bool has_counted_hits(ContextKind context, std::uint32_t attach_type);

}  // namespace kinst::codegen
