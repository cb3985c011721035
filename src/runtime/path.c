/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * basename(), dirname() and cleanpath(). The first two are what the commands of these
 * names print.
 */
#include "runtime/scan.h"

/* Gives out the part of the path at `begin` from one index up to another, or, if that
 * is empty, a single character. */
KINST_INLINE kinst_u64 give_out_part(const struct kinst_memory* memory, kinst_u64 begin,
                                     kinst_u64 from, kinst_u64 upto, kinst_u8 instead) {
  kinst_u64 end = begin + upto;
  KINST_OPAQUE(end);
  if (end >= KINST_WORK || begin + 1 >= KINST_WORK) {
    return 0;
  }
  if (from >= upto) {
    memory->scratch[begin] = instead;
    memory->scratch[begin + 1] = 0;
    return give_out(memory, begin, 2);
  }
  memory->scratch[end] = 0;
  const kinst_u64 address = give_out(memory, begin, upto + 1);
  return address ? address + from : 0;
}

KINST_FUNCTION kinst_u64 kinst_basename(kinst_u64 path) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_s64 length = take_string(&memory, begin, path);
  if (length < 0) {
    return 0;
  }
  const kinst_u64 end = kinst_find_last(begin, length, '/', KINST_DIFFERENT);
  const kinst_u64 from = kinst_find_last(begin, end, '/', KINST_EQUAL);
  return give_out_part(&memory, begin, from, end, length == 0 ? '.' : '/');
}

KINST_FUNCTION kinst_u64 kinst_dirname(kinst_u64 path) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_s64 length = take_string(&memory, begin, path);
  if (length < 0) {
    return 0;
  }
  const kinst_u64 end = kinst_find_last(begin, length, '/', KINST_DIFFERENT);
  const kinst_u64 slash = kinst_find_last(begin, end, '/', KINST_EQUAL);
  const kinst_u64 upto = kinst_find_last(begin, slash, '/', KINST_DIFFERENT);
  const int is_root = end == 0 ? length != 0 : slash != 0;
  return give_out_part(&memory, begin, 0, upto, is_root ? '/' : '.');
}

/* cleanpath() goes through the path once, as illumos' and FreeBSD's does: "//" and
 * "/./" become "/", and "/../" takes the result back to its last "/". So a slash at the
 * end stays, and so does a "." or ".." that no slash is in front of. */
enum cleaning_state {
  CLEAN_TEXT,       /* within a component */
  CLEAN_SLASH,      /* behind "/" */
  CLEAN_DOT,        /* behind "/." */
  CLEAN_TWO_DOTS,   /* behind "/.." */
  CLEAN_BACK,       /* taking a component back, more of the path to come */
  CLEAN_BACK_AT_END /* the same, behind the path's end */
};

struct cleaning {
  kinst_u64 next;  /* the offset of the path's next byte */
  kinst_u64 end;   /* the offset behind the path's last byte */
  kinst_u64 out;   /* bytes of the result, in the working space */
  kinst_u64 most;  /* bytes that the result may have before it is given up */
  kinst_u64 state; /* enum cleaning_state */
};

KINST_INLINE struct cleaning* cleaning_of(const struct kinst_memory* memory) {
  return (struct cleaning*)(memory->scratch + KINST_WORK_VARIABLES);
}

KINST_INLINE void put(const struct kinst_memory* memory, kinst_u8 byte) {
  struct cleaning* cleaning = cleaning_of(memory);
  kinst_u64 out = cleaning->out;
  KINST_OPAQUE(out);
  if (out < KINST_STRING_MAX) {
    memory->scratch[KINST_WORK + out] = byte;
    cleaning->out = out + 1;
  }
}

/* One byte back; 1 when the result is taken back and the path is over. */
KINST_FUNCTION kinst_u64 kinst_clean_back(kinst_u64 unused) {
  (void)unused;
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 1;
  }
  struct cleaning* cleaning = cleaning_of(&memory);
  kinst_u64 out = cleaning->out;
  if (out != 0) {
    --out;
    /* The verifier of old kernels wants the bound of the very value that is added. */
    KINST_OPAQUE(out);
    if (out < KINST_STRING_MAX) {
      cleaning->out = out;
      if (memory.scratch[KINST_WORK + out] != '/') {
        return 0;
      }
    }
  }
  const kinst_u64 is_at_end = cleaning->state == CLEAN_BACK_AT_END;
  cleaning->out += is_at_end;
  cleaning->state = CLEAN_SLASH;
  return is_at_end;
}

/* The path's next byte; 1 when there was none. */
KINST_FUNCTION kinst_u64 kinst_clean_byte(kinst_u64 unused) {
  (void)unused;
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 1;
  }
  struct cleaning* cleaning = cleaning_of(&memory);
  const kinst_u64 state = cleaning->state;
  kinst_u64 at = cleaning->next;
  KINST_OPAQUE(at);
  if (at >= KINST_WORK || (state == CLEAN_TEXT && cleaning->out >= cleaning->most)) {
    return 1;
  }
  const kinst_u8 byte = at < cleaning->end ? memory.scratch[at] : 0;
  ++cleaning->next;
  if (state == CLEAN_TWO_DOTS && (byte == '/' || byte == 0)) {
    cleaning->state = byte == 0 ? CLEAN_BACK_AT_END : CLEAN_BACK;
    return 0;
  }
  if (byte == '/') {
    cleaning->state = CLEAN_SLASH;
    return 0;
  }
  if (byte == '.' && (state == CLEAN_SLASH || state == CLEAN_DOT)) {
    cleaning->state = state + 1;
    return 0;
  }
  if (state >= CLEAN_SLASH) {
    put(&memory, '/');
  }
  if (state >= CLEAN_DOT) {
    put(&memory, '.');
  }
  if (state >= CLEAN_TWO_DOTS) {
    put(&memory, '.');
  }
  cleaning->state = CLEAN_TEXT;
  if (byte == 0) {
    return 1;
  }
  put(&memory, byte);
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_clean_piece(kinst_u64 unused) {
  (void)unused;
  for (int i = 0; i < KINST_PIECE; ++i) {
    const struct kinst_memory memory = this_memory();
    if (!memory.state) {
      return 1;
    }
    const kinst_u64 is_over = cleaning_of(&memory)->state < CLEAN_BACK
                                  ? kinst_clean_byte(0)
                                  : kinst_clean_back(0);
    if (is_over) {
      return 1;
    }
  }
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_cleanpath(kinst_u64 path) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = result_offset(&memory);
  const kinst_s64 length = take_string(&memory, begin, path);
  if (length < 0) {
    return 0;
  }
  struct cleaning* cleaning = cleaning_of(&memory);
  /* What a component behind two dots takes at most: "/..", itself and a zero. */
  const kinst_u64 reserve = 5;
  const kinst_u64 room = string_bytes(&memory);
  cleaning->next = begin;
  cleaning->end = begin + length;
  cleaning->out = 0;
  cleaning->most = room > reserve ? room - reserve : 0;
  cleaning->state = CLEAN_TEXT;
  memory.scratch[KINST_WORK] = '/'; /* what remains of "/.." */
  /* Each byte comes once and is taken back once at most. */
  for (int piece = 0; piece < 2 * KINST_PIECES; ++piece) {
    if (kinst_clean_piece(0)) {
      break;
    }
  }
  kinst_u64 end = cleaning->out;
  KINST_OPAQUE(end);
  if (end < KINST_STRING_MAX) {
    memory.scratch[KINST_WORK + end] = 0;
  }
  return give_out_work(&memory, KINST_WORK);
}
