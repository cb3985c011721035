// Strings: addresses of bytes up to a zero byte, wherever in the kernel they are.
#pragma once

#include <string>

#include "codegen/emitter.h"
#include "codegen/scope.h"
#include "types/type.h"

namespace kinst::codegen {

/// R0 = the address of a text that storage has placed among the constants.
void literal_string(const std::string& text, const Scope& scope, Emitter& out);

/// R0 = negative, 0 or positive as the string at R1 sorts before, with or behind the
/// one at R2. Leaves the clause if one cannot be read.
void compare_strings(Emitter& out);

/// R0, a value of type `from`, becomes a string's address: an array of char that may
/// lack its zero byte is copied, everything else is an address already.
void to_string(types::TypeId from, const Scope& scope, Emitter& out);

/// Copies the string at the address in `source` to where `destination` points (a
/// register the verifier knows as memory of at least `size` bytes; R1 for choice).
/// Leaves the clause if it cannot be read. Loses R0–R5.
void copy_string(Register destination, std::uint32_t size, const Temporary& source,
                 Emitter& out);

/// The same for `size` bytes of a struct, union or array.
void copy_bytes(Register destination, std::uint32_t size, const Temporary& source,
                Emitter& out);

/// Zeroes `size` bytes of this CPU's state. Loses R0–R5.
void zero_state(std::uint32_t offset, std::uint32_t size, const Scope& scope,
                Emitter& out);

}  // namespace kinst::codegen
