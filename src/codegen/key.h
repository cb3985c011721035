// Keys of hash maps: the tuples of associative arrays and aggregations.
#pragma once

#include <vector>

#include "codegen/emitter.h"
#include "codegen/scope.h"
#include "d/typed_program.h"

namespace kinst::codegen {

/// The values of a key's parts, computed and kept until the key is filled in.
using KeyValues = std::vector<Temporary>;

KeyValues generate_key_values(const std::vector<d::typed::ExpressionPointer>& keys,
                              const Scope& scope, Emitter& out);

/// Writes one part of a key into this CPU's state at `offset`: an integer as 8 bytes,
/// bytes carried by reference with zeros behind them, so that equal values are equal
/// keys. `bytes` is what the part takes there.
void store_key_part(const Temporary& value, types::TypeId type, std::uint32_t offset,
                    std::uint32_t bytes, const Scope& scope, Emitter& out);

/// Writes the key of a dynamic variable (storage.h, DynamicPlace) to the state's key.
void store_dynamic_key(d::typed::VariableId variable, const KeyValues& values,
                       const Scope& scope, Emitter& out);

}  // namespace kinst::codegen
