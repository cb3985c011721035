/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * inet_ntoa(), inet_ntoa6(), inet_ntop() and link_ntop(): network addresses as text.
 */
#include "runtime/cpu_memory.h"

#define FAMILY_INET 2   /* AF_INET */
#define FAMILY_INET6 10 /* AF_INET6 */
#define LINK_ETHERNET 1
#define LINK_INFINIBAND 32
#define ETHERNET_BYTES 6
#define INFINIBAND_BYTES 20

/* In the working space: the address, then the text, of which 64 bytes are enough. */
#define ADDRESS KINST_WORK_VARIABLES
#define TEXT (KINST_WORK_VARIABLES + 32)
#define TEXT_BYTES 64

/* Writes a character of the text; returns where the next one goes. A function of its
 * own, and so are the next two: the verifier then does not tell apart all lengths that
 * the text before may have. */
KINST_FUNCTION kinst_u64 kinst_put_character(kinst_u64 at, kinst_u64 character) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(at);
  if (!memory.state || at >= TEXT_BYTES) {
    return 0;
  }
  memory.scratch[TEXT + at] = character;
  return at + 1;
}

KINST_FUNCTION kinst_u64 kinst_put_decimal(kinst_u64 at, kinst_u64 byte) {
  if (byte >= 100) {
    at = kinst_put_character(at, '0' + byte / 100);
  }
  if (byte >= 10) {
    at = kinst_put_character(at, '0' + byte / 10 % 10);
  }
  return kinst_put_character(at, '0' + byte % 10);
}

/* 16 bits without leading zeros, but at least so many digits. */
KINST_FUNCTION kinst_u64 kinst_put_hexadecimal(kinst_u64 at, kinst_u64 value,
                                               kinst_u64 least_digits) {
  for (int shift = 12; shift >= 0; shift -= 4) {
    const kinst_u64 digit = (value >> shift) & 0xf;
    if (value >> shift != 0 || (kinst_u64)shift < 4 * least_digits) {
      at = kinst_put_character(at, digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
  }
  return at;
}

/* The text has `length` characters. */
KINST_INLINE kinst_u64 give_out_text(const struct kinst_memory* memory,
                                     kinst_u64 length) {
  kinst_put_character(length, 0);
  return give_out_work(memory, TEXT);
}

/* The four bytes at an offset of the address, in dotted decimals. */
KINST_FUNCTION kinst_u64 kinst_put_dotted(kinst_u64 at, kinst_u64 offset) {
  const struct kinst_memory memory = this_memory();
  KINST_OPAQUE(offset);
  if (!memory.state || offset > 28) {
    return at;
  }
  for (int i = 0; i < 4; ++i) {
    if (i != 0) {
      at = kinst_put_character(at, '.');
    }
    at = kinst_put_decimal(at, memory.scratch[ADDRESS + offset + i]);
  }
  return at;
}

KINST_FUNCTION kinst_u64 kinst_inet_ntoa(kinst_u64 address) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  if (bpf_probe_read_kernel(memory.scratch + ADDRESS, 4, (void*)address) != 0) {
    return fail(&memory, KINST_FAULT_BADADDR, address);
  }
  return give_out_text(&memory, kinst_put_dotted(0, 0));
}

/* The nth 16 bits of the address. */
KINST_INLINE kinst_u64 group(const struct kinst_memory* memory, int number) {
  const kinst_u8* bytes = memory->scratch + ADDRESS + 2 * number;
  return bytes[0] << 8 | bytes[1];
}

/* The first of the longest runs of at least two zero groups, as 16 * begin + length;
 * 0 for none: RFC 5952, 4.2. */
KINST_FUNCTION kinst_u64 kinst_zero_groups(kinst_u64 unused) {
  (void)unused;
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  kinst_u64 best = 0;
  kinst_u64 best_length = 1;
  kinst_u64 length = 0;
  for (int i = 0; i < 8; ++i) {
    length = group(&memory, i) == 0 ? length + 1 : 0;
    if (length > best_length) {
      best_length = length;
      best = 16 * (i + 1 - length) + length;
    }
  }
  return best;
}

/* Groups, with "::" for the zeros that zero_groups() found. */
KINST_FUNCTION kinst_u64 kinst_put_groups(kinst_u64 zeros) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  const kinst_u64 first = zeros >> 4;
  const kinst_u64 end = first + (zeros & 15);
  kinst_u64 at = 0;
  for (kinst_u64 i = 0; i < 8; ++i) {
    if (i >= first && i < end) {
      if (i == first) {
        at = kinst_put_character(at, ':');
        at = i == 0 ? kinst_put_character(at, ':') : at;
      }
      continue;
    }
    at = kinst_put_hexadecimal(at, group(&memory, i), 1);
    if (i != 7) {
      at = kinst_put_character(at, ':');
    }
  }
  return at;
}

/* An IPv4 address in the form of IPv6 is written as the former; if strict, with the
 * "::" or "::ffff:" in front. */
KINST_FUNCTION kinst_u64 kinst_inet_ntoa6(kinst_u64 address, kinst_u64 strict) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  if (bpf_probe_read_kernel(memory.scratch + ADDRESS, 16, (void*)address) != 0) {
    return fail(&memory, KINST_FAULT_BADADDR, address);
  }
  const kinst_u64* halves = (kinst_u64*)(memory.scratch + ADDRESS);
  const kinst_u64 low = __builtin_bswap64(halves[1]);
  const int is_mapped = halves[0] == 0 && low >> 32 == 0xffff;
  const int is_compatible = halves[0] == 0 && low >> 32 == 0 && low > 1;
  if (!is_mapped && !is_compatible) {
    return give_out_text(&memory, kinst_put_groups(kinst_zero_groups(0)));
  }
  kinst_u64 at = 0;
  if ((kinst_u32)strict != 0) {
    at = kinst_put_character(at, ':');
    at = kinst_put_character(at, ':');
    if (is_mapped) {
      at = kinst_put_hexadecimal(at, 0xffff, 1);
      at = kinst_put_character(at, ':');
    }
  }
  return give_out_text(&memory, kinst_put_dotted(at, 12));
}

KINST_FUNCTION kinst_u64 kinst_inet_ntop(kinst_u64 family, kinst_u64 address) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  if ((kinst_u32)family == FAMILY_INET) {
    return kinst_inet_ntoa(address);
  }
  if ((kinst_u32)family == FAMILY_INET6) {
    return kinst_inet_ntoa6(address, 1);
  }
  return fail(&memory, KINST_FAULT_ILLOP, 0);
}

KINST_FUNCTION kinst_u64 kinst_link_ntop(kinst_u64 type, kinst_u64 address) {
  const struct kinst_memory memory = this_memory();
  if (!memory.state) {
    return 0;
  }
  kinst_u64 bytes = 0;
  if ((kinst_u32)type == LINK_ETHERNET) {
    bytes = ETHERNET_BYTES;
  } else if ((kinst_u32)type == LINK_INFINIBAND) {
    bytes = INFINIBAND_BYTES;
  } else {
    return fail(&memory, KINST_FAULT_ILLOP, 0);
  }
  if (bpf_probe_read_kernel(memory.scratch + ADDRESS, bytes, (void*)address) != 0) {
    return fail(&memory, KINST_FAULT_BADADDR, address);
  }
  kinst_u64 at = 0;
  for (kinst_u64 i = 0; i < INFINIBAND_BYTES; ++i) {
    if (i >= bytes) {
      break;
    }
    at = i == 0 ? at : kinst_put_character(at, ':');
    at = kinst_put_hexadecimal(at, memory.scratch[ADDRESS + i], 2);
  }
  return give_out_text(&memory, at);
}
