/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * Walks the stack of the program that runs, by tables that are made of its files'
 * call frame information (abi.h). Where code has none, it is taken to keep a frame
 * pointer, which is how the kernel itself walks.
 */
#include "runtime/cpu_memory.h"

KINST_MAP(unwinding);
KINST_MAP(unwind_ranges);
KINST_MAP(unwind_rows);

/* Where the walk is, in the working space between two frames. */
struct kinst_walk {
  kinst_u64 ip;
  kinst_u64 sp;
  kinst_u64 fp;
  kinst_u64 link;     /* the link register, of the frame whose ip is exact */
  kinst_u64 instance; /* the innermost replaced return address not met so far */
  kinst_u64 is_exact; /* ip is of the next instruction, not behind a call */
  kinst_u64 process;  /* whose stack it is */
  kinst_u64 is_entry; /* of a function whose first instruction it is */
};

KINST_INLINE struct kinst_walk* walk_of(const struct kinst_memory* memory) {
  return (struct kinst_walk*)(memory->scratch + KINST_WORK_VARIABLES);
}

KINST_INLINE const struct kinst_unwinding* settings(void) {
  const kinst_u32 zero = 0;
  return (const struct kinst_unwinding*)bpf_map_lookup_elem(&unwinding, &zero);
}

/* The running process, by its number in the namespace that the ranges use. */
KINST_INLINE kinst_u64 current_process(const struct kinst_unwinding* known) {
  if (known->name_space == 0) {
    return bpf_get_current_pid_tgid() >> 32;
  }
  return kinst_numbers_in_namespace(bpf_get_current_task(), known->task_layout,
                                    known->pid_layout, known->name_space) >>
         32;
}

/* The number of the process's last range that begins at or before the address; if there
 * is none, the number of some other range. 24 halvings are enough for the largest
 * number of ranges. */
KINST_FUNCTION kinst_u64 kinst_find_range(kinst_u64 process, kinst_u64 address) {
  const struct kinst_unwinding* known = settings();
  kinst_u32 low = 0;
  kinst_u32 high = known ? known->ranges : 0;
  for (int i = 0; i < 24 && low + 1 < high; ++i) {
    const kinst_u32 middle = low + (high - low) / 2;
    const struct kinst_unwind_range* range =
        (const struct kinst_unwind_range*)bpf_map_lookup_elem(&unwind_ranges, &middle);
    if (!range) {
      return 0;
    }
    if (range->process < process ||
        (range->process == process && range->begin <= address)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* The last of the rows at or before the address, which counts from the range's begin.
 */
KINST_FUNCTION kinst_u64 kinst_find_row(kinst_u64 first, kinst_u64 rows,
                                        kinst_u64 address) {
  kinst_u32 low = first;
  kinst_u32 high = first + rows;
  kinst_u64 found = 0;
  for (int i = 0; i < 32 && low < high; ++i) {
    const kinst_u32 middle = low + (high - low) / 2;
    const kinst_u64* row = (const kinst_u64*)bpf_map_lookup_elem(&unwind_rows, &middle);
    if (!row) {
      return 0;
    }
    if (*row >> 32 <= address) {
      found = *row;
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return found & 0xffffffff;
}

/* How the code at an address of the process finds its caller's frame. */
KINST_FUNCTION kinst_u64 kinst_frame_rule(kinst_u64 process, kinst_u64 address) {
  const kinst_u32 number = (kinst_u32)kinst_find_range(process, address);
  const struct kinst_unwind_range* range =
      (const struct kinst_unwind_range*)bpf_map_lookup_elem(&unwind_ranges, &number);
  if (!range || range->process != process || address < range->begin ||
      address >= range->end) {
    return KINST_FRAME_UNKNOWN;
  }
  return kinst_find_row(range->first_row, range->rows, address - range->begin);
}

KINST_INLINE kinst_u64 read_kernel(kinst_u64 address) {
  kinst_u64 word = 0;
  bpf_probe_read_kernel(&word, sizeof word, (const void*)address);
  return word;
}

/* A word of the program's; 0 if it cannot be read. */
KINST_INLINE kinst_u64 read_user(kinst_u64 address) {
  kinst_u64 word = 0;
  bpf_probe_read_user(&word, sizeof word, (const void*)address);
  return word;
}

/* The return address of the frame with that CFA, if the kernel has replaced it. The
 * kernel knows it by the stack pointer behind the call. Outer frames have higher
 * addresses, so those met before are behind. */
KINST_FUNCTION kinst_u64 kinst_replaced_return(kinst_u64 frame) {
  const struct kinst_memory memory = this_memory();
  const struct kinst_unwinding* known = settings();
  if (!memory.state || !known) {
    return 0;
  }
  struct kinst_walk* walk = walk_of(&memory);
  const kinst_u64 place = frame - known->call_bytes;
  kinst_u64 instance = walk->instance;
  /* The kernel keeps no more: MAX_URETPROBE_DEPTH. */
  for (int i = 0; i < 64 && instance; ++i) {
    const kinst_u64 stack = read_kernel(instance + known->instance_stack);
    if (stack >= place) {
      walk->instance = instance;
      return stack == place ? read_kernel(instance + known->instance_return) : 0;
    }
    instance = read_kernel(instance + known->instance_next);
  }
  walk->instance = 0;
  return 0;
}

/* The CFA of the walk's frame by a rule that has one; 0 for none. */
KINST_INLINE kinst_u64 frame_address(const struct kinst_walk* walk, kinst_u64 rule) {
  const kinst_u64 words = rule >> KINST_FRAME_CFA_SHIFT & 0xffff;
  const kinst_u64 from = (kinst_u64)(kinst_s64)(signed char)(words >> 8) * 8;
  const kinst_u64 more = (words & 0xff) * 8;
  switch (rule >> KINST_FRAME_KIND_SHIFT) {
    case KINST_FRAME_SP:
      return walk->sp + words * 8;
    case KINST_FRAME_FP:
      return walk->fp + words * 8;
    case KINST_FRAME_SP_SAVED:
      return read_user(walk->sp + from) + more;
    case KINST_FRAME_FP_SAVED:
      return read_user(walk->fp + from) + more;
    case KINST_FRAME_STUB:
      return walk->sp + ((walk->ip & 15) >= words ? 16 : 8);
    default:
      return 0;
  }
}

/* The same where there is no rule, and makes one up of what is usual. */
KINST_INLINE kinst_u64 usual_frame(const struct kinst_walk* walk, kinst_u64* rule) {
  if (walk->is_entry) {
    const struct kinst_unwinding* known = settings();
    if (!known) {
      return 0;
    }
    *rule = known->call_bytes ? KINST_FRAME_RETURN_BELOW_CFA << KINST_FRAME_RETURN_SHIFT
                              : KINST_FRAME_RETURN_IN_LINK << KINST_FRAME_RETURN_SHIFT;
    return walk->sp + known->call_bytes;
  }
  *rule = KINST_FRAME_FP_POINTED_TO;
  return walk->fp + 16;
}

KINST_INLINE kinst_u64 leave_signal(struct kinst_walk* walk) {
  const struct kinst_unwinding* known = settings();
  if (!known) {
    return 0;
  }
  const kinst_u64 frame = walk->sp;
  walk->ip = read_user(frame + known->signal_ip);
  walk->sp = read_user(frame + known->signal_sp);
  walk->fp = read_user(frame + known->signal_fp);
  walk->link = known->signal_link ? read_user(frame + known->signal_link) : 0;
  walk->is_exact = 1;
  return walk->ip;
}

/* The word of the stack that lies that many words below the frame's CFA. */
KINST_INLINE kinst_u64 read_below(kinst_u64 frame, kinst_u64 words) {
  return read_user(frame - words * 8);
}

/* Where a rule has the return address: enum kinst_frame_return. */
KINST_INLINE kinst_u64 return_of(kinst_u64 rule) {
  return rule >> KINST_FRAME_RETURN_SHIFT & KINST_FRAME_RETURN_MASK;
}

/* The return address of a frame, as the rule has it. */
KINST_INLINE kinst_u64 return_address(const struct kinst_walk* walk, kinst_u64 frame,
                                      kinst_u64 rule) {
  const kinst_u64 where = return_of(rule);
  if (where == KINST_FRAME_RETURN_IN_LINK) {
    return walk->is_exact ? walk->link : 0; /* calls have changed it */
  }
  kinst_u64 words = 1;
  if (where != KINST_FRAME_RETURN_BELOW_CFA) {
    words = (rule & KINST_FRAME_FP_MASK) - (where == KINST_FRAME_RETURN_ABOVE_FP);
  }
  return read_below(frame, words);
}

/* Sets the frame pointer to that of the caller. */
KINST_INLINE void restore_frame_pointer(struct kinst_walk* walk, kinst_u64 frame,
                                        kinst_u64 rule) {
  const kinst_u64 saved = rule & KINST_FRAME_FP_MASK;
  if (saved == KINST_FRAME_FP_POINTED_TO) {
    walk->fp = read_user(walk->fp);
  } else if (saved != KINST_FRAME_FP_KEPT &&
             return_of(rule) != KINST_FRAME_RETURN_IN_PLACE) {
    walk->fp = read_below(frame, saved);
  }
}

/* Whether a frame's CFA can be where the rule has it: the stack of callers lies above.
 * A function that has saved nothing yet, the link register neither, has no stack. */
KINST_INLINE int is_above(const struct kinst_walk* walk, kinst_u64 frame,
                          kinst_u64 rule) {
  return frame > walk->sp ||
         (frame == walk->sp && return_of(rule) == KINST_FRAME_RETURN_IN_LINK);
}

/* Moves the walk to the calling frame. Returns its ip, or 0 if there is none. */
KINST_FUNCTION kinst_u64 kinst_next_frame(void) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  struct kinst_walk* walk = walk_of(&memory);
  kinst_u64 rule = kinst_frame_rule(walk->process, walk->ip - !walk->is_exact);
  const kinst_u64 kind = rule >> KINST_FRAME_KIND_SHIFT;
  if (kind == KINST_FRAME_OUTERMOST) {
    return 0;
  }
  if (kind == KINST_FRAME_SIGNAL) {
    walk->is_entry = 0;
    return leave_signal(walk);
  }
  const kinst_u64 frame = kind == KINST_FRAME_UNKNOWN ? usual_frame(walk, &rule)
                                                      : frame_address(walk, rule);
  if (!is_above(walk, frame, rule)) {
    return 0;
  }
  kinst_u64 ip = return_address(walk, frame, rule);
  if (walk->instance) {
    const kinst_u64 replaced = kinst_replaced_return(frame);
    ip = replaced ? replaced : ip;
  }
  restore_frame_pointer(walk, frame, rule);
  walk->sp = frame;
  walk->ip = ip;
  walk->is_exact = 0;
  walk->is_entry = 0;
  return ip;
}

KINST_INLINE kinst_u64 first_instance(void) {
  const struct kinst_unwinding* known = settings();
  if (!known || !known->has_return_instances) {
    return 0;
  }
  const kinst_u64 utask = read_kernel(bpf_get_current_task() + known->task_utask);
  return utask ? read_kernel(utask + known->utask_instances) : 0;
}

/* Whether there is a range of the process. */
KINST_INLINE int knows_process(kinst_u64 process) {
  const kinst_u32 number = (kinst_u32)kinst_find_range(process, ~0ULL);
  const struct kinst_unwind_range* last =
      (const struct kinst_unwind_range*)bpf_map_lookup_elem(&unwind_ranges, &number);
  return last && last->process == process && process != 0;
}

KINST_FUNCTION kinst_u64 kinst_user_stack(kinst_u64 wanted, kinst_u64 ip, kinst_u64 sp,
                                          kinst_u64 fp, kinst_u64 link) {
  const struct kinst_memory memory = this_memory();
  const struct kinst_unwinding* known = settings();
  if (!memory.state || !known) {
    return 0;
  }
  struct kinst_walk* walk = walk_of(&memory);
  walk->process = current_process(known);
  if (!knows_process(walk->process)) {
    return 0;
  }
  walk->ip = ip;
  walk->sp = sp;
  walk->fp = fp;
  walk->link = link;
  walk->instance = first_instance();
  walk->is_exact = 1;
  walk->is_entry = (wanted & KINST_FRAMES_AT_ENTRY) != 0;
  const kinst_u64 most = wanted & (KINST_FRAMES_AT_ENTRY - 1);
  kinst_u64* words = (kinst_u64*)(memory.scratch + KINST_WORK);
  kinst_u64 count = 0;
  for (kinst_u64 i = 0; i < KINST_FRAMES; ++i) {
    words[1 + i] = ip;
    if (ip) {
      ++count;
      ip = i + 1 < most ? kinst_next_frame() : 0;
    }
  }
  words[0] = count;
  return number_of(&memory, memory.scratch) + KINST_WORK + 8;
}
