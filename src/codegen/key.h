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

/// One part of a key: what it is, and where it is in this CPU's state.
struct KeyPart {
  types::TypeId type{};
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// Writes one part of a key: an integer as 8 bytes, bytes carried by reference with
/// zeros behind them, so that equal values are equal keys.
void store_key_part(const Temporary& value, const KeyPart& part, const Scope& scope,
                    Emitter& out);

/// Writes the key of a dynamic variable (storage.h, DynamicPlace) to the state's key.
void store_dynamic_key(d::typed::VariableId variable, const KeyValues& values,
                       const Scope& scope, Emitter& out);

}  // namespace kinst::codegen
