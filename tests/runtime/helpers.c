/* The kernel's side of the runtime in a native build: maps of one CPU, and memory that
 * may be unreadable without harm, as the kernel's helpers take it.
 */
#define _GNU_SOURCE
#include "helpers.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "runtime/runtime.h"

struct kinst_map {
  char* values;
  size_t value_size;
  kinst_u32 entries;
};

static struct kinst_state own_state;
static unsigned char own_scratch[KINST_SCRATCH_ELEMENT_BYTES];
static kinst_u64 own_speculations[NATIVE_SPECULATIONS];

struct kinst_map state = {(char*)&own_state, sizeof own_state, 1};
struct kinst_map scratch = {(char*)own_scratch, sizeof own_scratch, 1};
struct kinst_map speculations = {(char*)own_speculations, sizeof own_speculations[0],
                                 NATIVE_SPECULATIONS};
struct kinst_map unwinding;
struct kinst_map unwind_ranges;
struct kinst_map unwind_rows;

/* The tables for walking stacks; they are the caller's. */
void native_set_unwinding(struct kinst_unwinding* settings,
                          struct kinst_unwind_range* ranges, kinst_u64* rows,
                          unsigned row_count) {
  unwinding = (struct kinst_map){(char*)settings, sizeof *settings, 1};
  unwind_ranges = (struct kinst_map){(char*)ranges, sizeof *ranges, settings->ranges};
  unwind_rows = (struct kinst_map){(char*)rows, sizeof *rows, row_count};
}

struct kinst_state* native_state(void) {
  return &own_state;
}

unsigned char* native_scratch(void) {
  return own_scratch;
}

void native_reset(unsigned string_size, unsigned scratch_limit) {
  memset(&own_state, 0, sizeof own_state);
  /* What a function finds there from others must not help it. */
  memset(own_scratch, 0xa5, sizeof own_scratch);
  memset(own_speculations, 0, sizeof own_speculations);
  own_state.string_size = string_size;
  own_state.scratch_limit = scratch_limit;
}

kinst_u32 bpf_get_smp_processor_id(void) {
  return 0;
}

void* bpf_map_lookup_elem(void* map, const void* key) {
  const struct kinst_map* array = (const struct kinst_map*)map;
  const kinst_u32 index = *(const kinst_u32*)key;
  return index < array->entries ? array->values + index * array->value_size : NULL;
}

static long copy_from(void* destination, kinst_u32 size, const void* source) {
  const struct iovec here = {destination, size};
  const struct iovec there = {(void*)source, size};
  if (size == 0 ||
      process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size) {
    return 0;
  }
  memset(destination, 0, size);
  return -EFAULT;
}

static long copy_string_from(void* destination, kinst_u32 size, const void* source) {
  char* to = (char*)destination;
  const char* from = (const char*)source;
  for (kinst_u32 i = 0; i < size; ++i) {
    if (copy_from(to + i, 1, from + i) != 0) {
      memset(destination, 0, size);
      return -EFAULT;
    }
    if (to[i] == 0) {
      return i + 1;
    }
  }
  if (size != 0) {
    to[size - 1] = 0;
  }
  return size;
}

long bpf_probe_read_kernel(void* destination, kinst_u32 size, const void* source) {
  return copy_from(destination, size, source);
}

long bpf_probe_read_kernel_str(void* destination, kinst_u32 size, const void* source) {
  return copy_string_from(destination, size, source);
}

long bpf_probe_read_user(void* destination, kinst_u32 size, const void* source) {
  return copy_from(destination, size, source);
}

long bpf_probe_read_user_str(void* destination, kinst_u32 size, const void* source) {
  return copy_string_from(destination, size, source);
}

long bpf_probe_write_user(void* destination, const void* source, kinst_u32 size) {
  const struct iovec here = {(void*)source, size};
  const struct iovec there = {destination, size};
  return process_vm_writev(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size ? 0
                                                                              : -EFAULT;
}

kinst_u64 bpf_get_current_task(void) {
  return 0;
}

kinst_u64 bpf_get_current_pid_tgid(void) {
  return (kinst_u64)getpid() << 32;
}

kinst_u64 bpf_ktime_get_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (kinst_u64)now.tv_sec * 1000000000ULL + (kinst_u64)now.tv_nsec;
}
