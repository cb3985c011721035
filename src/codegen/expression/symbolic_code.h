// Recorded data that the consumer turns into text: stacks, symbols, probes' names.
#pragma once

#include <cstdint>

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "record/layout.h"

namespace kinst::codegen {

/// Whether a field's bytes come from an expression's value. Otherwise they are the
/// probe's key or a stack.
bool is_computed(record::Meaning meaning);

/// Writes a field that is not a plain value into this CPU's state at `offset`.
/// value: the address of a symbol; null for fields that are not computed.
void store_symbolic(const record::Field& field, std::uint32_t offset,
                    const Temporary* value, const Scope& scope, Emitter& out);

}  // namespace kinst::codegen
