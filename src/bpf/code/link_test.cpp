#include "bpf/code/link.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "bpf/code/function_builder.h"

namespace kinst::bpf {
namespace {

using enum Register;

/// tests/bpf/fixture.c as the build compiled it.
Runtime fixture() {
  std::ifstream file(KINST_BPF_FIXTURE, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  const std::vector<std::span<const std::byte>> objects = {
      std::as_bytes(std::span(bytes))};
  auto runtime = read_runtime(objects);
  EXPECT_TRUE(runtime) << runtime.error().message;
  return runtime.value_or(Runtime{});
}

const AssembledFunction& function(const Runtime& runtime, std::string_view name) {
  return *std::ranges::find(runtime.functions, name, &AssembledFunction::name);
}

/// A program that calls one function and returns what it returned.
ObjectSpecification calling(std::string_view name) {
  FunctionBuilder builder("main");
  builder.emit(mov(R1, 5));
  builder.call(name);
  builder.exit();
  ObjectSpecification object;
  object.add_map({.name = "numbers", .value_size = 8, .max_entries = 256});
  object.programs.push_back(
      {.name = "test", .functions = {std::move(builder).finish()}});
  return object;
}

TEST(ReadRuntime, VerifiesFunctionsOfIntegersOnTheirOwn) {
  const Runtime runtime = fixture();
  EXPECT_EQ(function(runtime, "fixture_sum").verification, Verification::OnItsOwn);
  EXPECT_EQ(function(runtime, "fixture_prime").verification, Verification::OnItsOwn);
  EXPECT_EQ(function(runtime, "fixture_read").verification, Verification::AtEachCall);
  EXPECT_EQ(function(runtime, "add_index").verification, Verification::AtEachCall);
}

TEST(ReadRuntime, NamesWhatFunctionsReferTo) {
  const Runtime runtime = fixture();
  const auto names = [&runtime](std::string_view name) {
    std::vector<std::string> result;
    for (const Reference& reference : function(runtime, name).references) {
      result.push_back(reference.name);
    }
    return result;
  };
  EXPECT_EQ(names("fixture_sum"), std::vector<std::string>{"numbers"});
  EXPECT_EQ(names("fixture_first"),
            (std::vector<std::string>{"numbers", "fixture_read"}));
  EXPECT_EQ(names("fixture_prime"), std::vector<std::string>{"runtime0.rodata.cst32"});
  EXPECT_EQ(names("fixture_loop"), std::vector<std::string>{"add_index"});
}

TEST(ReadRuntime, RefusesWhatIsNoBpfObject) {
  const std::string text = "not an object";
  const std::vector<std::span<const std::byte>> objects = {
      std::as_bytes(std::span(text))};
  EXPECT_EQ(read_runtime(objects).error().message, "the runtime is not a BPF object");
}

TEST(Link, PutsBehindAProgramWhatItComesToCall) {
  const auto image = link(calling("fixture_first"), fixture());
  ASSERT_TRUE(image) << image.error().message;
  const ProgramImage& program = image->programs.at(0);
  ASSERT_EQ(program.functions.size(), 3U);  // main, fixture_first, fixture_read
  EXPECT_EQ(program.functions.at(1).instruction, 3U);
  const Instruction& call = program.instructions.at(1);
  EXPECT_EQ(call.source, Register{BPF_PSEUDO_CALL});
  EXPECT_EQ(1 + 1 + call.immediate, 3);
}

TEST(Link, FindsTheRuntimesMapsByName) {
  const auto image = link(calling("fixture_sum"), fixture());
  ASSERT_TRUE(image) << image.error().message;
  ASSERT_EQ(image->programs.at(0).map_uses.size(), 1U);
  const MapUse use = image->programs.at(0).map_uses.at(0);
  EXPECT_EQ(use.map, MapId{0});
  EXPECT_EQ(image->programs.at(0).instructions.at(use.instruction).source,
            Register{BPF_PSEUDO_MAP_FD});
}

TEST(Link, BringsTheRuntimesConstantsOnlyWhenTheyAreUsed) {
  const auto without = link(calling("fixture_sum"), fixture());
  const auto with = link(calling("fixture_prime"), fixture());
  ASSERT_TRUE(without && with);
  EXPECT_EQ(without->maps.size(), 1U);
  ASSERT_EQ(with->maps.size(), 2U);
  EXPECT_EQ(with->maps.at(1).contents.at(4), std::byte{3});
  EXPECT_TRUE(with->maps.at(1).frozen);
}

TEST(Link, LetsAProgramsFunctionHideTheRuntimes) {
  ObjectSpecification object = calling("fixture_sum");
  FunctionBuilder builder("fixture_sum");
  builder.emit(mov(R0, 1));
  builder.exit();
  object.programs.at(0).functions.push_back(std::move(builder).finish());

  const auto image = link(object, fixture());

  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->programs.at(0).instructions.size(), 5U);
}

TEST(Link, SaysWhatIsNowhere) {
  EXPECT_EQ(link(calling("nothing"), fixture()).error().message,
            "internal: BPF program test calls nothing, which is nowhere");
}

TEST(Link, AcceptsTheEmbeddedRuntime) {
  const auto runtime = read_runtime(embedded_runtime());
  ASSERT_TRUE(runtime) << runtime.error().message;
}

}  // namespace
}  // namespace kinst::bpf
