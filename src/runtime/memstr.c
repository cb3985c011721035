/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * memstr(): memory as a string, with another character for each zero in it.
 */
#include "runtime/scan.h"

/* What FreeBSD's kern.dtrace.memstr_max is unless somebody changes it. */
#define MOST_BYTES 4096

/* 1 in the bytes that are zero. Sums of 7-bit numbers carry into the 8th bit of their
 * own byte only. */
KINST_INLINE kinst_u64 zeros(kinst_u64 word) {
  const kinst_u64 not_zero =
      ((word & KINST_EACH_BYTE(0x7f)) + KINST_EACH_BYTE(0x7f)) | word;
  return (~not_zero & KINST_EACH_BYTE(0x80)) >> 7;
}

KINST_FUNCTION kinst_u64 kinst_replace_zeros_piece(kinst_u64 offset,
                                                   kinst_u64 character) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(offset);
  if (!memory.state || !holds_piece(offset)) {
    return 0;
  }
  for (int i = 0; i < KINST_PIECE; i += 8) {
    kinst_word* word = (kinst_word*)(memory.scratch + offset + i);
    *word |= zeros(*word) * (character & 0xff);
  }
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_memstr(kinst_u64 address, kinst_u64 character,
                                      kinst_u64 size) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state || size == 0) {
    return 0;
  }
  if (size > MOST_BYTES) {
    return fail(&memory, KINST_FAULT_ILLOP, 0);
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_u64 most = string_bytes(&memory);
  kinst_u64 letters = (size < most ? size : most) - 1;
  KINST_OPAQUE(letters);
  if (letters > MOST_BYTES) {
    return 0;
  }
  KINST_OPAQUE(letters);
  kinst_u8* result = memory.scratch + begin;
  if (letters != 0 && bpf_probe_read_kernel(result, letters, (void*)address) != 0) {
    return fail(&memory, KINST_FAULT_BADADDR, address);
  }
  /* As many pieces as the longest string has. */
  for (kinst_u64 piece = 0; piece < MOST_BYTES / KINST_PIECE; ++piece) {
    if (piece * KINST_PIECE >= letters) {
      break;
    }
    kinst_replace_zeros_piece(begin + piece * KINST_PIECE, character);
  }
  result[letters] = 0;
  return give_out(&memory, begin, letters + 1);
}
