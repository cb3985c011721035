// Memory at computed addresses: fault-safe loads, and stores to kinst's own memory.
#pragma once

#include "codegen/emitter.h"
#include "codegen/scope.h"
#include "d/typed_program.h"

namespace kinst::codegen {

/// R0 = the value of `type` at the node's address; leaves the clause if that cannot be
/// read. For a type carried by reference: the address, and nothing is read.
void generate_load(const d::typed::Load& node, types::TypeId type, const Scope& scope,
                   Emitter& out);

/// R0 = the value of `type` at the address in `address`.
void load_at(const Temporary& address, types::AddressSpace space, types::TypeId type,
             const Scope& scope, Emitter& out);

/// Narrows R0, a unit read, to a bit-field of it.
void extract_bits(const d::typed::BitField& field, bool is_signed, Emitter& out);

/// Stores R0 through a pointer: into variables, alloca's memory and the like; any other
/// address fails the clause, as D may not change what it traces. R0 is kept.
void store_at(const Temporary& address, std::uint32_t size_bytes, const Scope& scope,
              Emitter& out);

/// The same for `size_bytes` bytes at the address in R0.
void copy_to(const Temporary& address, std::uint32_t size_bytes, const Scope& scope,
             Emitter& out);

/// R0 = the address, in scratch, of a struct or union made of the node's members.
void generate_record(const d::typed::RecordValue& node, types::TypeId type,
                     const Scope& scope, Emitter& out);

}  // namespace kinst::codegen
