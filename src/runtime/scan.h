/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * Walking through bytes that are in the scratch already. Offsets are from the scratch's
 * beginning, and are followed by what they count.
 */
#ifndef KINST_RUNTIME_SCAN_H
#define KINST_RUNTIME_SCAN_H

#include "runtime/cpu_memory.h"

/* Bytes that one function walks through, and pieces of them in the longest string. */
#define KINST_PIECE 64
#define KINST_PIECES (KINST_STRING_MAX / KINST_PIECE)

/* The byte in each of a word's eight. */
#define KINST_EACH_BYTE(byte) (0x0101010101010101ULL * (byte))

/* A piece at this offset lies within the element. */
KINST_INLINE int holds_piece(kinst_u64 offset) {
  return offset <= KINST_SCRATCH_ELEMENT_BYTES - KINST_PIECE;
}

enum kinst_equality { KINST_DIFFERENT = 0, KINST_EQUAL = 1 };

/* How many bytes there are before the first one that is zero or `byte`. */
kinst_u64 kinst_find_byte(kinst_u64 offset, kinst_u64 byte);
/* One more than the index of the last of `count` bytes that is (or is not) `byte`; 0
 * for none. */
kinst_u64 kinst_find_last(kinst_u64 offset, kinst_u64 count, kinst_u64 byte,
                          kinst_u64 equality);

/* Byte sets: 256 bits at the beginning of the variables of the working space. */
/* The set becomes the bytes of the string at an offset. */
kinst_u64 kinst_set_bytes(kinst_u64 offset);
/* How many bytes before the first that is zero, or is (or is not) in the set. */
kinst_u64 kinst_find_in_set(kinst_u64 offset, kinst_u64 is_in_set);

#endif
