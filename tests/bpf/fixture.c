// A runtime for the tests of reading, linking and loading: each way of referring to
// something that the linker must resolve, and loops that the verifier must accept.
#include "runtime/runtime.h"

KINST_MAP(numbers);

static const kinst_u32 primes[] = {2, 3, 5, 7, 11, 13, 17, 19};

static kinst_u64* number_at(kinst_u32 index) {
  return bpf_map_lookup_elem(&numbers, &index);
}

// Calls between functions, of a function that takes a pointer.
KINST_FUNCTION kinst_u64 fixture_read(const kinst_u64* place) {
  return *place;
}

// A loop of 256 rounds through a map; the bound is a constant for the verifier's sake.
KINST_FUNCTION kinst_u64 fixture_sum(kinst_u64 count) {
  kinst_u64 sum = 0;
  for (kinst_u32 i = 0; i < 256 && i < count; ++i) {
    kinst_u64* number = number_at(i);
    if (!number) {
      break;
    }
    sum += *number;
  }
  return sum;
}

// Constants of the runtime.
KINST_FUNCTION kinst_u64 fixture_prime(kinst_u32 index) {
  return primes[index & 7];
}

KINST_FUNCTION kinst_u64 fixture_sum_of_primes(kinst_u64 count) {
  kinst_u64 sum = 0;
  for (kinst_u32 i = 0; i < 8 && i < count; ++i) {
    sum += fixture_prime(i);
  }
  return sum;
}

// A pointer parameter: verified at each call.
KINST_FUNCTION kinst_u64 fixture_first(kinst_u64 unused) {
  (void)unused;
  kinst_u64* number = number_at(0);
  return number ? fixture_read(number) : 0;
}

static long add_index(kinst_u32 index, void* sum) {
  *(kinst_u64*)sum += index;
  return 0;
}

// A function called back by the kernel.
KINST_FUNCTION kinst_u64 fixture_loop(kinst_u32 count) {
  kinst_u64 sum = 0;
  bpf_loop(count, add_index, &sum, 0);
  return sum;
}
