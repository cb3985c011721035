#include "compile/match/probe_arguments.h"

#include <gtest/gtest.h>

#include <memory>

#include "d/check/checker_fixture.h"
#include "isa/isa.h"

namespace kinst::compile {
namespace {

using provider::Probe;
using provider::ProbeArgument;

/// Has for each function the arguments that it is told.
class ToldProvider final : public provider::Provider {
 public:
  explicit ToldProvider(std::map<std::string, std::vector<ProbeArgument>> arguments)
      : arguments_(std::move(arguments)) {}

  [[nodiscard]] std::string_view name() const override { return "told"; }
  Result<provider::Match> match(const d::Description& /*description*/) override {
    return provider::Match{};
  }
  [[nodiscard]] std::vector<ProbeArgument> arguments(
      const Probe& probe) const override {
    return arguments_.at(probe.function);
  }

 private:
  std::map<std::string, std::vector<ProbeArgument>> arguments_;
};

class ArgumentDifferencesTest : public testing::Test {
 protected:
  // What is told of args[argument] of one description that means all functions.
  std::string difference(
      const std::map<std::string, std::vector<ProbeArgument>>& functions,
      std::uint64_t argument) {
    Matches matches;
    std::vector<std::size_t>& meant = matches.of_description.emplace_back();
    for (const auto& [name, arguments] : functions) {
      meant.push_back(
          matches.probes.add({.provider = "told", .function = name, .name = "entry"}));
    }
    Providers providers;
    providers.push_back(std::make_unique<ToldProvider>(functions));
    return ArgumentDifferences(matches, providers, kernel_, types_).find(0, argument);
  }

  static ProbeArgument spelled(std::string spelling) {
    return {.name = "told", .type = {}, .spelling = std::move(spelling)};
  }
  static ProbeArgument typed(types::TypeId type) {
    return {.name = "told", .type = type};
  }

  types::TypeTable types_;
  d::testing::FakeKernel kernel_{types_};
};

class ArgumentsTest : public ArgumentDifferencesTest {
 protected:
  // Where the arguments of a function are that has these parameters, at a place of it.
  std::vector<d::ProbeArgument> arguments(const std::vector<ProbeArgument>& parameters,
                                          const provider::Site& site) {
    Providers providers;
    providers.push_back(std::make_unique<ToldProvider>(
        std::map<std::string, std::vector<ProbeArgument>>{{"f", parameters}}));
    const Probe probe = {
        .provider = "told", .function = "f", .name = "entry", .site = site};
    return arguments_of(probe, providers, kernel_, types_);
  }
};

TEST_F(ArgumentsTest, BehindAStructByValueAreFurtherOn) {
  const types::TypeId pair = types_.add(types::Record{
      .size_bytes = 16,
      .is_complete = true,
      .members = {{.name = "a", .type = types_.int64_type()},
                  {.name = "b", .type = types_.int64_type(), .offset_bits = 64}}});
  const std::vector<ProbeArgument> parameters = {typed(types_.int_type()), typed(pair),
                                                 typed(types_.int_type())};
  for (const provider::Site& site :
       {provider::Site(provider::KernelInstruction{.is_entry = true}),
        provider::Site(provider::KernelFunction{.edge = provider::Edge::Entry})}) {
    const auto found = arguments(parameters, site);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].record, std::nullopt);
    EXPECT_EQ(found[1].record, (d::RecordPlace{.words = {1, 2}}));
    EXPECT_EQ(found[2].native_index, 3U);
  }
}

TEST_F(ArgumentsTest, LongerThanTwoWordsAreOnTheStack) {
  const auto found = arguments({typed(kernel_.task), typed(types_.int_type())},
                               provider::KernelFunction{.edge = provider::Edge::Entry});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].record,
            (d::RecordPlace{.words = {},
                            .stack_register = static_cast<std::uint32_t>(
                                *isa::find_register(isa::x86_64(), "R_RSP")),
                            .stack_offset_bytes = 8}));
  EXPECT_EQ(found[1].native_index, 0U);
}

TEST_F(ArgumentDifferencesTest, AreNoneAmongEqualTypes) {
  const ProbeArgument task = typed(types_.pointer_to(kernel_.task));
  const ProbeArgument again = typed(types_.pointer_to(kernel_.task));
  const ProbeArgument number = spelled("unsigned long");
  EXPECT_EQ(difference({{"f", {task, number}}, {"g", {again, number, task}}}, 0), "");
  EXPECT_EQ(difference({{"f", {task, number}}, {"g", {again, number, task}}}, 1), "");
  EXPECT_EQ(difference({{"f", {task}}}, 0), "");
}

TEST_F(ArgumentDifferencesTest, NameTwoProbes) {
  const ProbeArgument task = typed(types_.pointer_to(kernel_.task));
  const ProbeArgument number = spelled("unsigned long");
  EXPECT_EQ(difference({{"f", {task}}, {"g", {task}}, {"h", {number}}}, 0),
            "'struct task_struct *' at told::f:entry, but 'unsigned long' at "
            "told::h:entry");
  EXPECT_EQ(difference({{"f", {number}}, {"g", {spelled("long")}}}, 0),
            "'unsigned long' at told::f:entry, but 'long' at told::g:entry");
}

TEST_F(ArgumentDifferencesTest, AreOfOneArgumentAlone) {
  const ProbeArgument number = spelled("long");
  const std::map<std::string, std::vector<ProbeArgument>> functions = {
      {"f", {spelled("int"), number}}, {"g", {spelled("char"), number}}};
  EXPECT_NE(difference(functions, 0), "");
  EXPECT_EQ(difference(functions, 1), "");
}

TEST_F(ArgumentDifferencesTest, TellOfProbesWithFewer) {
  const ProbeArgument number = spelled("long");
  EXPECT_EQ(difference({{"f", {number}}, {"g", {}}}, 0),
            "'long' at told::f:entry, but none at told::g:entry");
  EXPECT_EQ(difference({{"f", {}}, {"g", {number}}}, 0),
            "none at told::f:entry, but 'long' at told::g:entry");
  // Which is another mistake.
  EXPECT_EQ(difference({{"f", {}}, {"g", {}}}, 0), "");
}

}  // namespace
}  // namespace kinst::compile
