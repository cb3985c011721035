// How local variables of the traced code get into the typed program.
#include <gtest/gtest.h>

#include "d/check/checker_fixture.h"
#include "d/syntax/parse.h"

namespace kinst::d {
namespace {

// The program's local variables; `nread` and `size` are known at all probes.
std::vector<typed::Local> locals_of(std::string_view text, types::TypeTable& table) {
  testing::FakeKernel kernel(table);
  testing::FakeCode code;
  code.locals = {{"nread", table.int_type()}, {"size", table.uint64_type()}};
  Source source{.name = "test", .text = std::string(text)};
  Diagnostics diagnostics;
  const Program parsed = parse(source, 0, {}, diagnostics);
  std::vector<ProbeContext> probes;
  for (const Item& item : parsed.items) {
    for (std::size_t i = 0; i < std::get<Clause>(item).probes.size(); ++i) {
      probes.push_back(testing::instruction_probe());
      probes.back().number = probes.size() - 1;
    }
  }
  const std::vector<Unit> units = {{.program = &parsed}};
  auto checked = check({.units = units, .probes = probes, .code = code}, {}, kernel,
                       table, diagnostics);
  EXPECT_TRUE(checked.has_value());
  return checked ? std::move(checked->locals) : std::vector<typed::Local>();
}

using Locals = std::vector<typed::Local>;

TEST(CheckLocals, AreInTheProgramOnceForEachDescription) {
  types::TypeTable table;
  EXPECT_EQ(locals_of("kinst::f:4, kinst::g:8 /nread > 1/ { trace(nread); }", table),
            (Locals{{.description = 0, .name = "nread", .type = table.int_type()},
                    {.description = 1, .name = "nread", .type = table.int_type()}}));
}

TEST(CheckLocals, AreInTheProgramInTheOrderOfTheirUses) {
  types::TypeTable table;
  EXPECT_EQ(locals_of("kinst::f:4 { trace(size); trace(nread); trace(size); }", table),
            (Locals{{.description = 0, .name = "size", .type = table.uint64_type()},
                    {.description = 0, .name = "nread", .type = table.int_type()}}));
}

}  // namespace
}  // namespace kinst::d
