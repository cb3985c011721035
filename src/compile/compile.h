// Compiles D texts to BPF programs that are ready to be loaded. This part of a run
// needs no privileges except to read files.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "base/text/diagnostic.h"
#include "codegen/generate.h"
#include "codegen/plan/plan.h"
#include "compile/function_way.h"
#include "compile/libraries.h"
#include "compile/match/match.h"
#include "compile/match/system.h"
#include "d/check/check.h"
#include "d/syntax/parse.h"
#include "d/typed/typed_program.h"
#include "provider/tracing.h"

namespace kinst::compile {

/// One D text, from a file or the command line.
struct ProgramText {
  Source source;
  d::TextKind kind = d::TextKind::Script;
  d::DescriptionField last_field = d::DescriptionField::Name;
  bool prefers_descriptions = false;  ///< the option pspec
};

/// Which probes descriptions can match. DtraceProbes: only BEGIN, END and ERROR, for a
/// run that was interrupted while it was compiled; other descriptions match nothing, as
/// with -Z.
enum class Matched : std::uint8_t { AllProbes, DtraceProbes };

/// A compiled program, and everything that is known about it before it is loaded.
struct Compilation {
  Matched matched = Matched::AllProbes;
  Matches matches;
  d::typed::Program program;
  provider::TracingPlan tracing;
  codegen::Plan plan;
  codegen::Generated generated;
  /// What some of the probes cannot provide; printed with -v.
  std::vector<std::string> remarks;
};

struct CompileOptions {
  Matched matched = Matched::AllProbes;
  Unmatched unmatched = Unmatched::IsError;  ///< zdefs, -Z
  bool allows_empty = false;                 ///< empty: programs without clauses
  bool allows_unused_arguments = false;      ///< argref
  d::CheckOptions check;
  codegen::StorageOptions storage;
  std::optional<std::uint32_t> only_cpu;            ///< as in codegen::Platform
  std::optional<pid_t> target;                      ///< the process of -c or -p
  FunctionWay function_way = FunctionWay::Fastest;  ///< fbt
  std::size_t most_probes = 10000;  ///< maxprobes: a description's; 0: no limit

  bool operator==(const CompileOptions&) const = default;
};

/// Parses the texts, and those library files that the texts need. A span names its text
/// by the text's index; library files follow. If `diagnostics` has errors, the result
/// must not be used.
std::vector<d::Program> parse(std::vector<ProgramText>& texts, Libraries& libraries,
                              const d::MacroValues& macros, System& system,
                              Diagnostics& diagnostics);

/// Reports macro arguments that no program uses, unless `options` allows them.
/// Must be called after the pragmas have set their options. Does nothing if
/// `diagnostics` already has an error.
void refuse_unused(const std::vector<d::Program>& programs,
                   const d::MacroValues& macros, const CompileOptions& options,
                   Diagnostics& diagnostics);

/// The result of parse(), and the libraries that parse() was given.
struct ParsedTexts {
  const std::vector<d::Program>& programs;
  Libraries& libraries;
};

/// Matches and checks parsed programs and generates their code.
/// reading: as for make_providers().
/// Returns nothing if `diagnostics` has got an error. Errors: what the system refused.
Result<std::optional<Compilation>> compile(const ParsedTexts& texts,
                                           const CompileOptions& options,
                                           System& system,
                                           const ProgressReport& reading,
                                           Diagnostics& diagnostics);

}  // namespace kinst::compile
