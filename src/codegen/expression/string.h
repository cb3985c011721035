// Strings. A string is the address of bytes that end with a zero byte, anywhere in the
// kernel's memory.
#pragma once

#include <string>

#include "codegen/emit/emitter.h"
#include "codegen/emit/scope.h"
#include "types/type.h"

namespace kinst::codegen {

/// R0 = the address of a string among the constants.
void literal_string(const std::string& text, const Scope& scope, Emitter& out);

/// R0 = negative, 0 or positive if the string at R1 sorts before, is equal to, or sorts
/// after the string at R2. Leaves the clause if one cannot be read.
void compare_strings(Emitter& out);

/// Turns R0, a value of type `from`, into a string's address. An array of char that may
/// lack its zero byte is copied; other values are addresses already.
void to_string(types::TypeId from, const Scope& scope, Emitter& out);

/// Copies the string at the address in `source` to the memory at `destination`, a
/// register that the verifier knows to point to at least `size` bytes; R1 is best.
/// Leaves the clause if the string cannot be read. Changes R0–R5.
void copy_string(Register destination, std::uint32_t size, const Temporary& source,
                 Emitter& out);

/// Like copy_string(), for `size` bytes of a struct, union or array.
void copy_bytes(Register destination, std::uint32_t size, const Temporary& source,
                Emitter& out);

/// Zeroes `size` bytes of this CPU's state. Changes R0–R5.
void zero_state(std::uint32_t offset, std::uint32_t size, const Scope& scope,
                Emitter& out);

}  // namespace kinst::codegen
