// What options mean for compiling, loading and running.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "session/compile.h"
#include "session/running.h"
#include "session/settings.h"

namespace kinst::session {

/// The bytes that a string of D takes: strsize counts its characters, the zero behind
/// them comes on top.
std::uint32_t string_size(const Settings& settings);

CompileOptions compile_options(const Settings& settings);
RunOptions run_options(const Settings& settings);

/// Errors: a record of the program does not fit into the buffer of the settings. As in
/// DTrace what could never hold a record is no buffer, whatever it is rounded to, and
/// what is too large is made smaller with bufresize=auto only.
Result<void> check_buffer(const Compilation& made, const Settings& settings);

/// Keeps this process, and so BEGIN and END, on the one CPU that the settings name.
/// Errors: it is not online. Does nothing where they name none.
Result<void> stay_on_cpu(const Settings& settings);

}  // namespace kinst::session
