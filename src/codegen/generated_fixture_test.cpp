#include "codegen/generated_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bpf/code/program.h"
#include "codegen/plan/sizes.h"
#include "codegen/plan_programs.h"
#include "d/check/checker_fixture.h"
#include "d/syntax/ast.h"
#include "d/syntax/parse.h"

namespace kinst::codegen::testing {
namespace {

provider::Probe own(std::uint32_t id, std::string name, provider::DtraceProbe which) {
  return {.id = id,
          .provider = "dtrace",
          .module = {},
          .function = {},
          .name = std::move(name),
          .site = which,
          .key = id};
}

// For each description, in order, its only probe.
std::vector<std::vector<std::size_t>> match(
    const d::Program& program, const std::vector<provider::Probe>& probes) {
  std::vector<std::vector<std::size_t>> matches;
  for (const d::Item& item : program.items) {
    const auto* clause = std::get_if<d::Clause>(&item);
    for (std::size_t i = 0; clause != nullptr && i < clause->probes.size(); ++i) {
      const std::string& name = std::get<d::Description>(clause->probes[i]).name;
      const auto probe = std::ranges::find(probes, name, &provider::Probe::name);
      matches.push_back({static_cast<std::size_t>(probe - probes.begin())});
    }
  }
  return matches;
}

}  // namespace

std::string GeneratedText::code_of(provider::DtraceProbe which) const {
  for (std::size_t group = 0; group < plan.groups.size(); ++group) {
    const auto* site = std::get_if<provider::DtraceProbe>(
        &probes[plan.groups[group].probes.front()].site);
    if (site != nullptr && *site == which) {
      return bpf::dump(generated.object.programs[group], generated.object.maps);
    }
  }
  return {};
}

std::unique_ptr<GeneratedText> generate_text(std::string_view text,
                                             const StorageOptions& options) {
  auto made = std::make_unique<GeneratedText>();
  made->probes = {own(1, "BEGIN", provider::DtraceProbe::Begin),
                  own(2, "END", provider::DtraceProbe::End),
                  own(3, "ERROR", provider::DtraceProbe::Error)};
  d::testing::FakeKernel kernel(made->types);
  const std::vector<Source> sources = {{.name = "test", .text = std::string(text)}};
  Diagnostics diagnostics;
  Source source = sources.front();
  const d::Program parsed =
      d::parse(source, 0,
               {.kind = d::TextKind::Script,
                .is_type_name =
                    [&](std::string_view name) {
                      return d::find_type(name, kernel, made->types).has_value();
                    }},
               diagnostics);
  const auto matches = match(parsed, made->probes);
  const std::vector<d::ProbeContext> contexts(matches.size());
  const std::vector<d::Unit> units = {{.program = &parsed}};
  d::testing::FakeCode code;
  auto program = diagnostics.has_errors()
                     ? std::nullopt
                     : d::check({.units = units, .probes = contexts, .code = code}, {},
                                kernel, made->types, diagnostics);
  if (program) {
    made->program = std::move(*program);
    if (const auto sizes = check_sizes(made->program, made->types); !sizes) {
      made->diagnostics = sizes.error().message;
      return made;
    }
    const provider::TracingPlan tracing(made->probes.size());
    made->plan = plan_programs(
        made->program,
        {.probes = made->probes, .tracing = tracing, .of_description = matches});
    const Platform platform;
    made->generated = generate({.program = made->program,
                                .types = made->types,
                                .probes = made->probes,
                                .tracing = tracing,
                                .platform = platform},
                               made->plan, options, diagnostics);
  }
  for (const Diagnostic& one : diagnostics.all()) {
    made->diagnostics += render(one, sources, ShowTags::Yes);
  }
  return made;
}

}  // namespace kinst::codegen::testing
