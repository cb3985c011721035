// For tests: the formulas of instruction.h, evaluated for given registers.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace kinst::isa::testing {

/// Whether the condition holds. tested: the whole register that it tests.
inline bool is_taken(const Condition& when, std::uint64_t flags, std::uint64_t tested) {
  const std::uint64_t differing = flags & when.differ;
  const bool flags_hold = (flags & when.any_set) != 0 ||
                          (~flags & when.any_clear) != 0 ||
                          (differing != 0 && differing != when.differ);
  const std::uint64_t value = tested & when.tested_bits;
  switch (when.test) {
    case RegisterTest::None:
      return flags_hold != when.negated;
    case RegisterTest::IsZero:
      return flags_hold != when.negated && value == 0;
    case RegisterTest::IsNotZero:
      return flags_hold != when.negated && value != 0;
    case RegisterTest::IsNotOne:
      return flags_hold != when.negated && value != 1;
  }
  return false;
}

}  // namespace kinst::isa::testing
