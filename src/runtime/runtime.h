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
 *
 * The verifier walks through every round of a loop. A loop over all bytes of a string
 * is therefore two functions: one that does a piece, one that calls it for each piece.
 * Its price is then the sum of their rounds, not the product.
 *
 * KINST_NATIVE compiles the same text for the machine at hand, with the kernel's
 * helpers in tests/runtime: what is computed can be tested without a kernel.
 */
#ifndef KINST_RUNTIME_RUNTIME_H
#define KINST_RUNTIME_RUNTIME_H

#ifdef KINST_NATIVE
#include "runtime/native.h"
#else
#include <linux/bpf.h>

/* needs the types of linux/bpf.h */
#include <bpf/bpf_helpers.h>
#endif

#include "runtime/abi.h"
#include "runtime/functions.h"

typedef unsigned char kinst_u8;
typedef int kinst_s32;

/* Eight bytes of a string, wherever they begin. The machines that BPF is compiled for
 * here load them at any address, which clang is not to know: it would load bytes. */
#ifdef KINST_NATIVE
typedef kinst_u64 __attribute__((aligned(1), may_alias)) kinst_word;
#else
typedef kinst_u64 __attribute__((may_alias)) kinst_word;
#endif

/* A map of the object that the runtime is linked into, by its name there. */
#define KINST_MAP(name) extern struct kinst_map name
struct kinst_map;

/* A function that generated code calls by name. Weak, so that the compiler draws no
 * conclusions from its body at the calls, which the verifier could not follow. */
#define KINST_FUNCTION __attribute__((noinline, weak))

#define KINST_INLINE static inline __attribute__((always_inline))

/* The compiler forgets what it knows of a variable: it then neither drops a check that
 * only the verifier needs, nor moves it to a copy of the value, nor makes one check of
 * two, which the verifier does not understand. */
#define KINST_OPAQUE(variable) __asm__ volatile("" : "+r"(variable))

#endif
