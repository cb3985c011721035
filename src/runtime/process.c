/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * progenyof(), and what the kernel's locks say of their owners.
 */
#include "runtime/cpu_memory.h"

/* 1 if `process` is this process or one that it descends from. The offsets are those of
 * task_struct's real_parent and tgid. */
KINST_FUNCTION kinst_u64 kinst_progenyof(kinst_u64 process, kinst_u64 parent_offset,
                                         kinst_u64 process_offset) {
  kinst_u64 task = bpf_get_current_task();
  /* Processes do not nest as deep as this, and the verifier wants an end. */
  for (int i = 0; i < 256; ++i) {
    kinst_u32 here = 0;
    kinst_u64 parent = 0;
    if (bpf_probe_read_kernel(&here, sizeof here, (void*)(task + process_offset)) !=
            0 ||
        bpf_probe_read_kernel(&parent, sizeof parent, (void*)(task + parent_offset)) !=
            0) {
      return 0;
    }
    if (here == (kinst_u32)process) {
      return 1;
    }
    if (parent == task || parent == 0) {
      return 0; /* the first of all is its own parent */
    }
    task = parent;
  }
  return 0;
}

KINST_INLINE kinst_u64 part_of(kinst_u64 layout, kinst_u32 number) {
  return layout >> (16 * number) & 0xffff;
}

/* As deep as namespaces nest: include/linux/pid_namespace.h, MAX_PID_NS_LEVEL. */
#define LEVELS 33

/* What number a struct pid has in a namespace; 0 outside of it. */
KINST_FUNCTION kinst_u64 kinst_number_of_pid(kinst_u64 pid, kinst_u64 task_layout,
                                             kinst_u64 pid_layout,
                                             kinst_u64 name_space) {
  kinst_u32 deepest = 0;
  if (bpf_probe_read_kernel(&deepest, sizeof deepest,
                            (void*)(pid + part_of(task_layout, 2))) != 0) {
    return 0;
  }
  kinst_u64 upid = pid + part_of(task_layout, 3);
  for (kinst_u32 level = 0; level < LEVELS && level <= deepest; ++level) {
    kinst_u64 here = 0;
    kinst_u32 inode = 0;
    kinst_u32 number = 0;
    bpf_probe_read_kernel(&here, sizeof here, (void*)(upid + part_of(pid_layout, 1)));
    bpf_probe_read_kernel(&inode, sizeof inode, (void*)(here + part_of(pid_layout, 2)));
    if (inode == (kinst_u32)name_space) {
      bpf_probe_read_kernel(&number, sizeof number, (void*)upid);
      return number;
    }
    upid += part_of(pid_layout, 0);
  }
  return 0;
}

KINST_FUNCTION kinst_u64 kinst_numbers_in_namespace(kinst_u64 task,
                                                    kinst_u64 task_layout,
                                                    kinst_u64 pid_layout,
                                                    kinst_u64 name_space) {
  kinst_u64 leader = 0;
  kinst_u64 thread_pid = 0;
  kinst_u64 leader_pid = 0;
  bpf_probe_read_kernel(&thread_pid, sizeof thread_pid,
                        (void*)(task + part_of(task_layout, 0)));
  bpf_probe_read_kernel(&leader, sizeof leader,
                        (void*)(task + part_of(task_layout, 1)));
  bpf_probe_read_kernel(&leader_pid, sizeof leader_pid,
                        (void*)(leader + part_of(task_layout, 0)));
  const kinst_u64 process =
      kinst_number_of_pid(leader_pid, task_layout, pid_layout, name_space);
  return process << 32 |
         kinst_number_of_pid(thread_pid, task_layout, pid_layout, name_space);
}

KINST_FUNCTION kinst_u64 kinst_progenyof_in_namespace(kinst_u64 process,
                                                      kinst_u64 parent_offset,
                                                      kinst_u64 task_layout,
                                                      kinst_u64 pid_layout,
                                                      kinst_u64 name_space) {
  kinst_u64 task = bpf_get_current_task();
  for (int i = 0; i < 256; ++i) {
    kinst_u64 parent = 0;
    const kinst_u64 here =
        kinst_numbers_in_namespace(task, task_layout, pid_layout, name_space) >> 32;
    if (here == 0) {
      return 0; /* its ancestors are not in it either */
    }
    if (here == (kinst_u32)process) {
      return 1;
    }
    bpf_probe_read_kernel(&parent, sizeof parent, (void*)(task + parent_offset));
    if (parent == task || parent == 0) {
      return 0;
    }
    task = parent;
  }
  return 0;
}

/* struct mutex begins with the owner's task, whose lowest bits are flags:
 * kernel/locking/mutex.c, MUTEX_FLAGS. */
KINST_FUNCTION kinst_u64 kinst_mutex_owner(kinst_u64 mutex) {
  const struct kinst_memory memory = this_memory();
  kinst_u64 owner = 0;
  if (!memory.state) {
    return 0;
  }
  if (bpf_probe_read_kernel(&owner, sizeof owner, (void*)mutex) != 0) {
    return fail(&memory, KINST_FAULT_BADADDR, mutex);
  }
  return owner & ~7ULL;
}

/* By this thread. */
KINST_FUNCTION kinst_u64 kinst_mutex_owned(kinst_u64 mutex) {
  const kinst_u64 owner = kinst_mutex_owner(mutex);
  return owner != 0 && owner == bpf_get_current_task();
}

/* rwlock_t begins with the word of a queued lock: a byte that says whether a writer
 * holds it, a bit for one that waits, then the number of readers:
 * include/asm-generic/qrwlock.h. */
#define WRITER_HOLDS 0xffu
#define WRITER_WAITS 0x100u
#define READERS_SHIFT 9

KINST_FUNCTION kinst_u64 kinst_lock_word(kinst_u64 lock) {
  const struct kinst_memory memory = this_memory();
  kinst_u32 word = 0;
  if (!memory.state) {
    return 0;
  }
  if (bpf_probe_read_kernel(&word, sizeof word, (void*)lock) != 0) {
    return fail(&memory, KINST_FAULT_BADADDR, lock);
  }
  return word;
}

/* Held, or wanted. */
KINST_FUNCTION kinst_u64 kinst_rw_iswriter(kinst_u64 lock) {
  return (kinst_lock_word(lock) & (WRITER_HOLDS | WRITER_WAITS)) != 0;
}

KINST_FUNCTION kinst_u64 kinst_rw_write_held(kinst_u64 lock) {
  return (kinst_lock_word(lock) & WRITER_HOLDS) != 0;
}

/* A reader counts itself before it waits for the writer: kernel/locking/qrwlock.c,
 * queued_read_lock_slowpath(). */
KINST_FUNCTION kinst_u64 kinst_rw_read_held(kinst_u64 lock) {
  const kinst_u64 word = kinst_lock_word(lock);
  return (word & WRITER_HOLDS) == 0 && word >> READERS_SHIFT != 0;
}
