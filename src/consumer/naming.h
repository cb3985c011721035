// What the text of values depends on besides the values.
#pragma once

#include <cstdint>

#include "consumer/histogram.h"
#include "consumer/values/symbolizer.h"

namespace kinst::consumer {

/// How addresses and probes are shown.
struct Naming {
  Symbolizer& names;
  std::uint32_t stack_indent = 14;  ///< the option stackindent
  DrawingOptions drawing;
  /// Escapes control characters in the program's strings, because a terminal would obey
  /// them.
  bool escapes_controls = false;
};

}  // namespace kinst::consumer
