// compile() runs the stages in order: match, check, plan, generate. Lexing and parsing
// are parse()'s, so that pragmas can set options in between.
#include "compile/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "bpf/attach/attach_uprobes.h"
#include "codegen/plan/needs.h"
#include "codegen/plan/sizes.h"
#include "codegen/plan_programs.h"
#include "compile/contexts.h"
#include "compile/function_tracing.h"
#include "compile/instruction_text.h"
#include "compile/kernel_environment.h"
#include "compile/kernel_platform.h"
#include "compile/local_variables.h"
#include "compile/match/probe_arguments.h"
#include "compile/match/providers.h"
#include "compile/matched_code.h"
#include "compile/unwinding.h"
#include "d/typed/join_descriptions.h"
#include "provider/dtrace.h"

namespace kinst::compile {
namespace {

bool needs_kernel_offsets(const codegen::ProgramNeeds& needs, const isa::Isa& isa) {
  return needs.has(d::Need::KernelOffsets) ||
         std::ranges::any_of(needs.user_registers, [&](std::uint64_t number) {
           return !isa.registers[number].task_member.empty();
         });
}

std::optional<std::uint64_t> per_cpu_offsets(kernel::LazySymbols& symbols) {
  const auto& known = symbols.get();
  const auto address =
      known ? known->address_of("__per_cpu_offset") : std::optional<KernelAddress>();
  return address ? std::optional(number(*address)) : std::nullopt;
}

// Whether a system call is probed. Its code then needs the kernel's types: a flag of
// the task tells the calls of 32-bit programs apart.
bool has_system_calls(const std::vector<provider::Probe>& probes) {
  return std::ranges::any_of(probes, [](const provider::Probe& probe) {
    return std::holds_alternative<provider::SystemCall>(probe.site);
  });
}

// The processes that the run is about: the target, and each process with a probe in its
// code.
std::set<pid_t> traced_processes(const std::vector<provider::Probe>& probes,
                                 std::optional<pid_t> target) {
  std::set<pid_t> processes;
  if (target) {
    processes.insert(*target);
  }
  for (const provider::Probe& probe : probes) {
    if (const auto* place = std::get_if<provider::UserInstruction>(&probe.site)) {
      processes.insert(place->process);
    }
  }
  return processes;
}

// The types that are known without libraries.
d::ParseOptions knowing_types(d::Environment& environment, types::TypeTable& types) {
  return {.is_type_name =
              [&](std::string_view name) {
                return d::find_type(name, environment, types).has_value();
              },
          .offer_type_names =
              [&](NearNames& near) {
                environment.offer_types(d::TypeNameKind::Typedef, near);
              }};
}

// Parses the library files that declare the types of translated arguments. No program
// names these types, so parse() has not asked for them.
void want_translated(const std::vector<d::ProbeContext>& contexts, Libraries& libraries,
                     const d::ParseOptions& options, Diagnostics& diagnostics) {
  for (const d::ProbeContext& context : contexts) {
    if (!context.arguments) {
      continue;
    }
    for (const d::ProbeArgument& argument : *context.arguments) {
      libraries.want(argument.translated, options, diagnostics);
    }
  }
}

bool is_present(const d::DependsOnPragma& needed, const Providers& providers) {
  if (needed.kind == "provider") {
    return std::ranges::any_of(
        providers, [&](const auto& one) { return one->name() == needed.name; });
  }
  std::error_code ignored;
  return needed.name == "vmlinux" ||
         std::filesystem::exists("/sys/module/" + needed.name, ignored);
}

void refuse_absent(const std::vector<d::Program>& programs, const Providers& providers,
                   Diagnostics& diagnostics) {
  for (const d::Program& program : programs) {
    for (const d::Pragma& pragma : program.pragmas) {
      const auto* depends = std::get_if<d::DependsOnPragma>(&pragma.node);
      if (depends != nullptr && depends->kind != "library" &&
          !is_present(*depends, providers)) {
        diagnostics.error("D_PRAGMA_DEPEND", pragma.span,
                          fmt::format("the program needs the {} {}, which is not here",
                                      depends->kind, depends->name));
      }
    }
  }
}

// Programs have the scratch memory that the checker holds them to.
codegen::StorageOptions storage_of(const CompileOptions& options) {
  codegen::StorageOptions storage = options.storage;
  storage.scratch_size = options.check.scratch_bytes;
  return storage;
}

Matches match_own(std::span<const d::Program* const> programs) {
  Providers own;
  own.push_back(std::make_unique<provider::DtraceProvider>());
  Diagnostics ignored;
  return match(programs, own, Unmatched::IsAllowed, ignored);
}

// What the generated code must know of this kernel.
Result<codegen::Platform> platform_for(const d::typed::Program& program,
                                       const std::vector<provider::Probe>& probes,
                                       const CompileOptions& options, System& system) {
  const codegen::ProgramNeeds needs = codegen::needs_of(program);
  const bool asks_for_types = needs_kernel_offsets(needs, system.code.isa) ||
                              has_system_calls(probes) ||
                              !is_in_initial_pid_namespace();
  codegen::Platform platform = KINST_TRY(
      make_platform(system.code.isa, asks_for_types ? &system.kernel_types : nullptr));
  platform.only_cpu = options.only_cpu;
  platform.instruction_text = [&system](const provider::Probe& probe,
                                        record::Meaning what) {
    return instruction_text(probe, what, system.code.isa, system.code.symbols);
  };
  if (needs.has(d::Need::Operands)) {
    platform.per_cpu_offsets = per_cpu_offsets(system.code.symbols);
  }
  if (needs.has(d::Need::UserStack)) {
    platform.unwinding =
        make_unwind_tables(traced_processes(probes, options.target), system.processes,
                           system.code.isa, system.kernel_types);
  }
  return platform;
}

Matches find_probes(const std::vector<d::Program>& programs, const Providers& providers,
                    const CompileOptions& options, Diagnostics& diagnostics) {
  std::vector<const d::Program*> pointers;
  pointers.reserve(programs.size());
  for (const d::Program& program : programs) {
    pointers.push_back(&program);
  }
  return options.matched == Matched::AllProbes
             ? match(pointers, providers, options.unmatched, diagnostics)
             : match_own(pointers);
}

// The probes of each description, with the placeholders of those that may come.
std::vector<std::vector<std::size_t>> with_awaited(const Matches& matches) {
  std::vector<std::vector<std::size_t>> of_description = matches.of_description;
  for (const Awaited& one : matches.awaited) {
    std::ranges::copy(one.probes, std::back_inserter(of_description[one.description]));
  }
  return of_description;
}

// The programs of all texts, behind the libraries that they need.
std::vector<d::Unit> units_of(const ParsedTexts& texts, const Providers& providers) {
  std::vector<d::Unit> units = texts.libraries.units(
      [&](const d::DependsOnPragma& needed) { return is_present(needed, providers); });
  for (const d::Program& program : texts.programs) {
    units.push_back({.program = &program});
  }
  return units;
}

// Reports programs that do nothing, if nothing else is wrong.
void refuse_all_empty(const std::vector<d::Program>& programs,
                      Diagnostics& diagnostics) {
  for (std::uint32_t index = 0; index < programs.size(); ++index) {
    d::refuse_empty(programs[index], index, diagnostics);
  }
}

// What the programs' descriptions mean.
struct FoundProbes {
  const Providers& providers;
  const Matches& matches;
};

// A program that is right, and the probes that it enables.
struct CheckedProgram {
  d::typed::Program program;
  // For each description that has a clause left: see d::join_descriptions().
  std::vector<std::vector<std::size_t>> of_description;
  codegen::CodeFacts facts;
};

// Returns nothing if `diagnostics` has got an error.
Result<std::optional<CheckedProgram>> check_matched(const ParsedTexts& texts,
                                                    const FoundProbes& found,
                                                    const CompileOptions& options,
                                                    System& system,
                                                    Diagnostics& diagnostics) {
  const auto& [providers, matches] = found;
  KernelEnvironment environment(system.types, system.kernel_types, system.code.symbols,
                                system.code.isa);
  LocalVariables locals(matches, system.debug, system.debug_types);
  ArgumentDifferences differences(matches, providers, environment, system.types);
  MatchedCode code(locals, differences);
  const std::vector<d::ProbeContext> contexts =
      contexts_of(matches, providers,
                  options.matched == Matched::DtraceProbes ? Unmatched::IsAllowed
                                                           : options.unmatched,
                  environment, system.types);
  want_translated(contexts, texts.libraries, knowing_types(environment, system.types),
                  diagnostics);
  const std::vector<d::Unit> units = units_of(texts, providers);
  auto program = d::check({.units = units, .probes = contexts, .code = code},
                          options.check, environment, system.types, diagnostics);
  if (program && !options.allows_empty) {
    refuse_all_empty(texts.programs, diagnostics);
  }
  if (!program || diagnostics.has_errors()) {
    return std::optional<CheckedProgram>{};
  }
  CheckedProgram checked{.program = std::move(*program),
                         .of_description = with_awaited(matches),
                         .facts = {}};
  checked.facts.locals = locals.places(checked.program.locals);
  d::join_descriptions(checked.program, system.types, checked.of_description);
  checked.facts.results = differences.results(checked.program, checked.of_description);
  KINST_CHECK(codegen::check_sizes(checked.program, system.types));
  return std::optional<CheckedProgram>(std::move(checked));
}

}  // namespace

std::vector<d::Program> parse(std::vector<ProgramText>& texts, Libraries& libraries,
                              const d::MacroValues& macros, System& system,
                              Diagnostics& diagnostics) {
  KernelEnvironment environment(system.types, system.kernel_types, system.code.symbols,
                                system.code.isa);
  const d::ParseOptions known = knowing_types(environment, system.types);
  for (const ProgramText& text : texts) {
    libraries.want(text.source.text, known, diagnostics);
  }
  std::vector<d::Program> programs;
  for (std::uint32_t index = 0; index < texts.size(); ++index) {
    programs.push_back(
        d::parse(texts[index].source, index,
                 {.kind = texts[index].kind,
                  .prefers_descriptions = texts[index].prefers_descriptions,
                  .last_field = texts[index].last_field,
                  .macros = macros,
                  .is_type_name =
                      [&](std::string_view name) {
                        return libraries.is_type_name(name) || known.is_type_name(name);
                      },
                  .offer_type_names = known.offer_type_names},
                 diagnostics));
  }
  return programs;
}

void refuse_unused(const std::vector<d::Program>& programs,
                   const d::MacroValues& macros, const CompileOptions& options,
                   Diagnostics& diagnostics) {
  if (!diagnostics.has_errors() && !options.allows_unused_arguments) {
    d::refuse_unused_argument(macros, programs, diagnostics);
  }
}

Result<std::optional<Compilation>> compile(const ParsedTexts& texts,
                                           const CompileOptions& options,
                                           System& system,
                                           const ProgressReport& reading,
                                           Diagnostics& diagnostics) {
  const Providers providers =
      make_providers(system, provider::Purpose::Tracing, options.most_probes, reading);
  refuse_absent(texts.programs, providers, diagnostics);
  Compilation compilation;
  compilation.matched = options.matched;
  compilation.matches = find_probes(texts.programs, providers, options, diagnostics);
  auto checked = KINST_TRY(check_matched(texts, {providers, compilation.matches},
                                         options, system, diagnostics));
  if (!checked) {
    return std::optional<Compilation>{};
  }
  compilation.program = std::move(checked->program);
  const d::typed::Program& program = compilation.program;
  const std::vector<provider::Probe>& probes = compilation.matches.probes.all();
  const codegen::Platform platform =
      KINST_TRY(platform_for(program, probes, options, system));
  PlannedTracing planned = KINST_TRY(
      plan_tracing(options.function_way, {program, probes, checked->of_description},
                   system, reading));
  compilation.tracing = std::move(planned.tracing);
  compilation.remarks = std::move(planned.remarks);
  compilation.plan = codegen::plan_programs(program,
                                            {.probes = probes,
                                             .tracing = compilation.tracing,
                                             .of_description = checked->of_description},
                                            checked->facts);
  compilation.generated =
      codegen::generate({.program = program,
                         .types = system.types,
                         .probes = probes,
                         .tracing = compilation.tracing,
                         .platform = platform},
                        compilation.plan, storage_of(options), diagnostics);
  if (diagnostics.has_errors()) {
    return std::optional<Compilation>{};
  }
  return std::optional<Compilation>(std::move(compilation));
}

}  // namespace kinst::compile
