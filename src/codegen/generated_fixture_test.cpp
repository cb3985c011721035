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

// A machine of two registers, which FakeKernel has the names of.
Platform small_platform() {
  Platform platform;
  platform.register_offsets = {80, 104};
  platform.thread_registers = {std::nullopt, std::nullopt};
  platform.instruction_pointer_offset = 128;
  platform.instruction_pointer_excess = 1;
  platform.argument_offsets = {112, 104, 96, 88, 72, 64};
  platform.return_value_offset = 80;
  platform.return_address_words = 1;
  platform.stack_pointer_offset = 152;
  platform.frame_pointer_offset = 32;
  platform.flags_offset = 144;
  platform.per_cpu_offsets = 0xffffffff82000000;
  platform.system_calls = {.argument_offsets = {112, 104, 96, 56, 72, 64},
                           .number_offset = 120,
                           .compatible_flags_offset = 16,
                           .compatible_mask = 2};
  platform.instruction_text = [](const provider::Probe&, record::Meaning) {
    return std::string("nop");
  };
  platform.kernel = {
      .task_parent = 1024, .task_process = 1000, .task_time_on_cpu_ns = 512};
  return platform;
}

void generate_parsed(std::string_view text, const d::ProbeContext& context,
                     const provider::TracingPlan& tracing,
                     const StorageOptions& options, GeneratedText& made) {
  d::testing::FakeKernel kernel(made.types);
  const std::vector<Source> sources = {{.name = "test", .text = std::string(text)}};
  Diagnostics diagnostics;
  Source source = sources.front();
  const d::Program parsed =
      d::parse(source, 0,
               {.kind = d::TextKind::Script,
                .is_type_name =
                    [&](std::string_view name) {
                      return d::find_type(name, kernel, made.types).has_value();
                    }},
               diagnostics);
  const auto matches = match(parsed, made.probes);
  const std::vector<d::ProbeContext> contexts(matches.size(), context);
  const std::vector<d::Unit> units = {{.program = &parsed}};
  d::testing::FakeCode code;
  auto program = diagnostics.has_errors()
                     ? std::nullopt
                     : d::check({.units = units, .probes = contexts, .code = code},
                                {.destructive = true}, kernel, made.types, diagnostics);
  if (program) {
    made.program = std::move(*program);
    if (const auto sizes = check_sizes(made.program, made.types); !sizes) {
      made.diagnostics = sizes.error().message;
      return;
    }
    made.plan = plan_programs(
        made.program,
        {.probes = made.probes, .tracing = tracing, .of_description = matches});
    const Platform platform = small_platform();
    made.generated = generate({.program = made.program,
                               .types = made.types,
                               .probes = made.probes,
                               .tracing = tracing,
                               .platform = platform},
                              made.plan, options, diagnostics);
  }
  for (const Diagnostic& one : diagnostics.all()) {
    made.diagnostics += render(one, sources, ShowTags::Yes);
  }
}

isa::Instruction branch_through_memory() {
  isa::Instruction instruction{.address = KernelAddress{0xffffffff81000004},
                               .offset = FunctionOffset{4},
                               .length = 4};
  instruction.classes.add(isa::InstructionClass::Branch);
  instruction.branch = {.target = isa::TargetKind::Direct,
                        .address = KernelAddress{0xffffffff81000010},
                        .condition = {.any_set = 64}};
  instruction.memory = {
      {.base = isa::RegisterId{1}, .displacement = 8, .size_bytes = 8, .read = true}};
  return instruction;
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
  const provider::TracingPlan tracing(made->probes.size());
  generate_parsed(text, {}, tracing, options, *made);
  return made;
}

std::unique_ptr<GeneratedText> generate_at(const TracedProbe& traced,
                                           std::string_view text) {
  auto made = std::make_unique<GeneratedText>();
  made->probes = {traced.probe};
  generate_parsed(text,
                  {.description = "PROBE",
                   .arguments = std::vector<d::ProbeArgument>(1),
                   .has_registers = true,
                   .is_instruction = true},
                  {traced.tracing}, {}, *made);
  return made;
}

std::vector<TracedProbe> probes_of_all_contexts() {
  using provider::ComingPlace;
  using provider::Edge;
  using provider::UserPlaceKind;
  constexpr KernelAddress function{0xffffffff81000000};
  std::vector<TracedProbe> probes;
  const auto add = [&](provider::Site site, provider::TracingMethod tracing = {}) {
    probes.push_back({.probe = {.id = 1,
                                .provider = "test",
                                .module = "module",
                                .function = "function",
                                .name = "PROBE",
                                .site = std::move(site),
                                .key = 1},
                      .tracing = std::move(tracing)});
  };
  add(provider::DtraceProbe::Begin);
  add(provider::KernelInstruction{.address = function + FunctionOffset{4},
                                  .function = function,
                                  .instruction = branch_through_memory()});
  add(provider::Timer{.period_ns = 1});
  add(provider::Tracepoint{.tracepoint = {}, .format = {.id = 1}});
  add(provider::RawTracepoint{.tracepoint = "sched_switch", .arguments = 1});
  for (const Edge edge : {Edge::Entry, Edge::Return}) {
    add(provider::SystemCall{.number = 1, .edge = edge});
    const provider::KernelFunction end{.address = function, .edge = edge};
    add(end, provider::ByEvents{});
    add(end, provider::ByFentry{.function_id = 1});
    add(end, provider::ByBreakpoints{
                 .breakpoints = {{.address = function, .has_result = false}}});
  }
  for (const ComingPlace place :
       {ComingPlace::Entry, ComingPlace::Return, ComingPlace::Instruction}) {
    add(provider::ComingFunction{.place = place});
  }
  for (const UserPlaceKind kind :
       {UserPlaceKind::Entry, UserPlaceKind::Return, UserPlaceKind::Instruction}) {
    add(provider::UserInstruction{
        .process = 1, .kind = kind, .file = "/bin/true", .exits = {{}}});
  }
  return probes;
}

}  // namespace kinst::codegen::testing
