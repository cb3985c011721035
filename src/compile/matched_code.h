// Answers what D programs ask about the code that their probes are in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compile/local_variables.h"
#include "compile/match/probe_arguments.h"
#include "d/check/probed_code.h"

namespace kinst::compile {

/// References its constructor's arguments, which must outlive it.
class MatchedCode final : public d::ProbedCode {
 public:
  MatchedCode(LocalVariables& locals, ArgumentDifferences& differences)
      : locals_(&locals), differences_(&differences) {}

  std::string argument_difference(std::size_t description,
                                  std::uint64_t argument) override {
    return differences_->find(description, argument);
  }
  std::optional<Result<types::TypeId>> local_variable(std::size_t description,
                                                      std::string_view name) override {
    return locals_->find(description, name);
  }
  std::string why_no_locals(std::size_t description) override {
    return locals_->why_none(description);
  }

 private:
  LocalVariables* locals_;
  ArgumentDifferences* differences_;
};

}  // namespace kinst::compile
