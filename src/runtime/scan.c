/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * Walks through strings, each in a function for a piece and one for all pieces.
 */
#include "runtime/scan.h"

#include "runtime/bits.h"

KINST_FUNCTION kinst_u64 kinst_find_byte_piece(kinst_u64 offset, kinst_u64 byte) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(offset);
  if (!memory.state || !holds_piece(offset)) {
    return KINST_PIECE;
  }
  for (kinst_u64 i = 0; i < KINST_PIECE; ++i) {
    const kinst_u64 here = memory.scratch[offset + i];
    if (here == byte || here == 0) {
      return i;
    }
  }
  return KINST_PIECE;
}

KINST_FUNCTION kinst_u64 kinst_find_byte(kinst_u64 offset, kinst_u64 byte) {
  for (kinst_u64 piece = 0; piece < KINST_PIECES; ++piece) {
    const kinst_u64 at = piece * KINST_PIECE;
    const kinst_u64 found = kinst_find_byte_piece(offset + at, byte);
    if (found < KINST_PIECE) {
      return at + found;
    }
  }
  return KINST_STRING_MAX - 1;
}

KINST_FUNCTION kinst_u64 kinst_highest_bit(kinst_u64 value) {
  return highest_bit(value);
}

KINST_FUNCTION kinst_u64 kinst_find_last_piece(kinst_u64 offset, kinst_u64 count,
                                               kinst_u64 byte, kinst_u64 equality) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(offset);
  if (!memory.state || !holds_piece(offset)) {
    return 0;
  }
  kinst_u64 equal = 0;
  for (kinst_u64 i = 0; i < KINST_PIECE; ++i) {
    equal |= is_zero(memory.scratch[offset + i] ^ byte) << i;
  }
  kinst_u64 found = equality == KINST_EQUAL ? equal : ~equal;
  if (count < KINST_PIECE) {
    found &= (1ULL << count) - 1;
  }
  return found == 0 ? 0 : kinst_highest_bit(found) + 1;
}

KINST_FUNCTION kinst_u64 kinst_find_last(kinst_u64 offset, kinst_u64 count,
                                         kinst_u64 byte, kinst_u64 equality) {
  const kinst_u64 pieces = (count + KINST_PIECE - 1) / KINST_PIECE;
  for (kinst_u64 i = 0; i < KINST_PIECES; ++i) {
    if (i >= pieces) {
      break;
    }
    const kinst_u64 at = (pieces - 1 - i) * KINST_PIECE;
    const kinst_u64 found =
        kinst_find_last_piece(offset + at, count - at, byte, equality);
    if (found != 0) {
      return at + found;
    }
  }
  return 0;
}

KINST_INLINE kinst_u64* byte_set(const struct kinst_memory* memory) {
  return (kinst_u64*)(memory->scratch + KINST_WORK_VARIABLES);
}

/* 1 when the string has ended. */
KINST_FUNCTION kinst_u64 kinst_set_bytes_piece(kinst_u64 offset) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(offset);
  if (!memory.state || !holds_piece(offset)) {
    return 1;
  }
  kinst_u64* set = byte_set(&memory);
  for (kinst_u64 i = 0; i < KINST_PIECE; ++i) {
    const kinst_u64 here = memory.scratch[offset + i];
    if (here == 0) {
      return 1;
    }
    set[here >> 6] |= 1ULL << (here & 63);
  }
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_set_bytes(kinst_u64 offset) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  kinst_u64* set = byte_set(&memory);
  set[0] = set[1] = set[2] = set[3] = 0;
  for (kinst_u64 piece = 0; piece < KINST_PIECES; ++piece) {
    if (kinst_set_bytes_piece(offset + piece * KINST_PIECE)) {
      break;
    }
  }
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_find_in_set_piece(kinst_u64 offset,
                                                 kinst_u64 is_in_set) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(offset);
  if (!memory.state || !holds_piece(offset)) {
    return KINST_PIECE;
  }
  const kinst_u64* set = byte_set(&memory);
  for (kinst_u64 i = 0; i < KINST_PIECE; ++i) {
    const kinst_u64 here = memory.scratch[offset + i];
    if (here == 0 || ((set[here >> 6] >> (here & 63)) & 1) == is_in_set) {
      return i;
    }
  }
  return KINST_PIECE;
}

KINST_FUNCTION kinst_u64 kinst_find_in_set(kinst_u64 offset, kinst_u64 is_in_set) {
  for (kinst_u64 piece = 0; piece < KINST_PIECES; ++piece) {
    const kinst_u64 at = piece * KINST_PIECE;
    const kinst_u64 found = kinst_find_in_set_piece(offset + at, is_in_set);
    if (found < KINST_PIECE) {
      return at + found;
    }
  }
  return KINST_STRING_MAX - 1;
}
