/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * Signed arithmetic that BPF lacks: it divides unsigned numbers only and has no product
 * of 128 bits.
 */
#include "runtime/runtime.h"

KINST_INLINE kinst_u64 magnitude(kinst_s64 value) {
  return value < 0 ? 0 - (kinst_u64)value : (kinst_u64)value;
}

/* Towards zero, as in C; the smallest number by -1 is itself. By 0: generated code has
 * refused that. */
KINST_FUNCTION kinst_u64 kinst_divide_signed(kinst_s64 dividend, kinst_s64 divisor) {
  if (divisor == 0) {
    return 0;
  }
  const kinst_u64 quotient = magnitude(dividend) / magnitude(divisor);
  return (dividend < 0) != (divisor < 0) ? 0 - quotient : quotient;
}

/* Has the dividend's sign, as in C. */
KINST_FUNCTION kinst_u64 kinst_modulo_signed(kinst_s64 dividend, kinst_s64 divisor) {
  if (divisor == 0) {
    return 0;
  }
  const kinst_u64 remainder = magnitude(dividend) % magnitude(divisor);
  return dividend < 0 ? 0 - remainder : remainder;
}

/* The upper 64 of the 128 bits of value * value. */
KINST_FUNCTION kinst_u64 kinst_square_high(kinst_s64 value) {
  const kinst_u64 size = magnitude(value);
  const kinst_u64 high = size >> 32;
  const kinst_u64 low = size & 0xffffffff;
  /* high * low, twice, moves into the upper half by 32 bits; the carry is what low *
   * low adds to it. */
  const kinst_u64 middle = high * low;
  const kinst_u64 carry = ((middle & 0x7fffffff) << 1) + ((low * low) >> 32);
  return high * high + (middle >> 31) + (carry >> 32);
}
