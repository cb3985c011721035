#include "codegen/plan_programs.h"

#include <gtest/gtest.h>

namespace kinst::codegen {
namespace {

provider::Probe own(std::uint32_t id, provider::DtraceProbe which) {
  return {.id = id,
          .provider = "dtrace",
          .module = {},
          .function = {},
          .name = {},
          .site = which,
          .key = id};
}

provider::Probe instruction(std::uint32_t id, std::uint64_t address) {
  return {.id = id,
          .provider = "kinst",
          .module = "vmlinux",
          .function = "vfs_read",
          .name = std::to_string(address - 0x1000),
          .site = provider::KernelInstruction{.address = KernelAddress{address},
                                              .function = KernelAddress{0x1000},
                                              .instruction = {}},
          .key = address};
}

d::typed::Program program_of(std::size_t descriptions) {
  d::typed::Program program;
  for (std::size_t description = 0; description < descriptions; ++description) {
    program.clauses.emplace_back();
    program.clauses.back().description = description;
  }
  return program;
}

// The plan for probes that are all traced by events.
Plan planned(const d::typed::Program& program,
             const std::vector<provider::Probe>& probes,
             const std::vector<std::vector<std::size_t>>& matches,
             const CodeFacts& facts = {}) {
  const provider::TracingPlan tracing(probes.size());
  return plan_programs(
      program, {.probes = probes, .tracing = tracing, .of_description = matches},
      facts);
}

TEST(Plan, GivesInstructionsWithTheSameClausesOneProgram) {
  const std::vector<provider::Probe> probes{
      instruction(1, 0x1000), instruction(2, 0x1004), instruction(3, 0x1009)};
  const std::vector<std::vector<std::size_t>> matches{{0, 1, 2}, {1}};
  const Plan made = planned(program_of(2), probes, matches);
  EXPECT_EQ(
      made.groups,
      (std::vector<ProgramGroup>{
          {.context = ContextKind::KernelInstruction, .clauses = {0}, .probes = {0, 2}},
          {.context = ContextKind::KernelInstruction,
           .clauses = {0, 1},
           .probes = {1}}}));
}

provider::Probe coming(std::uint32_t id, provider::ComingPlace place) {
  return {.id = id,
          .provider = "fbt",
          .module = "xfs",
          .function = "xfs_read",
          .name = "entry",
          .site = provider::ComingFunction{.place = place},
          .key = id};
}

TEST(Plan, GivesFunctionsThatComeAProgramForEachKindOfPlace) {
  using provider::ComingPlace;
  const std::vector<provider::Probe> probes{
      coming(1, ComingPlace::Entry), coming(2, ComingPlace::Return),
      coming(3, ComingPlace::Instruction), coming(4, ComingPlace::Entry)};
  const std::vector<std::vector<std::size_t>> matches{{0, 1, 2, 3}};
  const Plan made = planned(program_of(1), probes, matches);
  EXPECT_EQ(
      made.groups,
      (std::vector<ProgramGroup>{
          {.context = ContextKind::ComingEntry, .clauses = {0}, .probes = {0, 3}},
          {.context = ContextKind::ComingReturn, .clauses = {0}, .probes = {1}},
          {.context = ContextKind::ComingInstruction, .clauses = {0}, .probes = {2}}}));
}

provider::Probe function_return(std::uint32_t id, std::uint64_t address) {
  return {.id = id,
          .provider = "fbt",
          .module = "vmlinux",
          .function = "vfs_read",
          .name = "return",
          .site = provider::KernelFunction{.address = KernelAddress{address},
                                           .edge = provider::Edge::Return},
          .key = provider::key_in(provider::KeySpace::FunctionReturn, address)};
}

// The plan for one clause at functions' returns, each traced in its way.
Plan planned_returns(const provider::TracingPlan& tracing) {
  std::vector<provider::Probe> probes;
  std::vector<std::vector<std::size_t>> matches(1);
  for (std::size_t index = 0; index < tracing.size(); ++index) {
    const std::uint64_t address = 0x1000 * (index + 1);
    probes.push_back(function_return(static_cast<std::uint32_t>(index + 1), address));
    matches.front().push_back(index);
  }
  return plan_programs(
      program_of(1), {.probes = probes, .tracing = tracing, .of_description = matches});
}

provider::ByBreakpoints breakpoint_at(std::uint64_t address, bool has_result) {
  return {
      .breakpoints = {{.address = KernelAddress{address}, .has_result = has_result}}};
}

TEST(Plan, GivesFunctionsByBreakpointsAProgramOfTheirOwn) {
  EXPECT_EQ(
      planned_returns({breakpoint_at(0x1009, true), provider::ByEvents{},
                       breakpoint_at(0x3009, true)})
          .groups,
      (std::vector<ProgramGroup>{
          {.context = ContextKind::BreakpointReturn, .clauses = {0}, .probes = {0, 2}},
          {.context = ContextKind::FunctionReturn, .clauses = {0}, .probes = {1}}}));
}

TEST(Plan, KnowsNoResultsWhereOneProbeHasNone) {
  EXPECT_EQ(planned_returns({breakpoint_at(0x1009, true), breakpoint_at(0x2009, false)})
                .groups,
            (std::vector<ProgramGroup>{{.context = ContextKind::BreakpointReturn,
                                        .clauses = {0},
                                        .probes = {0, 1},
                                        .has_results = false}}));
}

TEST(Plan, GivesFunctionsThatAreTracedAtOnceAProgramOfTheirOwn) {
  EXPECT_EQ(
      planned_returns({provider::AtOnce{}, provider::ByEvents{}, provider::AtOnce{}})
          .groups,
      (std::vector<ProgramGroup>{
          {.context = ContextKind::FunctionReturn,
           .clauses = {0},
           .probes = {0, 2},
           .attach_type = provider::attach_type_of(function_return(1, 0x1000).site,
                                                   provider::AtOnce{})},
          {.context = ContextKind::FunctionReturn, .clauses = {0}, .probes = {1}}}));
}

TEST(Plan, LoadsAProgramForEachFunctionThatIsTracedByFexit) {
  const std::uint32_t fexit =
      provider::attach_type_of(function_return(1, 0x1000).site, provider::ByFentry{});
  EXPECT_EQ(planned_returns({provider::ByFentry{.function_id = 7},
                             provider::ByFentry{.function_id = 9}})
                .groups,
            (std::vector<ProgramGroup>{{.context = ContextKind::TracedReturn,
                                        .clauses = {0},
                                        .probes = {0},
                                        .attach_type = fexit,
                                        .function_id = 7},
                                       {.context = ContextKind::TracedReturn,
                                        .clauses = {0},
                                        .probes = {1},
                                        .attach_type = fexit,
                                        .function_id = 9}}));
}

TEST(Plan, GivesProbesWithoutAnAddressAProgramEach) {
  const std::vector<provider::Probe> probes{own(1, provider::DtraceProbe::Begin),
                                            own(2, provider::DtraceProbe::End)};
  const std::vector<std::vector<std::size_t>> matches{{0, 1}};
  EXPECT_EQ(to_text(planned(program_of(1), probes, matches), probes),
            "own program: clauses 0: 1 probe from dtrace:::\n"
            "own program: clauses 0: 1 probe from dtrace:::\n");
}

// A load of 8 bytes from `base` + `displacement`.
provider::Probe load_from(std::uint64_t address, unsigned base,
                          std::int64_t displacement) {
  provider::Probe probe = instruction(1, address);
  std::get<provider::KernelInstruction>(probe.site).instruction.memory = {
      {.base = static_cast<isa::RegisterId>(base),
       .displacement = displacement,
       .size_bytes = 8,
       .read = true}};
  return probe;
}

d::typed::Program program_using(d::Builtin builtin) {
  d::typed::Program program = program_of(1);
  program.clauses.front().predicate =
      std::make_unique<d::typed::Expression>(d::typed::Expression{
          .type = {}, .span = {}, .node = d::typed::BuiltinValue{builtin, nullptr}});
  return program;
}

TEST(Plan, GivesOperandsOfOneShapeOneProgram) {
  const std::vector<provider::Probe> probes{
      load_from(0x1000, 3, 8), load_from(0x1004, 3, -16), load_from(0x1008, 4, 8)};
  const std::vector<std::vector<std::size_t>> matches{{0, 1, 2}};
  const auto probes_of_groups = [&](d::Builtin builtin) {
    std::vector<std::vector<std::size_t>> out;
    for (const ProgramGroup& group :
         planned(program_using(builtin), probes, matches).groups) {
      out.push_back(group.probes);
    }
    return out;
  };
  using Groups = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(probes_of_groups(d::Builtin::MemoryAddress), (Groups{{0, 1}, {2}}));
  EXPECT_EQ(probes_of_groups(d::Builtin::MemorySize), (Groups{{0, 1, 2}}));
}

TEST(Plan, GivesProbesWhereALocalVariableIsElsewhereProgramsOfTheirOwn) {
  d::typed::Program program = program_of(1);
  program.clauses.front().predicate =
      std::make_unique<d::typed::Expression>(d::typed::Expression{
          .type = {}, .span = {}, .node = d::typed::LocalValue{d::typed::LocalId{0}}});
  const std::vector<provider::Probe> probes{instruction(1, 0x1000),
                                            instruction(2, 0x1004)};
  const std::vector<std::vector<std::size_t>> matches{{0, 1}};
  const kernel::VariableLocation in_register{
      .kind = kernel::VariableLocation::Kind::Register,
      .base = static_cast<isa::RegisterId>(5)};
  const kernel::VariableLocation on_stack{
      .kind = kernel::VariableLocation::Kind::Memory, .offset = 8};
  const Plan made = planned(program, probes, matches,
                            {.locals = {{{0x1000, d::typed::LocalId{0}}, in_register},
                                        {{0x1004, d::typed::LocalId{0}}, on_stack}},
                             .results = {}});
  EXPECT_EQ(made.groups,
            (std::vector<ProgramGroup>{{.context = ContextKind::KernelInstruction,
                                        .clauses = {0},
                                        .probes = {0},
                                        .locals = {in_register}},
                                       {.context = ContextKind::KernelInstruction,
                                        .clauses = {0},
                                        .probes = {1},
                                        .locals = {on_stack}}}));
}

TEST(Plan, MakesErrorASubprogramAndNotAGroup) {
  const std::vector<provider::Probe> probes{own(3, provider::DtraceProbe::Error)};
  const std::vector<std::vector<std::size_t>> matches{{0}, {0}};
  EXPECT_EQ(planned(program_of(2), probes, matches),
            (Plan{.groups = {}, .error_clauses = {0, 1}}));
}

}  // namespace
}  // namespace kinst::codegen
