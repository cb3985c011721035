/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * What the generated code, the runtime's C and the consumer agree on. Read as C by
 * `clang -target bpf` and as C++ by the command, which checks the offsets.
 *
 * Each CPU has an element of the array maps "state" and "scratch", by its number
 * (ordinary arrays: elements of per-CPU maps may not exceed 32 KiB):
 *
 *     state    | kinst_state | the program's own: this->, record, key, ...      |
 *     scratch  | KINST_SCRATCH_BYTES | KINST_STRING_MAX | a function's own work     |
 *
 * The runtime may write a whole string at any offset of the scratch before it knows
 * whether the string fits: the second part takes the overflow. "speculations" is an
 * array with a u64 for each speculation: 0 if it is free, else KINST_SPECULATION_….
 * All addresses are kernel addresses as scalars, addresses of this memory included. So
 * all of them are read in one way, by bpf_probe_read_kernel, which cannot fault the
 * kernel.
 */
#ifndef KINST_RUNTIME_ABI_H
#define KINST_RUNTIME_ABI_H

#ifdef __cplusplus
#include <cstdint>
using kinst_u32 = std::uint32_t;
using kinst_u64 = std::uint64_t;
using kinst_s64 = std::int64_t;
#else
typedef unsigned int kinst_u32;
typedef unsigned long long kinst_u64;
typedef long long kinst_s64;
#endif

/* It is the kernel's side of C, in the kernel's layout: names and arrays, too.
 * NOLINTBEGIN(readability-identifier-naming, modernize-avoid-c-arrays) */

/* Scratch of one clause: what alloca, copyin and the string subroutines give out.
 * A power of two. */
#define KINST_SCRATCH_BYTES 0x10000
/* The largest strsize. A power of two, so that a masked length is below it. */
#define KINST_STRING_MAX 8192

/* Behind the scratch and its overflow: a string and some variables of the function that
 * is running. */
#define KINST_WORK_BYTES (KINST_STRING_MAX + 256)
/* An element of the map "scratch". */
#define KINST_SCRATCH_ELEMENT_BYTES \
  (KINST_SCRATCH_BYTES + KINST_STRING_MAX + KINST_WORK_BYTES)

/* Numbers as DTrace's ERROR probe gives them in arg4 (DTRACEFLT_*). */
enum kinst_fault {
  KINST_FAULT_NONE = 0,
  KINST_FAULT_BADADDR = 1,
  KINST_FAULT_BADALIGN = 2,
  KINST_FAULT_ILLOP = 3,
  KINST_FAULT_DIVZERO = 4,
  KINST_FAULT_NOSCRATCH = 5,
  KINST_FAULT_KPRIV = 6,
  KINST_FAULT_UPRIV = 7,
  KINST_FAULT_TUPOFLOW = 8,
  KINST_FAULT_BADSTACK = 9,
  KINST_FAULT_BADSIZE = 10,
  KINST_FAULT_BADINDEX = 11
};

/* Counters of one CPU: printed records + drops = hits. The map is memory-mapped, so the
 * consumer reads them where they are. */
struct kinst_counters {
  kinst_u64 hits;              /* runs of programs, except timers' and dtrace's */
  kinst_u64 entered;           /* times that kprobes' programs were called, even when
                                  nothing was to be done */
  kinst_u64 nested;            /* hits given up: a program was running on this CPU */
  kinst_u64 record_drops;      /* records that found no room */
  kinst_u64 aggregation_drops; /* updates whose key found no room */
  kinst_u64 dynamic_drops;     /* dynamic variables that found no room */
  kinst_u64 speculation_drops; /* speculative records without a place */
  kinst_u64 speculation_busy;  /* speculation() found none free */
  kinst_u64 errors;            /* clauses that faulted */
};

/* The head of a CPU's memory. */
struct kinst_state {
  kinst_u64 self;          /* kernel address of this struct */
  kinst_u64 scratch;       /* kernel address of this CPU's scratch */
  kinst_u64 probe;         /* the probe key, as in the record header */
  kinst_u64 fault;         /* enum kinst_fault; a clause stops when it is set */
  kinst_u64 fault_address; /* what could not be read, for BADADDR */
  kinst_u64 fault_place;   /* which of the clause's places that can fail */
  kinst_u64 scratch_top;   /* bytes of scratch in use */
  kinst_u64 allocated;     /* bytes of it that alloca() and copyin() gave out */
  kinst_u64 scratch_limit; /* the option scratchsize, which limits these bytes */
  kinst_u64 string_size;   /* the option strsize */
  kinst_u64 busy;          /* not 0 while a program runs on this CPU */
  kinst_u64 strtok_next;   /* where strtok(NULL, …) goes on; 0: at an end */
  kinst_u64 leaked;        /* a map pointer on its way to being a number */
  kinst_u64 timestamp;     /* the hit's time, if the program asks for it */
  kinst_u64 chill_begin;   /* the second in which this CPU was last chilled, in ns */
  kinst_u64 chilled;       /* ns for which it was in that second */
  struct kinst_counters counters;
  kinst_u64 args[10]; /* arg0 to arg9 where the provider has them computed */
};

/* In front of every record: see record/layout.h. */
struct kinst_record_header {
  kinst_u32 clause; /* Layout::clause, or KINST_RECORD_ERROR */
  kinst_u32 cpu;
  kinst_u32 speculation; /* 0 for none */
  kinst_u32 tid;         /* the thread, for flow indentation */
  kinst_u64 probe;       /* which probe: an instruction's address, or a number that the
                            provider gave; see provider/probe.h */
};

#define KINST_RECORD_ERROR 0xffffffffu

/* A fault in a clause, told whether or not the program has ERROR clauses. */
struct kinst_error_record {
  struct kinst_record_header header;
  kinst_u32 clause; /* the clause that failed */
  kinst_u32 action; /* which of its statements, from 1 */
  kinst_u64 place;  /* which of the clause's places that can fail */
  kinst_u64 fault;  /* enum kinst_fault */
  kinst_u64 address;
};

/* How user programs lay out their stacks, for walking the stacks (unwind.c).
 *
 * "unwind_ranges" says where processes have their files, sorted by process and address;
 * the first lies at 0 of process 0 and is no file, so that a search ends on an element.
 * "unwind_rows" says, for each file by increasing address, how its code finds its
 * caller's frame; each rule holds up to the next:
 *
 *     63        32 31  29 28    27 26     11 10            0
 *     | address   | kind | return | CFA     | frame pointer |
 *
 * address: from the range's begin on. The frame pointer of the caller is on the stack
 * that many words below the CFA; or is still in its register; or is where that points.
 * CFA is DWARF's word for the stack pointer as it was before the call. */
struct kinst_unwind_range {
  kinst_u64 begin;
  kinst_u64 end;
  kinst_u32 process;
  kinst_u32 first_row;
  kinst_u32 rows;
  kinst_u32 unused;
};

enum kinst_frame_kind {
  KINST_FRAME_UNKNOWN = 0,
  KINST_FRAME_SP = 1,       /* CFA = the stack pointer + words */
  KINST_FRAME_FP = 2,       /* the frame pointer + words */
  KINST_FRAME_SP_SAVED = 3, /* what the stack pointer + signed high byte of words
                               points at, + low byte of words */
  KINST_FRAME_FP_SAVED = 4, /* the same by the frame pointer */
  KINST_FRAME_STUB = 5,     /* of a linkage table: the stack pointer + 1 word, + 1 more
                               from that byte of each 16 on */
  KINST_FRAME_SIGNAL = 6,   /* all registers are in the signal's frame */
  KINST_FRAME_OUTERMOST = 7
};

/* Where the return address is. A call either pushes it, so that it is always in the
 * same place, or leaves it in a register, the link register, which a function saves
 * before it calls another one. */
enum kinst_frame_return {
  KINST_FRAME_RETURN_BELOW_CFA = 0, /* in the word below the CFA */
  KINST_FRAME_RETURN_IN_LINK = 1,   /* still in the link register */
  KINST_FRAME_RETURN_ABOVE_FP = 2,  /* in the word above the saved frame pointer */
  KINST_FRAME_RETURN_IN_PLACE = 3   /* where the lowest field would have the frame
                                       pointer, which is still in its register */
};

#define KINST_FRAME_KIND_SHIFT 29
#define KINST_FRAME_RETURN_SHIFT 27
#define KINST_FRAME_RETURN_MASK 3u
#define KINST_FRAME_CFA_SHIFT 11
#define KINST_FRAME_FP_MASK 0x7ffu
#define KINST_FRAME_FP_KEPT 0u
#define KINST_FRAME_FP_POINTED_TO 0x7ffu

/* The map "unwinding" is one of these. Offsets are bytes. */
struct kinst_unwinding {
  kinst_u32 ranges; /* elements of unwind_ranges */
  /* In a signal's frame, from the stack pointer on as the handler leaves it. */
  kinst_u32 signal_ip;
  kinst_u32 signal_sp;
  kinst_u32 signal_fp;
  kinst_u32 signal_link; /* 0: the machine has no link register */
  /* What a call pushes: a word, or nothing if it leaves the return address in the link
   * register. */
  kinst_u32 call_bytes;
  /* Where the kernel keeps the return addresses that it has replaced, in order to trace
   * function returns: task_struct.utask, uprobe_task.return_instances, which is a list.
   */
  kinst_u32 has_return_instances;
  kinst_u32 task_utask;
  kinst_u32 utask_instances;
  kinst_u32 instance_stack;
  kinst_u32 instance_return;
  kinst_u32 instance_next;
  /* Where processes have their numbers from, as kinst_numbers_in_namespace() takes it;
   * all 0 for the initial pid namespace. */
  kinst_u64 task_layout;
  kinst_u64 pid_layout;
  kinst_u64 name_space;
};

/* The most frames of a user stack, as many as the kernel walks. */
#define KINST_FRAMES 127
/* A flag beside the number of wanted frames: the stack is at a function's entry. */
#define KINST_FRAMES_AT_ENTRY 0x100u

/* Values of the map "speculations", by the speculation's number less 1. */
enum kinst_speculation_state {
  KINST_SPECULATION_FREE = 0,
  /* commit() or discard() has been called; its record is not yet sent */
  KINST_SPECULATION_ENDING = 1,
  /* speculation() has given it out; what is above this counts the bytes recorded */
  KINST_SPECULATION_ACTIVE = 2
};

/* In the map "control" (a memory-mapped array of one): how the two sides steer each
 * other even while records are lost. */
struct kinst_control {
  kinst_u64 active;  /* 0: programs return at once */
  kinst_u64 exiting; /* exit() was called: only END still runs */
  kinst_u64 exit_status;
};
/* NOLINTEND(readability-identifier-naming, modernize-avoid-c-arrays) */

#endif
