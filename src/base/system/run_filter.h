// Runs a program that reads text and writes text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kinst {

struct FilterOutcome {
  std::string output;
  int exit_status = 0;  ///< -1 if a signal ended it
};

/// Where a program's standard error goes: to that of this process, or nowhere.
enum class Complaints : bool { Shown, Dropped };

/// Runs a program, which is searched in PATH, with `input` as its standard input. A
/// stop signal kills it.
/// arguments: argv, with the name that the program is called by first.
/// Errors: the program cannot be run.
Result<FilterOutcome> run_filter(const std::string& program,
                                 const std::vector<std::string>& arguments,
                                 std::string_view input,
                                 Complaints complaints = Complaints::Shown);

/// Like run_filter(), but the program's standard output is this process's. Returns the
/// exit status; -1 if a signal ended the program.
Result<int> run_reader(const std::string& program,
                       const std::vector<std::string>& arguments,
                       std::string_view input);

}  // namespace kinst
