/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * Numbers of bits, which BPF has no instructions for.
 */
#ifndef KINST_RUNTIME_BITS_H
#define KINST_RUNTIME_BITS_H

#include "runtime/runtime.h"

/* The number of the highest bit that is set; 0 for 0. */
KINST_INLINE kinst_u32 highest_bit(kinst_u64 value) {
  kinst_u32 bit = 0;
  if (value >> 32) {
    value >>= 32;
    bit += 32;
  }
  if (value >> 16) {
    value >>= 16;
    bit += 16;
  }
  if (value >> 8) {
    value >>= 8;
    bit += 8;
  }
  if (value >> 4) {
    value >>= 4;
    bit += 4;
  }
  if (value >> 2) {
    value >>= 2;
    bit += 2;
  }
  return bit + (kinst_u32)(value >> 1);
}

/* The same as a function, so that the verifier does not follow its branches in every
 * round of a loop. */
kinst_u64 kinst_highest_bit(kinst_u64 value);

/* 1 for 0 and 0 for all else, without a branch. */
KINST_INLINE kinst_u64 is_zero(kinst_u64 value) {
  kinst_u64 sign = value | (0 - value);
  /* Or the compiler sees what is meant, and makes the branch of it. */
  KINST_OPAQUE(sign);
  return (sign >> 63) ^ 1;
}

#endif
