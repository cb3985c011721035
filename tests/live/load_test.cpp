#include "bpf/load/load.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "live/live_bpf.h"

namespace kinst::live {
namespace {

using namespace bpf;  // NOLINT(google-build-using-namespace): the subject here
using enum Register;

using LoadTest = Live;

/// Runs a program that returns what a function of the fixture returns.
std::uint32_t result_of(std::string_view function, std::int32_t argument) {
  FunctionBuilder builder("main");
  builder.emit(mov(R1, argument));
  builder.call(function);
  builder.exit();
  std::vector<MapSpecification> maps = {
      {.name = "numbers", .type = MapType::Array, .value_size = 8, .max_entries = 256}};
  Object object =
      loaded(single(std::move(builder), std::move(maps), ProgramType::RawTracepoint),
             fixture());
  if (object.programs.empty()) {
    return 0;
  }
  for (std::uint32_t i = 0; i < 256; ++i) {
    EXPECT_TRUE(object.maps.at(0).set_element(i, bytes_of(std::uint64_t{i})));
  }
  return run_once(object.programs.at(0)).value_or(0);
}

TEST_F(LoadTest, RunsTheRuntimesLoopThroughAMap) {
  EXPECT_EQ(result_of("fixture_sum", 256), 255U * 256 / 2);
}

TEST_F(LoadTest, GivesTheRuntimeItsConstants) {
  EXPECT_EQ(result_of("fixture_prime", 4), 11U);
  EXPECT_EQ(result_of("fixture_sum_of_primes", 8), 77U);
}

TEST_F(LoadTest, PassesPointersBetweenFunctionsOfTheRuntime) {
  EXPECT_EQ(result_of("fixture_first", 0), 0U);
}

TEST_F(LoadTest, LetsTheKernelCallBack) {
  EXPECT_EQ(result_of("fixture_loop", 5), 10U);
}

TEST_F(LoadTest, VerifiesAFunctionOfIntegersOnlyOnce) {
  // 4096 calls of a 256-round loop would pass a million instructions by far.
  FunctionBuilder builder("main");
  for (int i = 0; i < 4096; ++i) {
    builder.emit(mov(R1, 256));
    builder.call("fixture_sum");
  }
  builder.exit();
  const Object object =
      loaded(single(std::move(builder),
                    {{.name = "numbers", .value_size = 8, .max_entries = 256}},
                    ProgramType::RawTracepoint),
             fixture());
  EXPECT_EQ(object.programs.size(), 1U);
}

TEST_F(LoadTest, LoadsProgramsOfEveryTypeIntoOneObject) {
  ObjectSpecification specification;
  const MapId map = specification.add_map({.name = "shared", .value_size = 8});
  for (const ProgramType type : {ProgramType::Kprobe, ProgramType::Tracepoint,
                                 ProgramType::PerfEvent, ProgramType::RawTracepoint}) {
    FunctionBuilder builder("main");
    builder.load_map_value(R1, map, 0);
    builder.emit(mov(R2, 1));
    builder.emit(atomic(Size::Double, Atomic::Add, R1, 0, R2));
    builder.emit(mov(R0, 0));
    builder.exit();
    specification.programs.push_back(
        {.name = "one", .type = type, .functions = {std::move(builder).finish()}});
  }
  EXPECT_EQ(loaded(specification).programs.size(), 4U);
}

TEST_F(LoadTest, RunsAProgramInTheCallersContextWithItsArguments) {
  FunctionBuilder builder("main");
  builder.emit(load(Size::Double, R6, R1, 8));  // the second argument
  builder.call(Helper::GetCurrentPidTgid);
  builder.emit(alu(Arithmetic::ShiftRight, R0, 32));
  builder.emit(alu(Arithmetic::Add, R0, R6));
  builder.exit();
  const Object object =
      loaded(single(std::move(builder), {}, ProgramType::RawTracepoint));
  const std::vector<std::uint64_t> arguments = {1, 1000};
  const auto result = run_once(object.programs.at(0), arguments);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(*result, static_cast<std::uint32_t>(getpid()) + 1000);
}

TEST_F(LoadTest, ReadsItsOwnMapsThroughAddressesKeptAsNumbers) {
  // What the code generator rests on: the address of a map's value, stored and read
  // back as a number, is a kernel address for bpf_probe_read_kernel.
  ObjectSpecification specification;
  const MapId map = specification.add_map({.name = "memory", .value_size = 32});
  FunctionBuilder builder("main");
  builder.load_map_value(R6, map, 0);
  builder.emit(store(Size::Double, R6, 0, R6));
  builder.emit(store(Size::Double, R6, 8, 4711));
  builder.emit(mov(R1, R6));
  builder.emit(alu(Arithmetic::Add, R1, 16));
  builder.emit(mov(R2, 8));
  builder.emit(load(Size::Double, R3, R6, 0));
  builder.emit(alu(Arithmetic::Add, R3, 8));
  builder.call(Helper::ProbeReadKernel);
  builder.emit(load(Size::Double, R0, R6, 16));
  builder.exit();
  specification.programs.push_back(
      {.name = "test", .functions = {std::move(builder).finish()}});
  const Object object = loaded(specification);
  EXPECT_EQ(run_once(object.programs.at(0)).value_or(0), 4711U);
}

constexpr std::string_view taken = "it was taken";

/// What load() says of a program of these functions.
LoadError refusal_of(std::vector<Function> functions) {
  ObjectSpecification specification;
  specification.programs.push_back({.name = "test",
                                    .type = ProgramType::RawTracepoint,
                                    .functions = std::move(functions)});
  const auto image = link(specification, {});
  EXPECT_TRUE(image) << image.error().message;
  const auto object = bpf::load(*image);
  return object ? LoadError(Error{std::string(taken)}) : object.error();
}

TEST_F(LoadTest, SaysThatARejectionIsOurBugAndKeepsTheLog) {
  FunctionBuilder builder("main");
  builder.emit(load(Size::Double, R0, R2, 0));  // R2 holds nothing
  builder.exit();
  const LoadError refusal = refusal_of({std::move(builder).finish()});
  EXPECT_EQ(refusal.message,
            "the kernel's verifier refuses program test (Permission denied): this is a "
            "bug in kinst; -v shows the verifier's log");
  EXPECT_NE(refusal.verifier_log.find("R2 !read_ok"), std::string::npos);
}

TEST_F(LoadTest, SaysThatAProgramIsTooLarge) {
  FunctionBuilder builder("main");
  builder.emit(mov(R0, 0));
  for (int i = 0; i < 1000001; ++i) {
    builder.emit(mov(R0, 0));
  }
  builder.exit();
  const LoadError refusal = refusal_of({std::move(builder).finish()});
  EXPECT_EQ(refusal.message,
            "program test has more than the 1,000,000 instructions that the kernel "
            "takes: use fewer or simpler clauses");
}

/// `count` functions, each of which calls the next.
std::vector<Function> chain(int count) {
  std::vector<Function> functions;
  for (int i = 0; i < count; ++i) {
    FunctionBuilder builder("f" + std::to_string(i));
    if (i + 1 < count) {
      builder.call("f" + std::to_string(i + 1));
    }
    builder.emit(mov(R0, 0));
    builder.exit();
    functions.push_back(std::move(builder).finish());
  }
  return functions;
}

TEST_F(LoadTest, TellsCallsTooDeepFromAProgramTooLarge) {
  EXPECT_EQ(refusal_of(chain(8)).message, taken);
  // 8 up to 6.18; how many newer kernels permit is theirs to say.
  std::string refusal(taken);
  for (int depth = 9; depth <= 60 && refusal == taken; ++depth) {
    refusal = refusal_of(chain(depth)).message;
  }
  if (refusal == taken) {
    GTEST_SKIP() << "this kernel permits a chain of 60 calls";
  }
  EXPECT_EQ(refusal,
            "program test has calls nested deeper than the kernel permits: this is a "
            "bug in kinst");
}

TEST_F(LoadTest, TellsAProgramThatTakesTooManySteps) {
  // A loop of more rounds than the verifier goes.
  FunctionBuilder builder("main");
  builder.emit(mov(R0, 0));
  const Label again = builder.here();
  builder.emit(alu(Arithmetic::Add, R0, 1));
  builder.jump_if(R0, Condition::Less, 1000000, again);
  builder.exit();
  EXPECT_EQ(refusal_of({std::move(builder).finish()}).message,
            "program test is too large for the kernel's verifier: use fewer or simpler "
            "clauses");
}

// Leaves room for the type information alone, prints what is said then, and ends.
[[noreturn]] void load_without_descriptors() {
  const auto few = static_cast<rlim_t>(FileDescriptor(dup(0)).get()) + 1;
  const rlimit limit{.rlim_cur = few, .rlim_max = few};
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    std::_Exit(1);
  }
  std::fputs(refusal_of(chain(1)).message.c_str(), stderr);
  std::_Exit(0);
}

TEST_F(LoadTest, TellsThatThereAreNoMoreDescriptors) {
  EXPECT_EXIT(load_without_descriptors(), testing::ExitedWithCode(0),
              "cannot load program test: Too many open files: each program takes a "
              "file descriptor, and \"ulimit -n\" says how many there may be");
}

TEST_F(LoadTest, FindsOutWhichHelpersThereAre) {
  EXPECT_TRUE(helper_available(ProgramType::RawTracepoint, Helper::GetStack));
  EXPECT_TRUE(helper_available(ProgramType::PerfEvent, Helper::PerfProgReadValue));
  EXPECT_FALSE(helper_available(ProgramType::RawTracepoint, Helper::PerfProgReadValue));
  EXPECT_FALSE(helper_available(ProgramType::RawTracepoint, Helper{100000}));
  EXPECT_FALSE(helper_available(ProgramType::Tracepoint, Helper::GetFuncIp));
}

}  // namespace
}  // namespace kinst::live
