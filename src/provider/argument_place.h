// Where an argument is, if it is not simply the argN of its number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kinst::provider {

struct ArgumentPlace {
  /// The argN that hold it, 8 bytes each: a small struct by value takes two.
  std::vector<std::uint32_t> words;
  /// Why it cannot be read, as a sentence without its end; empty if it can.
  std::string why_unreadable;
};

}  // namespace kinst::provider
