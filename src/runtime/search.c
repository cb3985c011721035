/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * strchr(), strrchr(), strstr(), index(), rindex() and strtok(). What is searched is
 * copied to the scratch first, and results that are strings are parts of that copy.
 */
#include "runtime/bits.h"
#include "runtime/scan.h"

/* The part of a string in the scratch that begins at an index. */
KINST_INLINE kinst_u64 give_out_rest(const struct kinst_memory* memory, kinst_u64 begin,
                                     kinst_u64 length, kinst_u64 index) {
  const kinst_u64 address = give_out(memory, begin, length + 1);
  return address ? address + index : 0;
}

KINST_FUNCTION kinst_u64 kinst_strchr(kinst_u64 string, kinst_u64 character) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 byte = character & 0xff;
  const kinst_u64 begin = result_offset(&memory);
  const kinst_s64 length = take_string(&memory, begin, string);
  if (length < 0) {
    return 0;
  }
  const kinst_u64 index = kinst_find_byte(begin, byte);
  if (byte != 0 && index >= (kinst_u64)length) {
    return 0;
  }
  return give_out_rest(&memory, begin, length, index);
}

KINST_FUNCTION kinst_u64 kinst_strrchr(kinst_u64 string, kinst_u64 character) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_s64 length = take_string(&memory, begin, string);
  if (length < 0) {
    return 0;
  }
  /* The zero at the end counts. */
  const kinst_u64 found =
      kinst_find_last(begin, length + 1, character & 0xff, KINST_EQUAL);
  return found == 0 ? 0 : give_out_rest(&memory, begin, length, found - 1);
}

/* Up to a piece of the text at `offset` equals the string in the working space at the
 * index `at`. */
KINST_FUNCTION kinst_u64 kinst_equals_piece(kinst_u64 offset, kinst_u64 at,
                                            kinst_u64 length) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(offset);
  KINST_OPAQUE(at);
  if (!memory.state || !holds_piece(offset) || at > KINST_STRING_MAX - KINST_PIECE) {
    return 0;
  }
  const kinst_u8* text = memory.scratch + offset;
  const kinst_u8* wanted = memory.scratch + KINST_WORK + at;
  for (kinst_u64 i = 0; i < KINST_PIECE; i += 8) {
    if (length <= i) {
      return 1;
    }
    kinst_u64 difference = *(kinst_word*)(text + i) ^ *(kinst_word*)(wanted + i);
    if (length - i < 8) {
      difference <<= 64 - 8 * (length - i); /* what follows is not compared */
    }
    if (difference != 0) {
      return 0;
    }
  }
  return 1;
}

/* 1 if it may be so, and the text at `offset` begins with the string of `length` in the
 * working space. */
KINST_FUNCTION kinst_u64 kinst_begins_with(kinst_u64 offset, kinst_u64 length,
                                           kinst_u64 may_be) {
  if (may_be == 0) {
    return 0;
  }
  for (kinst_u64 piece = 0; piece < KINST_PIECES; ++piece) {
    const kinst_u64 at = piece * KINST_PIECE;
    if (at >= length) {
      return 1;
    }
    if (!kinst_equals_piece(offset + at, at, length - at)) {
      return 0;
    }
  }
  return 1;
}

/* Clears the bits of `matches` where the string does not begin. Without a branch, for
 * the verifier of old kernels tells apart all combinations of bits. Not a function of
 * its own: the chain of calls is long enough. */
KINST_INLINE kinst_u64 confirm_matches(kinst_u64 offset, kinst_u64 length,
                                       kinst_u64 matches) {
  kinst_u64 confirmed = 0;
  for (kinst_u64 i = 0; i < KINST_PIECE; ++i) {
    const kinst_u64 may_be = (matches >> i) & 1;
    confirmed |= (kinst_begins_with(offset + i, length, may_be) & 1) << i;
  }
  return confirmed;
}

/* Bit i is set if the string in the working space begins at offset + i, i < count. */
KINST_FUNCTION kinst_u64 kinst_matches_piece(kinst_u64 offset, kinst_u64 count,
                                             kinst_u64 length) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(offset);
  if (!memory.state || offset > KINST_WORK - KINST_PIECE || length == 0) {
    return 0;
  }
  const kinst_u64 ignored = length < 8 ? 64 - 8 * length : 0;
  const kinst_u64 wanted = *(kinst_word*)(memory.scratch + KINST_WORK);
  kinst_u64 matches = 0;
  for (kinst_u64 i = 0; i < KINST_PIECE; ++i) {
    const kinst_u64 here = *(kinst_word*)(memory.scratch + offset + i);
    matches |= is_zero((here ^ wanted) << ignored) << i;
  }
  if (count < KINST_PIECE) {
    matches &= (1ULL << count) - 1;
  }
  return length <= 8 ? matches : confirm_matches(offset, length, matches);
}

/* One more than the first index, of `count` from offset on, where the string in the
 * working space begins; 0 for none. */
KINST_FUNCTION kinst_u64 kinst_first_match(kinst_u64 offset, kinst_u64 count,
                                           kinst_u64 length) {
  for (kinst_u64 piece = 0; piece < KINST_PIECES; ++piece) {
    const kinst_u64 at = piece * KINST_PIECE;
    if (at >= count) {
      return 0;
    }
    const kinst_u64 matches = kinst_matches_piece(offset + at, count - at, length);
    if (matches != 0) {
      return at + kinst_highest_bit(matches & (0 - matches)) + 1;
    }
  }
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_last_match(kinst_u64 offset, kinst_u64 count,
                                          kinst_u64 length) {
  const kinst_u64 pieces = (count + KINST_PIECE - 1) / KINST_PIECE;
  for (kinst_u64 i = 0; i < KINST_PIECES; ++i) {
    if (i >= pieces) {
      break;
    }
    const kinst_u64 at = (pieces - 1 - i) * KINST_PIECE;
    const kinst_u64 matches = kinst_matches_piece(offset + at, count - at, length);
    if (matches != 0) {
      return at + kinst_highest_bit(matches) + 1;
    }
  }
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_strstr(kinst_u64 string, kinst_u64 wanted) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_s64 length = take_string(&memory, begin, string);
  const kinst_s64 wanted_length =
      length < 0 ? -1 : take_string(&memory, KINST_WORK, wanted);
  if (wanted_length < 0 || wanted_length > length) {
    return 0;
  }
  const kinst_u64 found =
      wanted_length == 0
          ? 1
          : kinst_first_match(begin, length - wanted_length + 1, wanted_length);
  return found == 0 ? 0 : give_out_rest(&memory, begin, length, found - 1);
}

/* The lowest index from `start` on; -1 for none. */
KINST_FUNCTION kinst_s64 kinst_index(kinst_u64 string, kinst_u64 wanted,
                                     kinst_s64 start) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_s64 length = take_string(&memory, begin, string);
  const kinst_s64 wanted_length =
      length < 0 ? -1 : take_string(&memory, KINST_WORK, wanted);
  if (wanted_length < 0) {
    return 0;
  }
  kinst_s64 from = (kinst_s32)start;
  from = from < 0 ? 0 : from;
  from = from > length ? length : from;
  if (wanted_length == 0) {
    return from;
  }
  if (from + wanted_length > length) {
    return -1;
  }
  const kinst_u64 found =
      kinst_first_match(begin + from, length - wanted_length - from + 1, wanted_length);
  return found == 0 ? -1 : from + (kinst_s64)found - 1;
}

/* The highest index up to `start`; -1 for none. */
KINST_FUNCTION kinst_s64 kinst_rindex(kinst_u64 string, kinst_u64 wanted,
                                      kinst_s64 start) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_s64 length = take_string(&memory, begin, string);
  const kinst_s64 wanted_length =
      length < 0 ? -1 : take_string(&memory, KINST_WORK, wanted);
  if (wanted_length < 0) {
    return 0;
  }
  kinst_s64 upto = (kinst_s32)start;
  if (wanted_length == 0) {
    upto = upto < 0 ? 0 : upto;
    return upto > length ? length : upto;
  }
  upto = upto > length - wanted_length ? length - wanted_length : upto;
  if (upto < 0) {
    return -1;
  }
  return (kinst_s64)kinst_last_match(begin, upto + 1, wanted_length) - 1;
}

KINST_INLINE kinst_u64 copy_token(const struct kinst_memory* memory, kinst_u64 token,
                                  kinst_u64 length) {
  const kinst_u64 begin = result_offset(memory);
  kinst_s64 size = length + 1;
  KINST_OPAQUE(size);
  if (size < 1) {
    return 0;
  }
  KINST_OPAQUE(size);
  if (size > KINST_STRING_MAX) {
    return 0;
  }
  bpf_probe_read_kernel_str(memory->scratch + begin, size, (void*)token);
  return give_out(memory, begin, length + 1);
}

/* With 0 for the string, goes on where it left off in this firing; fails if it has not
 * begun. */
KINST_FUNCTION kinst_u64 kinst_strtok(kinst_u64 string, kinst_u64 delimiters) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 scratch = number_of(&memory, memory.scratch);
  if (take_string(&memory, KINST_WORK, delimiters) < 0) {
    return 0;
  }
  kinst_set_bytes(KINST_WORK);
  kinst_u64 begin = memory.state->strtok_next - scratch;
  if (string != 0) {
    begin = result_offset(&memory);
    const kinst_s64 length = take_string(&memory, begin, string);
    if (length < 0 || !give_out(&memory, begin, length + 1)) {
      return 0;
    }
  } else if (memory.state->strtok_next == 0) {
    return fail(&memory, KINST_FAULT_BADADDR, 0);
  }
  begin += kinst_find_in_set(begin, 0);
  kinst_u64 end = begin + kinst_find_in_set(begin, 1);
  KINST_OPAQUE(end);
  if (end >= KINST_WORK) {
    return 0;
  }
  /* What ended the token is looked at again, perhaps with other delimiters. */
  memory.state->strtok_next = scratch + end;
  return begin == end ? 0 : copy_token(&memory, scratch + begin, end - begin);
}
