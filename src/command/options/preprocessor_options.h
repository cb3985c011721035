// How the C preprocessor is run on programs.
#pragma once

#include <string>
#include <vector>

namespace kinst::command {

struct PreprocessorOptions {
  std::string program = "cpp";         ///< cpppath
  std::vector<std::string> arguments;  ///< -D, -U, -I, cppargs, in order
  bool shows_included_files = false;   ///< cpphdrs, -H
  char c_conformance = 'a';            ///< stdc, -X: a, c, s or t

  bool operator==(const PreprocessorOptions&) const = default;
};

}  // namespace kinst::command
