// Data that only the consumer turns into text: stacks, symbols, a probe's names.
#pragma once

#include <cstdint>

#include "codegen/emitter.h"
#include "codegen/scope.h"
#include "record/layout.h"

namespace kinst::codegen {

/// The field's bytes come from an expression's value; others are the probe's key, or
/// stacks.
bool is_computed(record::Meaning meaning);

/// Writes a field that is no plain value into this CPU's state at `offset`. `value` is
/// the address of symbols; null for fields that are not computed.
void store_symbolic(const record::Field& field, std::uint32_t offset,
                    const Temporary* value, const Scope& scope, Emitter& out);

}  // namespace kinst::codegen
