// Memory at computed addresses: loads that cannot fault, and stores to kinst's own
// memory.
#pragma once

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "d/typed/typed_program.h"

namespace kinst::codegen {

/// R0 = the value of `type` at the node's address. Leaves the clause if it cannot be
/// read. For a type carried by reference, R0 = the address, and nothing is read.
void generate_load(const d::typed::Load& node, types::TypeId type, const Scope& scope,
                   Emitter& out);

/// R0 = the value of `type` at the address in `address`.
void load_at(const Temporary& address, types::AddressSpace space, types::TypeId type,
             const Scope& scope, Emitter& out);

/// Extracts a bit-field from R0, the unit that was read.
void extract_bits(const d::typed::BitField& field, bool is_signed, Emitter& out);

/// Stores R0 through a pointer to a variable, to alloca's memory and the like. Any
/// other address fails the clause, because D may not change what it traces. R0 is kept.
void store_at(const Temporary& address, std::uint32_t size_bytes, const Scope& scope,
              Emitter& out);

/// Like store_at(), for the `size_bytes` bytes at the address in R0.
void copy_to(const Temporary& address, std::uint32_t size_bytes, const Scope& scope,
             Emitter& out);

/// R0 = the address of a struct or union in scratch memory, made of the node's members.
void generate_record(const d::typed::RecordValue& node, types::TypeId type,
                     const Scope& scope, Emitter& out);

}  // namespace kinst::codegen
