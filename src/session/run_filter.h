// A program that reads text and writes text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kinst::session {

struct FilterOutcome {
  std::string output;
  int exit_status = 0;  ///< -1 if a signal ended it
};

/// Runs a program, found on the PATH, with `input` as its standard input.
/// arguments: what it is to be called first. Its errors go where this process's go. It
/// is killed when a stop signal comes.
/// Errors: it cannot be run.
Result<FilterOutcome> run_filter(const std::string& program,
                                 const std::vector<std::string>& arguments,
                                 std::string_view input);

/// The same, with this process's standard output. Returns the exit status, -1 if a
/// signal ended it.
Result<int> run_reader(const std::string& program,
                       const std::vector<std::string>& arguments,
                       std::string_view input);

}  // namespace kinst::session
