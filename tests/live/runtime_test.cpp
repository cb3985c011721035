// The runtime in the kernel: the verifier takes every function, quickly, and what the
// kernel's own helpers and addresses make of them.
#include <bpf/bpf.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <climits>
#include <cstdint>
#include <string>
#include <vector>

#include "live/live_bpf.h"
#include "runtime/abi.h"

namespace kinst::live {
namespace {

using namespace bpf;  // NOLINT(google-build-using-namespace): the subject here
using enum Register;

constexpr std::uint32_t input_bytes = 16384;

Runtime embedded() {
  return read_runtime(embedded_runtime()).value_or(Runtime{});
}

/// An argument of a function: a number, or the address of input at an offset.
struct Argument {
  std::uint64_t value = 0;
  bool is_input = false;
};
Argument number(std::int64_t value) {
  return {.value = static_cast<std::uint64_t>(value), .is_input = false};
}
Argument input(std::uint64_t offset) {
  return {.value = offset, .is_input = true};
}

/// A program that calls one function with five arguments, its context's first five
/// words, to each of which it adds the address of input as often as the word five
/// places further says; then stores the result and the address of the scratch.
ObjectSpecification calling(const std::string& name) {
  ObjectSpecification object;
  const auto array = [&object](const char* map_name, std::uint32_t bytes) {
    return object.add_map(
        {.name = map_name, .type = MapType::Array, .value_size = bytes});
  };
  array("state", sizeof(kinst_state));
  const MapId scratch = array("scratch", KINST_SCRATCH_ELEMENT_BYTES);
  array("speculations", 8);
  array("unwinding", sizeof(kinst_unwinding));
  array("unwind_ranges", sizeof(kinst_unwind_range));
  array("unwind_rows", sizeof(std::uint64_t));
  const MapId result = array("result", 16);
  const MapId input_map = array("input", input_bytes);

  FunctionBuilder code("main");
  code.load_map_value(R6, result, 0);
  code.load_map_value(R7, input_map, 0);
  code.emit(store(Size::Double, R6, 0, R7));
  code.emit(load(Size::Double, R7, R6, 0));
  code.emit(mov(R8, R1));
  const std::array registers = {R1, R2, R3, R4, R5};
  for (std::size_t i = registers.size(); i-- > 0;) {
    code.emit(load(Size::Double, R9, R8, static_cast<std::int16_t>(8 * (i + 5))));
    code.emit(alu(Arithmetic::Multiply, R9, R7));
    code.emit(
        load(Size::Double, registers.at(i), R8, static_cast<std::int16_t>(8 * i)));
    code.emit(alu(Arithmetic::Add, registers.at(i), R9));
  }
  code.call(name);
  code.emit(store(Size::Double, R6, 0, R0));
  code.load_map_value(R1, scratch, 0);
  code.emit(store(Size::Double, R6, 8, R1));
  code.emit(mov(R0, 0));
  code.exit();
  object.programs.push_back({.name = "call", .functions = {std::move(code).finish()}});
  return object;
}

/// One function of the runtime, loaded, with the memory of CPU 0.
class Function {
 public:
  explicit Function(const std::string& name, std::uint32_t string_size = 256)
      : object_(loaded(calling(name), embedded())) {
    cpu_set_t first{};
    CPU_SET(0, &first);
    sched_setaffinity(0, sizeof first, &first);
    kinst_state state{};
    state.string_size = string_size;
    state.scratch_limit = KINST_SCRATCH_BYTES;
    set("state", bytes_of(state));
  }

  /// Puts bytes where input(0) is.
  void write_input(const std::string& bytes) {
    std::vector<std::byte> all(input_bytes);
    std::memcpy(all.data(), bytes.data(), bytes.size());
    set("input", all);
  }

  std::uint64_t operator()(const std::vector<Argument>& arguments) {
    std::vector<std::uint64_t> context(10);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      context.at(i) = arguments[i].value;
      context.at(i + 5) = static_cast<std::uint64_t>(arguments[i].is_input);
    }
    EXPECT_TRUE(run_once(object_.programs.at(0), context));
    return value_at<std::uint64_t>(element("result"));
  }

  /// The string that the function gave the address of.
  std::string text(const std::vector<Argument>& arguments) {
    const std::uint64_t address = (*this)(arguments);
    const auto scratch = value_at<std::uint64_t>(element("result"), 8);
    if (address - scratch >= KINST_SCRATCH_BYTES) {
      return "(none)";
    }
    const std::vector<std::byte> bytes = element("scratch");
    std::string text;
    for (std::size_t at = address - scratch; bytes.at(at) != std::byte{0}; ++at) {
      text.push_back(static_cast<char>(bytes.at(at)));
    }
    return text;
  }

  [[nodiscard]] kinst_state state() const {
    return value_at<kinst_state>(element("state"));
  }
  [[nodiscard]] int program() const { return object_.programs.at(0).descriptor.get(); }
  [[nodiscard]] bool is_loaded() const { return !object_.programs.empty(); }

 private:
  [[nodiscard]] std::vector<std::byte> element(std::string_view map) const {
    return object_.find_map(map)->element(0).value_or(std::vector<std::byte>{});
  }
  void set(std::string_view map, std::span<const std::byte> value) {
    for (Map& candidate : object_.maps) {
      if (candidate.name() == map) {
        EXPECT_TRUE(candidate.set_element(0, value));
      }
    }
  }

  Object object_;
};

using RuntimeTest = Live;

TEST_F(RuntimeTest, IsVerifiedQuickly) {
  // A program that uses one function should load in a few milliseconds. What the
  // verifier can do is about a million instructions in 0.1 to 1 s.
  constexpr std::uint32_t most_instructions = 20000;
  const bool writes_user_memory =
      helper_available(ProgramType::RawTracepoint, Helper::ProbeWriteUser);
  for (const AssembledFunction& function : embedded().functions) {
    if (!function.name.starts_with("kinst_") ||
        function.verification != Verification::OnItsOwn ||
        (function.name.starts_with("kinst_copyout") && !writes_user_memory)) {
      continue;
    }
    const Function call(function.name);
    EXPECT_TRUE(call.is_loaded()) << function.name;
    if (!call.is_loaded()) {
      continue;
    }
    bpf_prog_info info{};
    std::uint32_t size = sizeof info;
    ASSERT_EQ(bpf_obj_get_info_by_fd(call.program(), &info, &size), 0);
    RecordProperty(function.name, static_cast<int>(info.verified_insns));
    EXPECT_LT(info.verified_insns, most_instructions) << function.name;
  }
}

TEST_F(RuntimeTest, ComparesStringsInKernelMemory) {
  Function compare("kinst_compare_strings", KINST_STRING_MAX);
  std::string text(8000, 'x');
  text[4001] = '\0';
  text[8000 - 1] = '\0';
  compare.write_input(text);
  EXPECT_EQ(compare({input(0), input(0)}), 0U);
  EXPECT_EQ(compare({input(0), input(4002 - 4)}), std::uint64_t{'x'});
  EXPECT_EQ(static_cast<std::int64_t>(compare({input(4002 - 4), input(0)})), -'x');
  EXPECT_EQ(compare.state().fault, KINST_FAULT_NONE);
}

TEST_F(RuntimeTest, FaultsForAddressesThatCannotBeRead) {
  Function compare("kinst_compare_strings");
  compare({input(0), number(1)});
  EXPECT_EQ(compare.state().fault, KINST_FAULT_BADADDR);
  EXPECT_EQ(compare.state().fault_address, 1U);
}

TEST_F(RuntimeTest, JoinsAndCutsStrings) {
  Function join("kinst_strjoin", KINST_STRING_MAX);
  join.write_input(std::string("dtrace\0BEGIN", 12) + std::string(1, '\0') +
                   std::string(5000, 'x'));
  EXPECT_EQ(join.text({input(0), input(7)}), "dtraceBEGIN");
  EXPECT_EQ(join.text({input(13), input(13)}), std::string(KINST_STRING_MAX - 1, 'x'));
  Function part("kinst_substr");
  part.write_input("foobarbazbop");
  EXPECT_EQ(part.text({input(0), number(-10), number(-5)}), "obarb");
  EXPECT_EQ(part.text({input(0), number(3), number(INT_MAX)}), "barbazbop");
}

TEST_F(RuntimeTest, ReadsTheCallersMemory) {
  const std::string mine(20000, 'm');
  Function copyin("kinst_copyin");
  EXPECT_EQ(copyin.text({number(std::bit_cast<std::int64_t>(mine.c_str())),
                         number(static_cast<std::int64_t>(mine.size() + 1))}),
            mine);
  Function copyinstr("kinst_copyinstr");
  EXPECT_EQ(
      copyinstr.text({number(std::bit_cast<std::int64_t>(mine.c_str())), number(8)}),
      "mmmmmmmm");
  copyinstr({number(0x1234), number(8)});
  EXPECT_EQ(copyinstr.state().fault_address, 0x1234U);
}

TEST_F(RuntimeTest, ZeroesWhatItGivesOut) {
  Function alloca_function("kinst_alloca");
  EXPECT_NE(alloca_function({number(KINST_SCRATCH_BYTES)}), 0U);
  EXPECT_EQ(alloca_function.state().scratch_top, KINST_SCRATCH_BYTES);
  EXPECT_EQ(alloca_function({number(1)}), 0U);
  EXPECT_EQ(alloca_function.state().fault, KINST_FAULT_NOSCRATCH);
}

}  // namespace
}  // namespace kinst::live
