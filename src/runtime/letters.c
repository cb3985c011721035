/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * tolower() and toupper(), of ASCII letters, eight bytes at a time.
 */
#include "runtime/scan.h"

/* 0x20 in the bytes that are letters from `first` to `last`. Sums of 7-bit numbers
 * carry into the 8th bit of their own byte only. */
KINST_INLINE kinst_u64 letters(kinst_u64 word, kinst_u64 first, kinst_u64 last) {
  const kinst_u64 low = word & KINST_EACH_BYTE(0x7f);
  const kinst_u64 from_first = low + KINST_EACH_BYTE(0x80 - first);
  const kinst_u64 beyond_last = low + KINST_EACH_BYTE(0x7f - last);
  return (from_first & ~beyond_last & ~word & KINST_EACH_BYTE(0x80)) >> 2;
}

KINST_FUNCTION kinst_u64 kinst_change_case_piece(kinst_u64 offset, kinst_u64 first) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(offset);
  if (!memory.state || !holds_piece(offset)) {
    return 0;
  }
  for (int i = 0; i < KINST_PIECE; i += 8) {
    kinst_word* word = (kinst_word*)(memory.scratch + offset + i);
    *word ^= letters(*word, first, first + 25);
  }
  return 0;
}

/* Letters of the case that begins with `first` change to the other. */
KINST_FUNCTION kinst_u64 kinst_change_case(kinst_u64 string, kinst_u64 first) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_s64 length = take_string(&memory, begin, string);
  if (length < 0) {
    return 0;
  }
  for (kinst_s64 piece = 0; piece < KINST_PIECES; ++piece) {
    if (piece * KINST_PIECE >= length) {
      break;
    }
    kinst_change_case_piece(begin + piece * KINST_PIECE, first);
  }
  return give_out(&memory, begin, length + 1);
}

KINST_FUNCTION kinst_u64 kinst_tolower(kinst_u64 string) {
  return kinst_change_case(string, 'A');
}

KINST_FUNCTION kinst_u64 kinst_toupper(kinst_u64 string) {
  return kinst_change_case(string, 'a');
}
