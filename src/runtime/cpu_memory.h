/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * This CPU's memory, as the functions of the runtime use it. The scratch is given out
 * from its beginning; what lies behind it (KINST_STRING_MAX bytes, its tail) serves
 * each function as working space for as long as it runs.
 */
#ifndef KINST_RUNTIME_MEMORY_H
#define KINST_RUNTIME_MEMORY_H

#include "runtime/runtime.h"

KINST_MAP(state);
KINST_MAP(scratch);

#define KINST_WORK (KINST_SCRATCH_BYTES + KINST_STRING_MAX)
#define KINST_WORK_VARIABLES (KINST_WORK + KINST_STRING_MAX)

struct kinst_memory {
  struct kinst_state* state; /* null if there is none: give up */
  kinst_u8* scratch;         /* KINST_SCRATCH_ELEMENT_BYTES */
};

KINST_INLINE struct kinst_memory this_memory(void) {
  struct kinst_memory memory = {0, 0};
  kinst_u32 cpu = bpf_get_smp_processor_id();
  struct kinst_state* found_state =
      (struct kinst_state*)bpf_map_lookup_elem(&state, &cpu);
  kinst_u8* found_scratch = (kinst_u8*)bpf_map_lookup_elem(&scratch, &cpu);
  if (found_state && found_scratch) {
    memory.state = found_state;
    memory.scratch = found_scratch;
  }
  return memory;
}

/* The clause fails; gives what the failing function is to return. */
KINST_INLINE kinst_u64 fail(const struct kinst_memory* memory, enum kinst_fault fault,
                            kinst_u64 address) {
  memory->state->fault_address = address;
  memory->state->fault = fault;
  return 0;
}

/* A pointer into a map as a number. It is stored to a map and read back, after which
 * the verifier takes it for a number, if the user may see kernel addresses. */
KINST_INLINE kinst_u64 number_of(const struct kinst_memory* memory,
                                 const void* pointer) {
  *(volatile kinst_u64*)&memory->state->leaked = (kinst_u64)pointer;
  return *(volatile kinst_u64*)&memory->state->leaked;
}

KINST_INLINE kinst_u64 aligned8(kinst_u64 size) {
  return (size + 7) & ~7ULL;
}

/* Bytes of a string with its zero, at most. */
KINST_INLINE kinst_u64 string_bytes(const struct kinst_memory* memory) {
  kinst_u64 size = memory->state->string_size;
  KINST_OPAQUE(size);
  return size > KINST_STRING_MAX ? KINST_STRING_MAX : size;
}

/* Where in the scratch the next result goes: KINST_STRING_MAX bytes can be written
 * there, whether or not they can then be given out. */
KINST_INLINE kinst_u64 result_offset(const struct kinst_memory* memory) {
  kinst_u64 offset = memory->state->scratch_top;
  KINST_OPAQUE(offset);
  /* When it is full, the tail takes the result, and give_out() refuses it. */
  return offset > KINST_SCRATCH_BYTES ? KINST_SCRATCH_BYTES : offset;
}

/* Gives out `size` bytes written from result_offset() on. Returns their address, or
 * fails for want of scratch. */
KINST_INLINE kinst_u64 give_out(const struct kinst_memory* memory, kinst_u64 offset,
                                kinst_u64 size) {
  if (offset + size > KINST_SCRATCH_BYTES) {
    return fail(memory, KINST_FAULT_NOSCRATCH, 0);
  }
  memory->state->scratch_top = aligned8(offset + size);
  return number_of(memory, memory->scratch) + offset;
}

/* Reads a string to where results go. Returns its length, or fails and returns a
 * negative number. */
KINST_INLINE kinst_s64 take_string(const struct kinst_memory* memory, kinst_u64 offset,
                                   kinst_u64 string) {
  const kinst_s64 bytes = bpf_probe_read_kernel_str(
      memory->scratch + offset, string_bytes(memory), (void*)string);
  if (bytes < 1) {
    fail(memory, KINST_FAULT_BADADDR, string);
    return -1;
  }
  return bytes - 1;
}

/* Gives out a copy of the string that a function has made in its working space. */
KINST_INLINE kinst_u64 give_out_work(const struct kinst_memory* memory,
                                     kinst_u64 offset) {
  const kinst_u64 begin = result_offset(memory);
  const kinst_s64 bytes =
      bpf_probe_read_kernel_str(memory->scratch + begin, string_bytes(memory),
                                (void*)(number_of(memory, memory->scratch) + offset));
  return give_out(memory, begin, bytes < 1 ? 1 : bytes);
}

#endif
