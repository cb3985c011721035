// The option fbt.
#pragma once

#include <cstdint>

namespace kinst::compile {

/// The ways to trace the ends of kernel functions. compile/function_tracing.h tells
/// what each can do.
enum class FunctionWay : std::uint8_t {
  Fastest,
  Fentry,
  KprobeMulti,
  Breakpoint,
  Kprobe
};

}  // namespace kinst::compile
