// The place of a typed argument, which may differ from the argN of the same number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kinst::provider {

struct ArgumentPlace {
  /// The numbers of the argN that hold the argument, 8 bytes each: a small struct
  /// passed by value takes two.
  std::vector<std::uint32_t> words;
  /// Why the argument cannot be read, as a sentence without a full stop; empty if it
  /// can be read.
  std::string why_unreadable;
};

}  // namespace kinst::provider
