/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * Strings as wholes: taken from memory, compared, measured, joined, cut. A string has
 * at most kinst_state::string_size bytes with its zero; what is longer is cut off.
 */
#include "runtime/cpu_memory.h"

/* Bytes of a piece of a comparison: with as many pieces, what the verifier walks
 * through is least. */
#define PIECE 64
/* Places for the two pieces. */
#define LEFT KINST_WORK
#define RIGHT (KINST_WORK + KINST_STRING_MAX / 2)
/* What compare_piece() returns for pieces that are equal and do not end. */
#define GO_ON 256

KINST_INLINE int has_zero_byte(kinst_u64 word) {
  return ((word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL) != 0;
}

/* Compares up to `most` bytes, where NULL is the empty string, as DTrace has it: the
 * difference of the first two bytes that differ, 0 if both strings end here, or GO_ON.
 */
KINST_FUNCTION kinst_s64 kinst_compare_piece(kinst_u64 left_address,
                                             kinst_u64 right_address, kinst_u64 most) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  /* One more, which the helper sets to zero. */
  const kinst_u64 size = most >= PIECE ? PIECE + 1 : most + 1;
  kinst_u8* left = memory.scratch + LEFT;
  kinst_u8* right = memory.scratch + RIGHT;
  if (left_address == 0) {
    left[0] = 0;
  } else if (bpf_probe_read_kernel_str(left, size, (void*)left_address) < 0) {
    return (kinst_s64)fail(&memory, KINST_FAULT_BADADDR, left_address);
  }
  if (right_address == 0) {
    right[0] = 0;
  } else if (bpf_probe_read_kernel_str(right, size, (void*)right_address) < 0) {
    return (kinst_s64)fail(&memory, KINST_FAULT_BADADDR, right_address);
  }
  /* Behind a string's end are remains: words are passed over only while equal and
   * without an end, and within a word the first byte that tells is taken. */
  for (int i = 0; i < PIECE; i += 8) {
    const kinst_u64 word = *(kinst_word*)(left + i);
    if (word == *(kinst_word*)(right + i) && !has_zero_byte(word)) {
      continue;
    }
    for (int j = 0; j < 8; ++j) {
      const kinst_s64 difference = (kinst_s64)left[i + j] - right[i + j];
      if (difference != 0 || left[i + j] == 0) {
        return difference;
      }
    }
  }
  return GO_ON;
}

/* Negative, 0 or positive as the left string sorts before, with or behind the right. */
KINST_FUNCTION kinst_s64 kinst_compare_strings(kinst_u64 left, kinst_u64 right) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 most = string_bytes(&memory) - 1;
  /* All pieces of the longest string there can be. */
  for (kinst_u64 at = 0; at < KINST_STRING_MAX; at += PIECE) {
    if (at >= most) {
      return 0;
    }
    const kinst_s64 order = kinst_compare_piece(left + at, right + at, most - at);
    if (order != GO_ON) {
      return order;
    }
  }
  return 0;
}

/* An array of char as a string; it need not have a zero. count < string_size. */
KINST_FUNCTION kinst_u64 kinst_string_of_array(kinst_u64 address, kinst_u64 count) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state || count >= KINST_STRING_MAX) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  kinst_u8* result = memory.scratch + begin;
  kinst_s64 bytes = 0;
  if (count != 0) {
    bytes = bpf_probe_read_kernel_str(result, count, (void*)address);
    if (bytes < 0) {
      return fail(&memory, KINST_FAULT_BADADDR, address);
    }
  }
  if ((kinst_u64)bytes != count) {
    return give_out(&memory, begin, bytes);
  }
  /* No zero before the last element. That one is read by itself, as the helper cannot
   * be told to read it without also reading what follows the array. */
  kinst_u64 last = count - 1;
  KINST_OPAQUE(last);
  if (last < KINST_STRING_MAX) {
    bpf_probe_read_kernel(result + last, 1, (void*)(address + last));
  }
  result[count] = 0;
  return give_out(&memory, begin, count + 1);
}

KINST_FUNCTION kinst_u64 kinst_copyinstr(kinst_u64 address, kinst_u64 size) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  kinst_u64 most = string_bytes(&memory);
  if (size < most) {
    most = size + 1; /* so many characters, and the zero */
  }
  KINST_OPAQUE(most);
  if (most > KINST_STRING_MAX) {
    return 0;
  }
  KINST_OPAQUE(most);
  kinst_u8* result = memory.scratch + begin;
  const long bytes = bpf_probe_read_user_str(result, most, (void*)address);
  if (bytes < 0) {
    return fail(&memory, KINST_FAULT_BADADDR, address);
  }
  return give_out(&memory, begin, bytes);
}

/* As many bytes of a process's arguments as DTrace's pr_psargs has. */
#define MOST_OF_WORDS 79

KINST_FUNCTION kinst_u64 kinst_copyinwords(kinst_u64 address, kinst_u64 size) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  kinst_u64 most = string_bytes(&memory) - 1;
  most = most < MOST_OF_WORDS ? most : MOST_OF_WORDS;
  most = size < most ? size : most;
  KINST_OPAQUE(most);
  if (most > MOST_OF_WORDS) {
    return 0;
  }
  KINST_OPAQUE(most);
  kinst_u8* result = memory.scratch + begin;
  for (int i = 0; i < MOST_OF_WORDS + 1; i += 8) {
    *(kinst_word*)(result + i) = 0;
  }
  if (most != 0 && bpf_probe_read_user(result, most, (void*)address) != 0) {
    return fail(&memory, KINST_FAULT_BADADDR, address);
  }
  /* Without a branch: the verifier would follow both sides of each, for all bytes. */
  kinst_u64 end = 0; /* behind the last letter */
  for (kinst_u64 i = 0; i < MOST_OF_WORDS; ++i) {
    kinst_u64 is_letter = ((kinst_u64)result[i] + 255) >> 8;
    KINST_OPAQUE(is_letter);
    result[i] = (kinst_u8)(result[i] + ' ' * (1 - is_letter));
    end += is_letter * (i + 1 - end);
  }
  KINST_OPAQUE(end);
  if (end > MOST_OF_WORDS) {
    return 0;
  }
  KINST_OPAQUE(end);
  result[end] = 0;
  return give_out(&memory, begin, end + 1);
}

KINST_FUNCTION kinst_u64 kinst_strlen(kinst_u64 string) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_s64 length = take_string(&memory, KINST_WORK, string);
  return length < 0 ? 0 : length;
}

KINST_FUNCTION kinst_u64 kinst_strjoin(kinst_u64 first, kinst_u64 second) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_u64 most = string_bytes(&memory);
  const kinst_s64 bytes =
      bpf_probe_read_kernel_str(memory.scratch + begin, most, (void*)first);
  if (bytes < 1) {
    return fail(&memory, KINST_FAULT_BADADDR, first);
  }
  kinst_u64 middle = begin + bytes - 1;
  KINST_OPAQUE(middle);
  if (middle >= KINST_SCRATCH_BYTES) {
    return fail(&memory, KINST_FAULT_NOSCRATCH, 0);
  }
  kinst_u64 rest = most - (bytes - 1);
  KINST_OPAQUE(rest);
  if (rest > KINST_STRING_MAX) {
    return 0; /* it is not, but the verifier does not know */
  }
  const kinst_s64 more =
      bpf_probe_read_kernel_str(memory.scratch + middle, rest, (void*)second);
  if (more < 1) {
    return fail(&memory, KINST_FAULT_BADADDR, second);
  }
  return give_out(&memory, begin, bytes - 1 + more);
}

/* substr() in Perl's manner: a negative index counts from the end; a negative length
 * leaves that many off the end. */
KINST_FUNCTION kinst_u64 kinst_substr(kinst_u64 string, kinst_s64 index,
                                      kinst_s64 length) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_s64 count = take_string(&memory, begin, string);
  if (count < 0) {
    return 0;
  }
  kinst_s64 from = (kinst_s32)index;
  kinst_s64 keep = (kinst_s32)length;
  if (from < 0) {
    from += count;
    if (from < 0 && from + keep > 0) {
      /* Begins before the string: what lies before it counts but is not there. */
      keep += from;
      from = 0;
    }
  }
  if (from < 0 || from >= count) {
    from = 0;
    keep = 0;
  } else if (keep < 0) {
    keep += count - from;
    keep = keep < 0 ? 0 : keep;
  }
  if (keep > count - from) {
    keep = count - from;
  }
  kinst_u64 end = begin + from + keep;
  KINST_OPAQUE(end);
  if (end >= KINST_WORK) {
    return 0;
  }
  memory.scratch[end] = 0;
  const kinst_u64 result = give_out(&memory, begin, from + keep + 1);
  return result ? result + from : 0;
}
