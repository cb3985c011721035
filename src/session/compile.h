// From D texts to programs that the kernel could load: everything that needs no
// privileges but reading.
#pragma once

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
#include "isa/isa.h"
#include "kernel/lazy_symbols.h"
#include "session/match.h"
#include "types/kernel_types.h"
#include "types/type.h"

namespace kinst::session {

/// One D text, from a file, the command line or a library.
struct ProgramText {
  Source source;
  d::TextKind kind = d::TextKind::Script;
  d::DescriptionField last_field = d::DescriptionField::Name;
  bool is_library = false;
};

/// What a compilation stands on, opened when needed; outlives what is compiled.
struct Ground {
  explicit Ground(std::uint32_t string_size_bytes)
      : types(string_size_bytes), kernel_types(types) {}

  types::TypeTable types;
  types::KernelTypes kernel_types;
  kernel::LazySymbols symbols;
  const isa::Isa& isa = isa::native();
};

/// A program with everything that is known of it before it is loaded.
struct Compilation {
  Matches matches;
  d::typed::Program program;
  codegen::Plan plan;
  codegen::Generated generated;
};

struct CompileOptions {
  Unmatched unmatched = Unmatched::IsError;
  d::CheckOptions check;
  codegen::StorageOptions storage;
};

/// Parses the texts. Spans name them by their number. With errors in `diagnostics` the
/// result is not to be used.
std::vector<d::Program> parse(std::vector<ProgramText>& texts,
                              const d::MacroValues& macros, Ground& ground,
                              Diagnostics& diagnostics);

/// What the checker may assume in clauses for a description.
d::ProbeContext context_of(const d::ProbeSpecifier& description,
                           const std::vector<std::size_t>& matched,
                           const std::vector<provider::Probe>& probes,
                           const Providers& providers, types::TypeTable& types);

/// Matches, checks and generates parsed programs.
/// Nothing if `diagnostics` got an error. Errors: what the system refused.
Result<std::optional<Compilation>> compile(const std::vector<d::Program>& programs,
                                           const std::vector<ProgramText>& texts,
                                           const Providers& providers,
                                           const CompileOptions& options,
                                           Ground& ground, Diagnostics& diagnostics);

}  // namespace kinst::session
