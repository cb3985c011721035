// What those who fork and execute a program have in common.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kinst {

/// argv or an environment as exec() takes it, with a null pointer behind the last. The
/// texts must outlive it.
std::vector<char*> exec_pointers(const std::vector<std::string>& texts);

/// For the child, behind an exec() that returned: writes errno to the pipe, and ends.
/// Makes only async-signal-safe calls.
[[noreturn]] void report_exec_failure(int pipe);

/// For the parent: waits until the child has become its program, which closes the pipe,
/// or could not. Returns errno of that, or nothing. The parent's own end for writing
/// must be closed.
std::optional<int> exec_failure(int pipe);

}  // namespace kinst
