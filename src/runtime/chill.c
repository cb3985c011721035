/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * chill(): spins for a while.
 */
#include "runtime/scan.h"

#define SECOND_NS 1000000000ULL
/* No more than half of each second on each CPU, as in DTrace. */
#define MOST_NS (SECOND_NS / 2)

/* 1 if the time has come. */
KINST_FUNCTION kinst_u64 kinst_wait_a_little(kinst_u64 until) {
  for (int i = 0; i < 512; ++i) {
    if (bpf_ktime_get_ns() >= until) {
      return 1;
    }
  }
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_wait_longer(kinst_u64 until) {
  for (int i = 0; i < 512; ++i) {
    if (kinst_wait_a_little(until)) {
      return 1;
    }
  }
  return 0;
}

/* Fails if this CPU has been chilled for too long in the last second. */
KINST_FUNCTION kinst_u64 kinst_chill(kinst_u64 nanoseconds) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 now = bpf_ktime_get_ns();
  if (now - memory.state->chill_begin > SECOND_NS) {
    memory.state->chill_begin = now;
    memory.state->chilled = 0;
  }
  if (nanoseconds > MOST_NS || memory.state->chilled + nanoseconds > MOST_NS) {
    return fail(&memory, KINST_FAULT_ILLOP, 0);
  }
  memory.state->chilled += nanoseconds;
  /* The verifier wants an end. Reading the time takes 10 ns at least, so that this
   * lasts for longer than is allowed. */
  for (int i = 0; i < 128; ++i) {
    if (kinst_wait_longer(now + nanoseconds)) {
      break;
    }
  }
  return 0;
}
