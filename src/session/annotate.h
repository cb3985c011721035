// `--annotate`: the D program that counts a function's instructions, and what its
// aggregations say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "consumer/aggregations.h"
#include "isa/isa.h"
#include "kernel/function_reader.h"
#include "kernel/lazy_debug_information.h"
#include "kernel/symbols.h"
#include "listing/annotation.h"
#include "session/compile.h"

namespace kinst::session {

/// Whose executions are counted.
enum class Counted : std::uint8_t {
  Everybody,
  Target,         ///< the target process and what it starts; takes the kernel's types
  TargetProcess,  ///< the target process alone
};

/// A function with its `.cold` parts behind it.
struct WholeFunction {
  std::vector<kernel::ExaminedFunction> parts;
};

struct AnnotatedFunctions {
  std::vector<WholeFunction> functions;
  std::vector<std::string> skipped;  ///< "vmlinux:f: reason" of those of a pattern
};

/// The functions that `names` mean, as listing::examine() reads them.
/// Errors: its; nothing in any of them can be traced.
Result<AnnotatedFunctions> functions_to_annotate(std::string_view names,
                                                 const kernel::Symbols& symbols,
                                                 kernel::FunctionReader& reader);

/// The program that counts: how often each instruction was executed, each conditional
/// jump taken, and where indirect calls and jumps went.
ProgramText counting_program(const std::vector<WholeFunction>& functions,
                             const kernel::ProbeRules& rules, const isa::Isa& isa,
                             Counted counted);

/// What the program's aggregations hold. They are not printed any more then; other
/// programs' are left alone. Errors: the maps cannot be read.
Result<listing::Counts> take_counts(consumer::Aggregations& aggregations);

/// How instructions are shown.
struct ShownText {
  const kernel::Symbols& symbols;
  const kernel::ProbeRules& rules;
  kernel::LazyDebugInformation& debug;  ///< for source lines
  const isa::Isa& isa;
  isa::Syntax syntax = isa::Syntax::Att;
};

/// Puts the counts to the functions, with source lines where debug information is
/// found. refused: where the kernel took no probe after all.
std::vector<listing::Annotation> annotate(const std::vector<WholeFunction>& functions,
                                          const listing::Counts& counts,
                                          const std::vector<KernelAddress>& refused,
                                          const ShownText& shown,
                                          const listing::RunFacts& run);

}  // namespace kinst::session
