/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * What every source of the runtime begins with: kernel C for the BPF machine.
 *
 * A function called from generated code takes up to five integers and returns one. It
 * is then verified once, on its own, whatever its arguments, so that a program may call
 * it a hundred times and still load fast. Pointers are passed as integers and read with
 * bpf_probe_read_kernel. A function that takes a pointer, or is static, works too, but
 * is verified anew at each call. The stack frames of a chain of calls together have
 * 512 bytes, and a chain is at most 8 frames long.
 */
#ifndef KINST_RUNTIME_RUNTIME_H
#define KINST_RUNTIME_RUNTIME_H

#include <linux/bpf.h>

/* needs the types of linux/bpf.h */
#include <bpf/bpf_helpers.h>

#include "runtime/abi.h"

/* A map of the object that the runtime is linked into, by its name there. */
#define KINST_MAP(name) extern struct kinst_map name
struct kinst_map;

/* A function that generated code calls by name. Weak, so that the compiler draws no
 * conclusions from its body at the calls, which the verifier could not follow. */
#define KINST_FUNCTION __attribute__((noinline, weak))

#endif
