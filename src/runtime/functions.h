/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * The functions that generated code calls, by these names. D's subroutine strlen() is
 * kinst_strlen, and so on; strings, pointers and user addresses are numbers, as are
 * results. A function that cannot do its task sets kinst_state::fault and gives 0. A
 * result in memory lies in the scratch, and is valid until the clause ends. Arguments
 * that are optional in D are not optional here: generated code passes their defaults.
 */
#ifndef KINST_RUNTIME_FUNCTIONS_H
#define KINST_RUNTIME_FUNCTIONS_H

#include "runtime/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arithmetic; divisors are not 0. */
kinst_u64 kinst_divide_signed(kinst_s64 dividend, kinst_s64 divisor);
kinst_u64 kinst_modulo_signed(kinst_s64 dividend, kinst_s64 divisor);
/* The upper half of the 128 bits of value * value. */
kinst_u64 kinst_square_high(kinst_s64 value);

/* Buckets of histograms, from 0: see record/layout.h. */
kinst_u64 kinst_quantize_bucket(kinst_s64 value);
kinst_u64 kinst_lquantize_bucket(kinst_s64 value, kinst_s64 low, kinst_s64 high,
                                 kinst_u64 step);
kinst_u64 kinst_llquantize_bucket(kinst_s64 value, kinst_u64 factor, kinst_u64 low,
                                  kinst_u64 high, kinst_u64 steps);

/* Memory. */
kinst_u64 kinst_alloca(kinst_u64 size); /* 8-aligned and zeroed */
kinst_u64 kinst_bcopy(kinst_u64 source, kinst_u64 destination, kinst_u64 size);
kinst_u64 kinst_copyin(kinst_u64 address, kinst_u64 size);
/* Two words, an address and a size, in scratch. */
kinst_u64 kinst_memref(kinst_u64 address, kinst_u64 size);
kinst_u64 kinst_copyinto(kinst_u64 source, kinst_u64 size, kinst_u64 destination);
kinst_u64 kinst_copyout(kinst_u64 source, kinst_u64 destination, kinst_u64 size);
kinst_u64 kinst_copyoutstr(kinst_u64 string, kinst_u64 destination, kinst_u64 size);
/* Checks memory that is to be read: BADADDR for scratch that is not given out. */
kinst_u64 kinst_check_address(kinst_u64 address, kinst_u64 size);
/* Stores to where D may store by address: BADADDR for all but given out scratch. */
kinst_u64 kinst_new_record(kinst_u64 size);
kinst_u64 kinst_copy_text_to_scratch(kinst_u64 destination, kinst_u64 string,
                                     kinst_u64 size);
kinst_u64 kinst_copy_to_scratch(kinst_u64 destination, kinst_u64 source,
                                kinst_u64 size);

/* Strings. */
/* Negative, 0 or positive as the left sorts before, with or behind the right. */
kinst_s64 kinst_compare_strings(kinst_u64 left, kinst_u64 right);
/* An array of count < string_size chars, with or without a zero. */
kinst_u64 kinst_string_of_array(kinst_u64 address, kinst_u64 count);
kinst_u64 kinst_copyinstr(kinst_u64 address, kinst_u64 size);
/* Words that follow each other, each with a zero behind it, as one text with blanks
 * between: a process's arguments, `size` bytes, of which the first 79 are taken. */
kinst_u64 kinst_copyinwords(kinst_u64 address, kinst_u64 size);
/* size - 1 bytes of memory, with the character in place of each zero. No string for no
 * size; of more than 4096 bytes it fails. */
kinst_u64 kinst_memstr(kinst_u64 address, kinst_u64 character, kinst_u64 size);
kinst_u64 kinst_strlen(kinst_u64 string);
kinst_u64 kinst_strjoin(kinst_u64 first, kinst_u64 second);
/* index and length are ints; a length of INT_MAX takes all. */
kinst_u64 kinst_substr(kinst_u64 string, kinst_s64 index, kinst_s64 length);
kinst_u64 kinst_tolower(kinst_u64 string);
kinst_u64 kinst_toupper(kinst_u64 string);
kinst_u64 kinst_strchr(kinst_u64 string, kinst_u64 character);
kinst_u64 kinst_strrchr(kinst_u64 string, kinst_u64 character);
kinst_u64 kinst_strstr(kinst_u64 string, kinst_u64 wanted);
/* -1 for none; start is an int. */
kinst_s64 kinst_index(kinst_u64 string, kinst_u64 wanted, kinst_s64 start);
kinst_s64 kinst_rindex(kinst_u64 string, kinst_u64 wanted, kinst_s64 start);
kinst_u64 kinst_strtok(kinst_u64 string, kinst_u64 delimiters);
kinst_u64 kinst_basename(kinst_u64 path);
kinst_u64 kinst_dirname(kinst_u64 path);
kinst_u64 kinst_cleanpath(kinst_u64 path);
kinst_u64 kinst_lltostr(kinst_s64 value, kinst_u64 base);
kinst_u64 kinst_strtoll(kinst_u64 string, kinst_u64 base);
kinst_u64 kinst_json(kinst_u64 text, kinst_u64 selector);

/* Network addresses, of 4, 16 and, for a link, 6 or 20 bytes, as text. */
kinst_u64 kinst_inet_ntoa(kinst_u64 address);
kinst_u64 kinst_inet_ntoa6(kinst_u64 address, kinst_u64 strict);
kinst_u64 kinst_inet_ntop(kinst_u64 family, kinst_u64 address);
kinst_u64 kinst_link_ntop(kinst_u64 type, kinst_u64 address);

/* The kernel's state. The offsets are those of task_struct's real_parent and tgid. */
kinst_u64 kinst_progenyof(kinst_u64 process, kinst_u64 parent_offset,
                          kinst_u64 process_offset);
/* The same with the numbers of a pid namespace, as in the next. */
kinst_u64 kinst_progenyof_in_namespace(kinst_u64 process, kinst_u64 parent_offset,
                                       kinst_u64 task_layout, kinst_u64 pid_layout,
                                       kinst_u64 name_space);
/* What numbers a thread has in a pid namespace: its process's in the upper half, its
 * own in the lower; 0 outside of it. name_space: the namespace's inode. The layouts are
 * offsets of 16 bits each, from the lowest: task_struct's thread_pid and group_leader,
 * struct pid's level and numbers; the size of struct upid, its ns, and pid_namespace's
 * ns.inum. */
kinst_u64 kinst_numbers_in_namespace(kinst_u64 task, kinst_u64 task_layout,
                                     kinst_u64 pid_layout, kinst_u64 name_space);
kinst_u64 kinst_mutex_owner(kinst_u64 mutex);
kinst_u64 kinst_mutex_owned(kinst_u64 mutex);
kinst_u64 kinst_rw_iswriter(kinst_u64 lock);
kinst_u64 kinst_rw_write_held(kinst_u64 lock);
kinst_u64 kinst_rw_read_held(kinst_u64 lock);

/* The return addresses of a program's stack, innermost first, zeros behind the last:
 * the address of KINST_FRAMES words, in front of which is how many there are. 0 if
 * nothing is known of the process that runs. ip, sp, fp, link: its registers; 0 for the
 * link register that the machine does not have. wanted: how many are used, and
 * KINST_FRAMES_AT_ENTRY. */
kinst_u64 kinst_user_stack(kinst_u64 wanted, kinst_u64 ip, kinst_u64 sp, kinst_u64 fp,
                           kinst_u64 link);

/* Actions. */
kinst_u64 kinst_chill(kinst_u64 nanoseconds);
/* A free speculation's number, or 0. */
kinst_u64 kinst_speculation(void);
/* 1 if the clause may record that many bytes into the speculation; otherwise the clause
 * ends. */
kinst_u64 kinst_speculate(kinst_u64 number, kinst_u64 bytes, kinst_u64 most);
/* The first is called for commit() and discard(), the second when the record of that
 * has been sent. */
kinst_u64 kinst_end_speculation(kinst_u64 number);
kinst_u64 kinst_free_speculation(kinst_u64 number);
/* Called instead of the second if the record will not be sent, because the clause has
 * failed. */
kinst_u64 kinst_resume_speculation(kinst_u64 number);

#ifdef __cplusplus
}
#endif

#endif
