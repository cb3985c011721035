/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * The helpers of the kernel that the runtime uses, for a native build. Their meaning is
 * that of the kernel's man page bpf-helpers(7); tests/runtime/helpers.c has them.
 */
#ifndef KINST_RUNTIME_NATIVE_H
#define KINST_RUNTIME_NATIVE_H

#include "runtime/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* libbpf has a function of this name and of another meaning. */
#define bpf_map_lookup_elem native_map_lookup_elem

kinst_u32 bpf_get_smp_processor_id(void);
void* bpf_map_lookup_elem(void* map, const void* key);
long bpf_probe_read_kernel(void* destination, kinst_u32 size, const void* source);
long bpf_probe_read_kernel_str(void* destination, kinst_u32 size, const void* source);
long bpf_probe_read_user(void* destination, kinst_u32 size, const void* source);
long bpf_probe_read_user_str(void* destination, kinst_u32 size, const void* source);
long bpf_probe_write_user(void* destination, const void* source, kinst_u32 size);
kinst_u64 bpf_get_current_task(void);
kinst_u64 bpf_get_current_pid_tgid(void);
kinst_u64 bpf_ktime_get_ns(void);

#ifdef __cplusplus
}
#endif

#endif
