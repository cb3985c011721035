// Converts D's options to the options of compiling, loading and running.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "compile/compile.h"
#include "compile/settings.h"
#include "run/enabling.h"

namespace kinst::run {

/// The size of a D string in bytes: strsize, plus a byte for the terminating zero.
std::uint32_t string_size(const compile::Settings& settings);

compile::CompileOptions compile_options(const compile::Settings& settings);
RunOptions run_options(const compile::Settings& settings);

/// Checks that each record of the program fits into the buffer.
/// Errors: a record does not fit. As in DTrace, a buffer that is too small for any
/// record is refused, even if it would be rounded up to a usable size; and a buffer
/// that is too large is made smaller only with bufresize=auto.
Result<void> check_buffer(const compile::Compilation& compilation,
                          const compile::Settings& settings);

/// Binds this process, and so BEGIN and END, to the CPU that the option cpu names. Does
/// nothing without that option. Errors: the CPU is not online.
Result<void> stay_on_cpu(const compile::Settings& settings);

}  // namespace kinst::run
