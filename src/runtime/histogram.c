/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
 *
 * Which bucket of a histogram a value belongs to, from 0. The buckets' layout is in
 * record/layout.h.
 */
#include "runtime/bits.h"

#define QUANTIZE_ZERO_BUCKET 63
#define QUANTIZE_BUCKETS 127

/* Buckets hold 2^n up to 2^(n+1) - 1, and so on the other side of zero. */
KINST_FUNCTION kinst_u64 kinst_quantize_bucket(kinst_s64 value) {
  if (value == 0) {
    return QUANTIZE_ZERO_BUCKET;
  }
  if (value > 0) {
    return QUANTIZE_ZERO_BUCKET + 1 + highest_bit((kinst_u64)value);
  }
  const kinst_u32 bit = highest_bit(0 - (kinst_u64)value);
  /* The smallest number has no bucket of its own. */
  return bit == 63 ? 0 : QUANTIZE_ZERO_BUCKET - 1 - bit;
}

KINST_FUNCTION kinst_u64 kinst_lquantize_bucket(kinst_s64 value, kinst_s64 low,
                                                kinst_s64 high, kinst_u64 step) {
  if (step == 0 || value < low) {
    return 0;
  }
  const kinst_u64 levels = ((kinst_u64)high - (kinst_u64)low) / step;
  const kinst_u64 level = ((kinst_u64)value - (kinst_u64)low) / step;
  return 1 + (level < levels ? level : levels);
}

/* factor^exponent. Factors are at least 2, so that no exponent above 63 fits 64 bits;
 * the verifier needs a bound. A function of its own, so that the verifier does not
 * follow each exponent separately. */
KINST_FUNCTION kinst_u64 kinst_power(kinst_u64 factor, kinst_u64 exponent) {
  kinst_u64 result = 1;
  for (kinst_u64 i = 0; i < 64; ++i) {
    if (i >= exponent) {
      break;
    }
    result *= factor;
  }
  return result;
}

/* The bucket of a magnitude; 0 for those below factor^low. */
KINST_INLINE kinst_u64 logarithmic_bucket(kinst_u64 value, kinst_u64 factor,
                                          kinst_u64 low, kinst_u64 high,
                                          kinst_u64 steps) {
  const kinst_u64 buckets = steps - steps / factor; /* of one order of magnitude */
  kinst_u64 begin = kinst_power(factor, low);
  if (value < begin) {
    return 0;
  }
  kinst_u64 order = low;
  /* As in kinst_power(). */
  for (int i = 0; i < 64; ++i) {
    if (order > high) {
      break;
    }
    const kinst_u64 end = begin * factor;
    if (value < end) {
      /* Counted in steps from 0, of which the first steps / factor are below `begin`.
       * Where there are more steps than values, each value has a bucket of its own,
       * and the buckets between stay empty: consumer/values/histogram.h expects them
       * so. */
      const kinst_u64 step = end >= steps ? value / (end / steps) : value * steps / end;
      return 1 + (order - low) * buckets + step - steps / factor;
    }
    begin = end;
    ++order;
  }
  return 1 + (high - low + 1) * buckets;
}

KINST_FUNCTION kinst_u64 kinst_llquantize_bucket(kinst_s64 value, kinst_u64 factor,
                                                 kinst_u64 low, kinst_u64 high,
                                                 kinst_u64 steps) {
  if (factor < 2 || steps == 0) {
    return 0;
  }
  const kinst_u64 middle = 1 + (high - low + 1) * (steps - steps / factor);
  const kinst_u64 magnitude = value < 0 ? 0 - (kinst_u64)value : (kinst_u64)value;
  const kinst_u64 bucket = logarithmic_bucket(magnitude, factor, low, high, steps);
  return value < 0 ? middle - bucket : middle + bucket;
}
