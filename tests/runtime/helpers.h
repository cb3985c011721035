/* The memory of the one CPU that the runtime's native build has. */
#ifndef KINST_TESTS_RUNTIME_HELPERS_H
#define KINST_TESTS_RUNTIME_HELPERS_H

#include "runtime/abi.h"

#define NATIVE_SPECULATIONS 3

#ifdef __cplusplus
extern "C" {
#endif

struct kinst_state* native_state(void);
unsigned char* native_scratch(void);
/* Empties it all. Sizes in bytes. */
void native_reset(unsigned string_size, unsigned scratch_limit);

/* The tables for walking stacks; they are the caller's. */
void native_set_unwinding(struct kinst_unwinding* settings,
                          struct kinst_unwind_range* ranges, kinst_u64* rows,
                          unsigned row_count);

#ifdef __cplusplus
}
#endif

#endif
