// Keys of hash maps: the tuples of associative arrays and aggregations.
#pragma once

#include <vector>

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/typed/typed_program.h"

namespace kinst::codegen {

/// Temporaries with the values of a key's parts, until the key is filled in.
using KeyValues = std::vector<Temporary>;

KeyValues generate_key_values(const std::vector<d::typed::ExpressionPointer>& keys,
                              const Scope& scope, Emitter& out);

/// One part of a key: its type, and its place in this CPU's state.
struct KeyPart {
  types::TypeId type{};
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// Writes one part of a key, so that equal values make equal keys: an integer as 8
/// bytes; bytes carried by reference with zeros behind them.
void store_key_part(const Temporary& value, const KeyPart& part, const Scope& scope,
                    Emitter& out);

/// Writes the key of a dynamic variable (storage.h, DynamicPlace) to the place of the
/// key in this CPU's state.
void store_dynamic_key(d::typed::VariableId variable, const KeyValues& values,
                       const Scope& scope, Emitter& out);

}  // namespace kinst::codegen
