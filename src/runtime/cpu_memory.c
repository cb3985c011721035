/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * alloca(), bcopy(), copyin(), copyinto(), copyout(), memref() and stores through
 * pointers: bytes between the scratch and anywhere.
 */
#include "runtime/cpu_memory.h"

/* How far in front of the scratch an address is still taken for one that was meant to
 * be in it. */
#define KINST_IN_FRONT 4096ULL

enum source { SOURCE_KERNEL, SOURCE_USER, SOURCE_ZEROS };

/* Fills up to KINST_STRING_MAX bytes of the scratch. Returns 0, or an error. */
KINST_FUNCTION kinst_s64 kinst_fill_piece(kinst_u64 offset, kinst_u64 size,
                                          kinst_u64 address, kinst_u64 source) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state || offset >= KINST_SCRATCH_BYTES || size > KINST_STRING_MAX) {
    return -1;
  }
  kinst_u8* destination = memory.scratch + offset;
  if (source == SOURCE_USER) {
    return bpf_probe_read_user(destination, size, (void*)address);
  }
  const kinst_s64 error = bpf_probe_read_kernel(destination, size, (void*)address);
  /* The helper zeroes what it cannot read, which nothing at address 0 can be. */
  return source == SOURCE_ZEROS ? 0 : error;
}

/* Fills any number of bytes; returns 0, or an error. */
KINST_FUNCTION kinst_s64 kinst_fill_scratch(kinst_u64 offset, kinst_u64 size,
                                            kinst_u64 address, kinst_u64 source) {
  /* As many pieces as the whole scratch has. */
  for (int piece = 0; piece < KINST_SCRATCH_BYTES / KINST_STRING_MAX; ++piece) {
    const kinst_u64 bytes = size < KINST_STRING_MAX ? size : KINST_STRING_MAX;
    const kinst_s64 error = kinst_fill_piece(offset, bytes, address, source);
    size -= bytes;
    if (error != 0 || size == 0) {
      return error;
    }
    offset += bytes;
    address += source == SOURCE_ZEROS ? 0 : bytes;
  }
  return -1;
}

/* Takes `size` bytes at `address` into freshly given out scratch. */
KINST_INLINE kinst_u64 copy_to_new(kinst_u64 size, kinst_u64 address,
                                   enum source source) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 begin = memory.state->scratch_top;
  if (size > KINST_SCRATCH_BYTES || begin + size > KINST_SCRATCH_BYTES) {
    return fail(&memory, KINST_FAULT_NOSCRATCH, 0);
  }
  const kinst_u64 taken = aligned8(size);
  const kinst_u64 filled = source == SOURCE_ZEROS ? taken : size;
  if (kinst_fill_scratch(begin, filled, address, source) != 0) {
    return fail(&memory, KINST_FAULT_BADADDR, address);
  }
  memory.state->scratch_top = begin + taken;
  return number_of(&memory, memory.scratch) + begin;
}

/* The same within what the option scratchsize allows. */
KINST_INLINE kinst_u64 copy_to_allowed(kinst_u64 size, kinst_u64 address,
                                       enum source source) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 allocated = memory.state->allocated;
  const kinst_u64 limit = memory.state->scratch_limit;
  if (allocated > limit || size > limit - allocated) {
    return fail(&memory, KINST_FAULT_NOSCRATCH, 0);
  }
  const kinst_u64 address_given = copy_to_new(size, address, source);
  if (memory.state->fault == KINST_FAULT_NONE) {
    memory.state->allocated = allocated + aligned8(size);
  }
  return address_given;
}

/* The address of `size` zeroed bytes, which are the clause's. */
KINST_FUNCTION kinst_u64 kinst_alloca(kinst_u64 size) {
  return copy_to_allowed(size, 0, SOURCE_ZEROS);
}

/* The same for what the program did not ask for itself: a translation as a whole. */
KINST_FUNCTION kinst_u64 kinst_new_record(kinst_u64 size) {
  return copy_to_new(size, 0, SOURCE_ZEROS);
}

KINST_FUNCTION kinst_u64 kinst_copyin(kinst_u64 address, kinst_u64 size) {
  return copy_to_allowed(size, address, SOURCE_USER);
}

#define MEMREF_BYTES 16

KINST_FUNCTION kinst_u64 kinst_memref(kinst_u64 address, kinst_u64 size) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 given = copy_to_allowed(MEMREF_BYTES, 0, SOURCE_ZEROS);
  kinst_u64 offset = given - number_of(&memory, memory.scratch);
  KINST_OPAQUE(offset);
  if (given == 0 || offset > KINST_SCRATCH_BYTES - MEMREF_BYTES) {
    return 0;
  }
  kinst_word* place = (kinst_word*)(memory.scratch + offset);
  place[0] = address;
  place[1] = size;
  return given;
}

/* What a copy too long for what was given out fails with. */
enum on_overflow { OVERFLOW_IS_BAD_SIZE, OVERFLOW_IS_BAD_ADDRESS };

/* Copies to scratch that was given out. */
KINST_INLINE kinst_u64 copy_to_old(kinst_u64 destination, kinst_u64 source,
                                   kinst_u64 size, enum source space,
                                   enum on_overflow on_overflow) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 top = memory.state->scratch_top;
  const kinst_u64 scratch = number_of(&memory, memory.scratch);
  const kinst_u64 offset = destination - scratch;
  if (offset >= top) {
    return fail(&memory, KINST_FAULT_BADADDR, destination);
  }
  if (size > top - offset) {
    return on_overflow == OVERFLOW_IS_BAD_SIZE
               ? fail(&memory, KINST_FAULT_BADSIZE, size)
               : fail(&memory, KINST_FAULT_BADADDR, destination);
  }
  const kinst_u64 source_offset = source - scratch;
  if (space == SOURCE_KERNEL && source_offset < top && size > top - source_offset) {
    return fail(&memory, KINST_FAULT_BADSIZE, size);
  }
  if (kinst_fill_scratch(offset, size, source, space) != 0) {
    return fail(&memory, KINST_FAULT_BADADDR, source);
  }
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_bcopy(kinst_u64 source, kinst_u64 destination,
                                     kinst_u64 size) {
  return copy_to_old(destination, source, size, SOURCE_KERNEL, OVERFLOW_IS_BAD_SIZE);
}

KINST_FUNCTION kinst_u64 kinst_copyinto(kinst_u64 source, kinst_u64 size,
                                        kinst_u64 destination) {
  return copy_to_old(destination, source, size, SOURCE_USER, OVERFLOW_IS_BAD_SIZE);
}

/* Fails for scratch, or what is right in front of it, that is not given out. */
KINST_FUNCTION kinst_u64 kinst_check_address(kinst_u64 address, kinst_u64 size) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 offset = address - number_of(&memory, memory.scratch);
  if (offset + KINST_IN_FRONT < KINST_SCRATCH_ELEMENT_BYTES + KINST_IN_FRONT &&
      (offset > memory.state->scratch_top ||
       size > memory.state->scratch_top - offset)) {
    return fail(&memory, KINST_FAULT_BADADDR, address);
  }
  return 0;
}

/* A store of D to memory that is neither a variable nor its member. */
KINST_FUNCTION kinst_u64 kinst_copy_to_scratch(kinst_u64 destination, kinst_u64 source,
                                               kinst_u64 size) {
  return copy_to_old(destination, source, size, SOURCE_KERNEL, OVERFLOW_IS_BAD_ADDRESS);
}

/* The same for a string of at most `size` bytes: what is behind its zero stays. */
KINST_FUNCTION kinst_u64 kinst_copy_text_to_scratch(kinst_u64 destination,
                                                    kinst_u64 string, kinst_u64 size) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 top = memory.state->scratch_top;
  const kinst_u64 offset = destination - number_of(&memory, memory.scratch);
  if (offset >= top || size > top - offset || offset >= KINST_SCRATCH_BYTES ||
      size > KINST_STRING_MAX) {
    return fail(&memory, KINST_FAULT_BADADDR, destination);
  }
  if (string &&
      bpf_probe_read_kernel_str(memory.scratch + offset, size, (void*)string) < 0) {
    return fail(&memory, KINST_FAULT_BADADDR, string);
  }
  return 0;
}

/* Writes up to KINST_STRING_MAX bytes of user memory, by way of the working space. */
KINST_FUNCTION kinst_u64 kinst_copyout_piece(kinst_u64 source, kinst_u64 destination,
                                             kinst_u64 size) {
  const struct kinst_memory memory = this_memory();
  kinst_s64 some = size;
  KINST_OPAQUE(some);
  if (!memory.state || some < 1) {
    return 0;
  }
  KINST_OPAQUE(some);
  if (some > KINST_STRING_MAX) {
    return 0;
  }
  kinst_u8* bytes = memory.scratch + KINST_WORK;
  if (bpf_probe_read_kernel(bytes, some, (void*)source) != 0) {
    return fail(&memory, KINST_FAULT_BADADDR, source);
  }
  if (bpf_probe_write_user((void*)destination, bytes, some) != 0) {
    return fail(&memory, KINST_FAULT_BADADDR, destination);
  }
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_copyout(kinst_u64 source, kinst_u64 destination,
                                       kinst_u64 size) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  if (size > KINST_SCRATCH_BYTES) {
    return fail(&memory, KINST_FAULT_BADSIZE, size);
  }
  /* As many pieces as the whole scratch has. */
  for (int piece = 0; piece < KINST_SCRATCH_BYTES / KINST_STRING_MAX; ++piece) {
    const kinst_u64 bytes = size < KINST_STRING_MAX ? size : KINST_STRING_MAX;
    kinst_copyout_piece(source, destination, bytes);
    size -= bytes;
    if (memory.state->fault != KINST_FAULT_NONE || size == 0) {
      break;
    }
    source += bytes;
    destination += bytes;
  }
  return 0;
}

/* A string with its zero, or as much of it as fits `size` bytes. */
KINST_FUNCTION kinst_u64 kinst_copyoutstr(kinst_u64 string, kinst_u64 destination,
                                          kinst_u64 size) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_s64 length = take_string(&memory, KINST_WORK, string);
  if (length < 0) {
    return 0;
  }
  kinst_s64 bytes = length + 1;
  if (size < (kinst_u64)bytes) {
    bytes = size;
  }
  KINST_OPAQUE(bytes);
  if (bytes < 1) {
    return 0;
  }
  KINST_OPAQUE(bytes);
  if (bytes > KINST_STRING_MAX) {
    return 0;
  }
  if (bpf_probe_write_user((void*)destination, memory.scratch + KINST_WORK, bytes) !=
      0) {
    return fail(&memory, KINST_FAULT_BADADDR, destination);
  }
  return 0;
}
