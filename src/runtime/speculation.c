/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * Speculations: which numbers are given out, and how much has been recorded into each.
 * The records themselves wait in user space, where commit() and discard() come to be
 * known in the order of the records. A number is therefore free again only when the
 * record of its end has been sent.
 */
#include "runtime/scan.h"

KINST_MAP(speculations);

/* The state of a speculation that was given out, by its number; null for others. */
KINST_INLINE kinst_u64* speculation_state(kinst_u64 number) {
  const kinst_u32 index = (kinst_u32)number - 1;
  if (number == 0 || number > 0x7fffffff) {
    return 0;
  }
  return (kinst_u64*)bpf_map_lookup_elem(&speculations, &index);
}

/* What kinst_take_speculation() returns besides numbers. */
#define NONE_FREE 0
#define NO_MORE (~0ULL)

/* Takes the first free speculation of the KINST_PIECE numbers from `first` on. */
KINST_FUNCTION kinst_u64 kinst_take_speculation(kinst_u64 first) {
  for (kinst_u64 i = 0; i < KINST_PIECE; ++i) {
    kinst_u64* here = speculation_state(first + i);
    if (!here) {
      return NO_MORE;
    }
    if (__sync_val_compare_and_swap(here, KINST_SPECULATION_FREE,
                                    KINST_SPECULATION_ACTIVE) ==
        KINST_SPECULATION_FREE) {
      return first + i;
    }
  }
  return NONE_FREE;
}

/* The number of a free speculation; if none is free, counts that and returns 0. */
KINST_FUNCTION kinst_u64 kinst_speculation(void) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  /* For the verifier there are no more than these. */
  for (kinst_u64 piece = 0; piece < KINST_PIECES; ++piece) {
    const kinst_u64 taken = kinst_take_speculation(piece * KINST_PIECE + 1);
    if (taken == NO_MORE) {
      break;
    }
    if (taken != NONE_FREE) {
      return taken;
    }
  }
  ++memory.state->counters.speculation_busy;
  return 0;
}

/* 1 if the clause may record `bytes` into the speculation. 0: the clause is over, for
 * the number is none that was given out, or there are `most` bytes in it already, and
 * this is counted. */
KINST_FUNCTION kinst_u64 kinst_speculate(kinst_u64 number, kinst_u64 bytes,
                                         kinst_u64 most) {
  const struct kinst_memory memory = this_memory();
  kinst_u64* here = speculation_state(number);
  if (!memory.state || !here || *here < KINST_SPECULATION_ACTIVE) {
    return 0;
  }
  const kinst_u64 before = __sync_fetch_and_add(here, bytes);
  if (before < KINST_SPECULATION_ACTIVE) {
    /* It ended just now. */
    __sync_fetch_and_add(here, 0 - bytes);
    return 0;
  }
  if (before - KINST_SPECULATION_ACTIVE + bytes > most) {
    __sync_fetch_and_add(here, 0 - bytes);
    ++memory.state->counters.speculation_drops;
    return 0;
  }
  return 1;
}

/* commit() or discard(): no more is recorded. Fails for what cannot be a speculation's
 * number; does nothing for one that is not given out. */
KINST_FUNCTION kinst_u64 kinst_end_speculation(kinst_u64 number) {
  const struct kinst_memory memory = this_memory();
  kinst_u64* here = speculation_state(number);
  if (!memory.state || number == 0) {
    return 0;
  }
  if (!here) {
    return fail(&memory, KINST_FAULT_ILLOP, 0);
  }
  if (*here >= KINST_SPECULATION_ACTIVE) {
    *here = KINST_SPECULATION_ENDING;
  }
  return 0;
}

/* The clause that called commit() or discard() has failed: the speculation goes on. */
KINST_FUNCTION kinst_u64 kinst_resume_speculation(kinst_u64 number) {
  kinst_u64* here = speculation_state(number);
  if (here && *here == KINST_SPECULATION_ENDING) {
    *here = KINST_SPECULATION_ACTIVE;
  }
  return 0;
}

/* The record of its end has been sent: it may be given out again. */
KINST_FUNCTION kinst_u64 kinst_free_speculation(kinst_u64 number) {
  kinst_u64* here = speculation_state(number);
  if (here && *here == KINST_SPECULATION_ENDING) {
    *here = KINST_SPECULATION_FREE;
  }
  return 0;
}
