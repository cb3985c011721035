/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * lltostr() and strtoll().
 */
#include "runtime/scan.h"

#define MOST_BASE 36
/* 64 binary digits, "0x" or a sign, and a zero. */
#define NUMBER_BYTES 72

/* Base 10 is signed; 8 and 16 are marked as in C. */
KINST_FUNCTION kinst_u64 kinst_lltostr(kinst_s64 value, kinst_u64 base) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  if (base < 2 || base > MOST_BASE) {
    return fail(&memory, KINST_FAULT_ILLOP, 0);
  }
  kinst_u8* text = memory.scratch + KINST_WORK_VARIABLES;
  const int is_negative = base == 10 && value < 0;
  kinst_u64 rest = is_negative ? 0 - (kinst_u64)value : (kinst_u64)value;
  kinst_u64 at = NUMBER_BYTES - 1;
  text[at] = 0;
  /* As many digits as there can be, in base 2. */
  for (int i = 0; i < 64; ++i) {
    const kinst_u64 digit = rest % base;
    --at;
    text[at] = digit < 10 ? '0' + digit : 'a' + digit - 10;
    rest /= base;
    if (rest == 0) {
      break;
    }
  }
  KINST_OPAQUE(at);
  if (at < 2 || at >= NUMBER_BYTES) {
    return 0;
  }
  if (base == 16) {
    text[--at] = 'x';
  }
  if (base == 16 || (base == 8 && value != 0)) {
    text[--at] = '0';
  }
  if (is_negative) {
    text[--at] = '-';
  }
  return give_out_work(&memory, KINST_WORK_VARIABLES + at);
}

/* The digit's value; 36 or more if it is none. */
KINST_INLINE kinst_u64 digit_value(kinst_u64 character) {
  if (character - '0' < 10) {
    return character - '0';
  }
  const kinst_u64 letter = (character | 0x20) - 'a';
  return letter < 26 ? letter + 10 : MOST_BASE;
}

/* The value of the digit at an offset. A function, so that the verifier does not carry
 * what it learns of a digit on to the next. */
KINST_FUNCTION kinst_u64 kinst_digit(kinst_u64 offset) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(offset);
  if (!memory.state || offset >= KINST_SCRATCH_ELEMENT_BYTES) {
    return MOST_BASE;
  }
  return digit_value(memory.scratch[offset]);
}

/* Goes on with the number in the working space's first variable; 1 if it has ended. */
KINST_FUNCTION kinst_u64 kinst_digits_piece(kinst_u64 offset, kinst_u64 base) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 1;
  }
  kinst_u64* value = (kinst_u64*)(memory.scratch + KINST_WORK_VARIABLES);
  for (int i = 0; i < KINST_PIECE; ++i) {
    const kinst_u64 digit = kinst_digit(offset + i);
    if (digit >= base) {
      return 1;
    }
    *value = *value * base + digit;
  }
  return 0;
}

/* What the digits at the beginning say, after white space, a sign and, for base 16,
 * "0x". Too large a number wraps. */
KINST_FUNCTION kinst_u64 kinst_strtoll(kinst_u64 string, kinst_u64 base) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  if (base < 2 || base > MOST_BASE) {
    return fail(&memory, KINST_FAULT_ILLOP, 0);
  }
  if (take_string(&memory, KINST_WORK, string) < 0) {
    return 0;
  }
  /* Behind a string of the largest size, too, there are bytes to look at. */
  kinst_u64* variables = (kinst_u64*)(memory.scratch + KINST_WORK_VARIABLES);
  variables[0] = 1ULL << ' ' | 1ULL << '\t'; /* the set of white space */
  variables[1] = variables[2] = variables[3] = 0;
  kinst_u64 at = KINST_WORK + kinst_find_in_set(KINST_WORK, 0);
  KINST_OPAQUE(at);
  if (at >= KINST_WORK_VARIABLES) {
    return 0;
  }
  const kinst_u8 sign = memory.scratch[at];
  if (sign == '-' || sign == '+') {
    ++at;
  }
  if (base == 16 && memory.scratch[at] == '0' &&
      (memory.scratch[at + 1] | 0x20) == 'x' &&
      digit_value(memory.scratch[at + 2]) < 16) {
    at += 2;
  }
  variables[0] = 0;
  for (kinst_u64 piece = 0; piece < KINST_PIECES; ++piece) {
    if (kinst_digits_piece(at + piece * KINST_PIECE, base)) {
      break;
    }
  }
  return sign == '-' ? 0 - variables[0] : variables[0];
}
