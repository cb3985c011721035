#include "codegen/plan/needs.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/generated_fixture.h"

namespace kinst::codegen {
namespace {

using d::Need;

ProgramNeeds needs_of_text(std::string_view text) {
  const auto made = testing::generate_text(text);
  EXPECT_EQ(made->diagnostics, "");
  return needs_of(made->program);
}

TEST(Needs, AreThoseOfAllThatAProgramUses) {
  EXPECT_EQ(needs_of_text("BEGIN { trace(pid); }"), ProgramNeeds{});
  EXPECT_EQ(needs_of_text("BEGIN { trace(timestamp); } END /caller != 0/ { }").needs,
            (d::Needs{Need::Time, Need::Registers}));
  EXPECT_EQ(needs_of_text("BEGIN { @[ustack()] = sum(ustackdepth); }").needs,
            (d::Needs{Need::UserStack}));
  EXPECT_EQ(needs_of_text("BEGIN { if (pid) { trace(*(char *)alloca(1)); } }").needs,
            (d::Needs{Need::ScratchPointers}));
}

TEST(Needs, NameTheUserRegistersThatAreRead) {
  const ProgramNeeds needs = needs_of_text("BEGIN { trace(uregs[R_RSI]); }");
  EXPECT_EQ(needs.user_registers, (std::set<std::uint64_t>{1}));
  EXPECT_EQ(needs.needs, d::Needs{});
}

TEST(Needs, OfAnArgumentIsItsNumberHoweverItIsWritten) {
  const d::typed::BuiltinValue variable{.builtin = d::Builtin::Arg3, .index = nullptr};
  EXPECT_EQ(argument_number(variable), 3U);
  d::typed::BuiltinValue element{.builtin = d::Builtin::Args, .index = nullptr};
  element.index = std::make_unique<d::typed::Expression>(d::typed::Expression{
      .type = {}, .span = {}, .node = d::typed::IntegerValue{.value = 2}});
  EXPECT_EQ(argument_number(element), 2U);
  const d::typed::BuiltinValue other{.builtin = d::Builtin::Pid, .index = nullptr};
  EXPECT_EQ(argument_number(other), std::nullopt);
}

}  // namespace
}  // namespace kinst::codegen
