// Arithmetic on constants, as the generated code would do it.
#pragma once

#include <cstdint>

#include "d/typed/typed_program.h"

namespace kinst::d {

/// The result of a binary operation on two 64-bit values, wrapped to 64 bits.
/// is_signed: of the type in which it is done (shifts: of the left operand).
/// right is not 0 in divisions. Shift counts count modulo 64, as the processor takes
/// them.
std::uint64_t fold(typed::BinaryOperator operation, std::uint64_t left,
                   std::uint64_t right, bool is_signed);

}  // namespace kinst::d
