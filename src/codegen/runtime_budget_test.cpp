// What each function of the runtime takes of stack and of nested calls, as the verifier
// of the kernels with the largest frames counts it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "bpf/code/runtime_object.h"
#include "codegen/emit/call_budget.h"

namespace kinst::codegen {
namespace {

struct Depth {
  std::uint32_t stack_bytes = 0;
  std::uint32_t calls = 0;
};

// The lowest place of its frame that a function loads, stores or computes.
std::uint32_t frame_bytes(const bpf::AssembledFunction& function) {
  std::int32_t lowest = -1;
  std::set<bpf::Register> frame_addresses;
  for (const bpf::Instruction& instruction : function.instructions) {
    const auto kind = instruction.opcode & 7U;
    const bool is_load = kind == BPF_LDX;
    const bool is_store = kind == BPF_ST || kind == BPF_STX;
    if ((is_load && instruction.source == bpf::Register::R10) ||
        (is_store && instruction.destination == bpf::Register::R10)) {
      lowest = std::min<std::int32_t>(lowest, instruction.offset);
    }
    if (instruction.opcode == (BPF_ALU64 | BPF_MOV | BPF_X) &&
        instruction.source == bpf::Register::R10) {
      frame_addresses.insert(instruction.destination);
    } else if (instruction.opcode == (BPF_ALU64 | BPF_ADD | BPF_K) &&
               frame_addresses.contains(instruction.destination)) {
      lowest = std::min(lowest, instruction.immediate);
    } else {
      frame_addresses.erase(instruction.destination);
    }
  }
  constexpr std::int32_t unit = 32;
  return static_cast<std::uint32_t>((-lowest + unit - 1) / unit * unit);
}

class Budget {
 public:
  explicit Budget(const bpf::Runtime& runtime) {
    for (const bpf::AssembledFunction& function : runtime.functions) {
      functions_[function.name] = &function;
    }
  }

  Depth depth_of(const std::string& name) {
    const auto known = depths_.find(name);
    if (known != depths_.end()) {
      return known->second;
    }
    Depth deepest;
    const bpf::AssembledFunction& function = *functions_.at(name);
    for (const bpf::Reference& reference : function.references) {
      if (functions_.contains(reference.name)) {
        const Depth below = depth_of(reference.name);
        deepest.stack_bytes = std::max(deepest.stack_bytes, below.stack_bytes);
        deepest.calls = std::max(deepest.calls, below.calls);
      }
    }
    deepest.stack_bytes += frame_bytes(function);
    deepest.calls += 1;
    return depths_[name] = deepest;
  }

 private:
  std::map<std::string, const bpf::AssembledFunction*> functions_;
  std::map<std::string, Depth> depths_;
};

TEST(RuntimeBudget, EveryFunctionKeepsIt) {
  const auto runtime = bpf::read_runtime(bpf::embedded_runtime());
  ASSERT_TRUE(runtime);
  ASSERT_FALSE(runtime->functions.empty());
  Budget budget(*runtime);
  for (const bpf::AssembledFunction& function : runtime->functions) {
    const Depth depth = budget.depth_of(function.name);
    EXPECT_LE(depth.stack_bytes, runtime_stack_bytes) << function.name;
    EXPECT_LE(depth.calls, runtime_call_depth) << function.name;
  }
  // It is found out at all: strstr() has the longest chain.
  EXPECT_EQ(budget.depth_of("kinst_strstr").calls, 5U);
}

}  // namespace
}  // namespace kinst::codegen
