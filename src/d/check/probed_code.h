// What a clause can name that depends on the probes of its description: the arguments
// and local variables of the code that these probes are in. The checker asks; `compile`
// answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "types/type.h"

namespace kinst::d {

/// Descriptions are named by their indexes among the descriptions of all programs, in
/// source order.
class ProbedCode {
 public:
  ProbedCode() = default;
  ProbedCode(const ProbedCode&) = delete;
  ProbedCode& operator=(const ProbedCode&) = delete;
  ProbedCode(ProbedCode&&) = delete;
  ProbedCode& operator=(ProbedCode&&) = delete;
  virtual ~ProbedCode() = default;

  /// For a message: which types args[argument] has at which probes of the description.
  /// Empty if the type is the same at all its probes.
  virtual std::string argument_difference(std::size_t description,
                                          std::uint64_t argument) = 0;

  /// The type of the parameter or local variable of that name at the probes of the
  /// description; nothing if no such variable is in scope. Errors: the variable cannot
  /// be read at every probe, or its type is not known.
  virtual std::optional<Result<types::TypeId>> local_variable(
      std::size_t description, std::string_view name) = 0;
  /// Why local_variable() cannot know any variable at the description; empty if it can.
  virtual std::string why_no_locals(std::size_t description) = 0;
};

}  // namespace kinst::d
