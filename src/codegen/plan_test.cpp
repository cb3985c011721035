#include "codegen/plan.h"

#include <gtest/gtest.h>

namespace kinst::codegen {
namespace {

provider::Probe own(std::uint32_t id, provider::OwnProbe which) {
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

TEST(Plan, GivesInstructionsWithTheSameClausesOneProgram) {
  const std::vector<provider::Probe> probes{
      instruction(1, 0x1000), instruction(2, 0x1004), instruction(3, 0x1009)};
  const std::vector<std::vector<std::size_t>> matches{{0, 1, 2}, {1}};
  const Plan made = plan(program_of(2), probes, matches);
  EXPECT_EQ(
      made.groups,
      (std::vector<ProgramGroup>{
          {.context = ContextKind::KernelInstruction, .clauses = {0}, .probes = {0, 2}},
          {.context = ContextKind::KernelInstruction,
           .clauses = {0, 1},
           .probes = {1}}}));
}

TEST(Plan, GivesProbesWithoutAnAddressAProgramEach) {
  const std::vector<provider::Probe> probes{own(1, provider::OwnProbe::Begin),
                                            own(2, provider::OwnProbe::End)};
  const std::vector<std::vector<std::size_t>> matches{{0, 1}};
  EXPECT_EQ(to_text(plan(program_of(1), probes, matches), probes),
            "own program: clauses 0: 1 probe from dtrace:::\n"
            "own program: clauses 0: 1 probe from dtrace:::\n");
}

TEST(Plan, MakesErrorASubprogramAndNotAGroup) {
  const std::vector<provider::Probe> probes{own(3, provider::OwnProbe::Error)};
  const std::vector<std::vector<std::size_t>> matches{{0}, {0}};
  EXPECT_EQ(plan(program_of(2), probes, matches),
            (Plan{.groups = {}, .error_clauses = {0, 1}}));
}

}  // namespace
}  // namespace kinst::codegen
