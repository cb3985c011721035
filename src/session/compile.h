// From D texts to programs that the kernel could load: everything that needs no
// privileges but reading.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "codegen/generate.h"
#include "codegen/plan.h"
#include "d/check.h"
#include "d/parse.h"
#include "d/typed_program.h"
#include "session/ground.h"
#include "session/libraries.h"
#include "session/match.h"
#include "session/providers.h"
#include "session/settings.h"

namespace kinst::session {

/// One D text, from a file or the command line.
struct ProgramText {
  Source source;
  d::TextKind kind = d::TextKind::Script;
  d::DescriptionField last_field = d::DescriptionField::Name;
  bool prefers_descriptions = false;  ///< the option pspec
};

/// Which probes descriptions can mean: BEGIN, END and ERROR only, where nothing else is
/// wanted any more; what means others is then taken as with -Z.
enum class Matched : std::uint8_t { AllProbes, OwnProbes };

/// A program with everything that is known of it before it is loaded.
struct Compilation {
  Matched matched = Matched::AllProbes;
  Matches matches;
  d::typed::Program program;
  codegen::Plan plan;
  codegen::Generated generated;
  /// What cannot be had of some probes, to be told with -v.
  std::vector<std::string> remarks;
};

struct CompileOptions {
  Matched matched = Matched::AllProbes;
  Unmatched unmatched = Unmatched::IsError;
  bool allows_empty = false;  ///< programs without clauses
  d::CheckOptions check;
  codegen::StorageOptions storage;
  std::optional<std::uint32_t> only_cpu;  ///< as in codegen::Platform
  std::optional<pid_t> target;            ///< the process of -c or -p
  FunctionWay function_way = FunctionWay::Fastest;
};

/// Parses the texts, and of the libraries what they mention. Spans name texts by their
/// number. With errors in `diagnostics` the result is not to be used.
std::vector<d::Program> parse(std::vector<ProgramText>& texts, Libraries& libraries,
                              const d::MacroValues& macros, Ground& ground,
                              Diagnostics& diagnostics);

/// Tells of macro arguments that no program uses, unless the option argref allows it.
/// To be called when the pragmas have set their options; does nothing if `diagnostics`
/// has an error.
void refuse_unused(const std::vector<d::Program>& programs,
                   const d::MacroValues& macros, const Settings& settings,
                   Diagnostics& diagnostics);

/// What parse() gives, with the libraries that it was given.
struct ParsedTexts {
  const std::vector<d::Program>& programs;
  Libraries& libraries;
};

/// Matches, checks and generates parsed programs.
/// Nothing if `diagnostics` got an error. Errors: what the system refused.
Result<std::optional<Compilation>> compile(const ParsedTexts& texts,
                                           const Providers& providers,
                                           const CompileOptions& options,
                                           Ground& ground, Diagnostics& diagnostics);

}  // namespace kinst::session
