// `--annotate` generates a D program that counts a function's instructions, runs it,
// and reads the counts from its aggregations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "compile/compile.h"
#include "consumer/values/aggregations.h"
#include "isa/isa.h"
#include "kernel/code/function_reader.h"
#include "kernel/debug/lazy_debug_information.h"
#include "kernel/symbols/symbols.h"
#include "listing/annotation.h"

namespace kinst::command {

/// The processes whose executions are counted.
enum class Counted : std::uint8_t {
  Everybody,
  Target,         ///< the target process and its descendants; needs BTF
  TargetProcess,  ///< the target process alone
};

/// A function, followed by its `.cold` parts.
struct WholeFunction {
  std::vector<kernel::ExaminedFunction> parts;
};

struct AnnotatedFunctions {
  std::vector<WholeFunction> functions;
  std::vector<std::string> skipped;  ///< "vmlinux:f: reason", if `names` has a pattern
};

/// Finds the functions that `names` mean (see listing::examine()) and their `.cold`
/// parts.
/// Errors: those of listing::examine(); no function of them can be traced.
Result<AnnotatedFunctions> functions_to_annotate(std::string_view names,
                                                 const kernel::Symbols& symbols,
                                                 kernel::FunctionReader& reader);

/// Writes the D program that counts how often each instruction is executed and how
/// often each conditional jump is taken, and counts the targets of indirect calls and
/// jumps.
compile::ProgramText counting_program(const std::vector<WholeFunction>& functions,
                                      const kernel::ProbeRules& rules,
                                      const isa::Isa& isa, Counted counted);

/// Reads the counts from the aggregations of counting_program() and marks these as
/// printed, so that they are not printed at the end of the run. The aggregations of
/// other programs are left alone. Errors: the maps cannot be read.
Result<listing::Counts> take_counts(consumer::Aggregations& aggregations);

/// How annotate() shows instructions.
struct ShownText {
  const kernel::Symbols& symbols;
  const kernel::ProbeRules& rules;
  kernel::LazyDebugInformation& debug;  ///< for source lines
  const isa::Isa& isa;
  isa::Syntax syntax = isa::Syntax::Att;
};

/// Combines functions with their counts, and with source lines where there is debug
/// information.
/// refused: addresses at which the kernel refused a probe when the run began.
std::vector<listing::Annotation> annotate(const std::vector<WholeFunction>& functions,
                                          const listing::Counts& counts,
                                          const std::vector<KernelAddress>& refused,
                                          const ShownText& shown,
                                          const listing::RunFacts& run);

}  // namespace kinst::command
