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

/* cleanpath() goes through a path from its end, so that ".." is met before what it
 * takes back, and writes the result from its end, too, as the last bytes of the working
 * space's string. */
struct cleaning {
  kinst_u64 begin;   /* the path's offset */
  kinst_u64 left;    /* how many bytes of it are still to come */
  kinst_u64 out;     /* index in the result of what was last written */
  kinst_u64 whole;   /* the same, before the component that is being written */
  kinst_u64 end;     /* the same, when its name began; 0 between components */
  kinst_u64 parents; /* how many components ".." has yet to take back */
};

#define RESULT_END (KINST_STRING_MAX - 1)

KINST_INLINE struct cleaning* cleaning_of(const struct kinst_memory* memory) {
  return (struct cleaning*)(memory->scratch + KINST_WORK_VARIABLES);
}

KINST_INLINE void put_in_front(const struct kinst_memory* memory, kinst_u8 byte) {
  struct cleaning* cleaning = cleaning_of(memory);
  kinst_u64 out = cleaning->out - 1;
  KINST_OPAQUE(out);
  if (out < KINST_STRING_MAX) {
    memory->scratch[KINST_WORK + out] = byte;
    cleaning->out = out;
  }
}

/* The component being written is complete: it stays or is taken back. */
KINST_INLINE void end_component(const struct kinst_memory* memory) {
  struct cleaning* cleaning = cleaning_of(memory);
  const kinst_u64 length = cleaning->end - cleaning->out;
  kinst_u64 out = cleaning->out;
  KINST_OPAQUE(out);
  cleaning->end = 0;
  if (out > KINST_STRING_MAX - 2) {
    return;
  }
  const kinst_u8* name = memory->scratch + KINST_WORK + out;
  if (length == 2 && name[0] == '.' && name[1] == '.') {
    ++cleaning->parents;
  } else if (length == 1 && name[0] == '.') {
    /* the same directory */
  } else if (cleaning->parents > 0) {
    --cleaning->parents;
  } else {
    return;
  }
  cleaning->out = cleaning->whole;
}

/* One byte of the path; 1 when there was none. */
KINST_FUNCTION kinst_u64 kinst_clean_byte(kinst_u64 unused) {
  (void)unused;
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 1;
  }
  struct cleaning* cleaning = cleaning_of(&memory);
  if (cleaning->left == 0) {
    return 1;
  }
  --cleaning->left;
  kinst_u64 at = cleaning->begin + cleaning->left;
  KINST_OPAQUE(at);
  if (at >= KINST_WORK) {
    return 1;
  }
  const kinst_u8 byte = memory.scratch[at];
  if (byte == '/') {
    if (cleaning->end != 0) {
      end_component(&memory);
    }
    return 0;
  }
  if (cleaning->end == 0) {
    cleaning->whole = cleaning->out;
    if (cleaning->out != RESULT_END) {
      put_in_front(&memory, '/');
    }
    cleaning->end = cleaning->out;
  }
  put_in_front(&memory, byte);
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_clean_piece(kinst_u64 unused) {
  (void)unused;
  for (int i = 0; i < KINST_PIECE; ++i) {
    if (kinst_clean_byte(0)) {
      return 1;
    }
  }
  return 0;
}

/* A ".." in front that takes nothing back; 1 when there was none. */
KINST_FUNCTION kinst_u64 kinst_clean_parent(kinst_u64 unused) {
  (void)unused;
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 1;
  }
  struct cleaning* cleaning = cleaning_of(&memory);
  if (cleaning->parents == 0) {
    return 1;
  }
  --cleaning->parents;
  if (cleaning->out != RESULT_END) {
    put_in_front(&memory, '/');
  }
  put_in_front(&memory, '.');
  put_in_front(&memory, '.');
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_clean_parents(kinst_u64 unused) {
  (void)unused;
  for (int i = 0; i < KINST_PIECE; ++i) {
    if (kinst_clean_parent(0)) {
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
  cleaning->begin = begin;
  cleaning->left = length;
  cleaning->out = RESULT_END;
  cleaning->whole = RESULT_END;
  cleaning->end = 0;
  cleaning->parents = 0;
  memory.scratch[KINST_WORK + RESULT_END] = 0;
  for (int piece = 0; piece < KINST_PIECES; ++piece) {
    if (kinst_clean_piece(0)) {
      break;
    }
  }
  if (cleaning->end != 0) {
    end_component(&memory);
  }
  if (memory.scratch[begin] == '/') {
    put_in_front(&memory, '/');
  } else {
    for (int piece = 0; piece < KINST_PIECES; ++piece) {
      if (kinst_clean_parents(0)) {
        break;
      }
    }
    if (length != 0 && cleaning->out == RESULT_END) {
      put_in_front(&memory, '.');
    }
  }
  return give_out_work(&memory, KINST_WORK + cleaning->out);
}
