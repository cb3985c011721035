#include "bpf/code/assemble.h"

#include <gtest/gtest.h>

#include "bpf/code/function_builder.h"

namespace kinst::bpf {
namespace {

using enum Register;

TEST(Assemble, ResolvesForwardAndBackwardJumps) {
  FunctionBuilder builder("f");
  const Label end = builder.label();
  builder.emit(mov(R0, 3));
  const Label loop = builder.here();
  builder.jump_if(R0, Condition::Equal, 0, end);
  builder.emit(alu(Arithmetic::Subtract, R0, 1));
  builder.jump(loop);
  builder.bind(end);
  builder.exit();

  const auto assembled = assemble(std::move(builder).finish(), {});

  Instruction leave = jump_if(R0, Condition::Equal, 0);
  leave.offset = 2;
  Instruction again = jump();
  again.offset = -3;
  ASSERT_TRUE(assembled) << assembled.error().message;
  EXPECT_EQ(assembled->instructions,
            (std::vector<Instruction>{
                mov(R0, 3), leave, alu(Arithmetic::Subtract, R0, 1), again, exit()}));
}

TEST(Assemble, CountsWideConstantsAsTwoSlots) {
  FunctionBuilder builder("f");
  const Label end = builder.label();
  builder.jump_if(R1, Condition::Equal, 0, end);
  builder.load_constant(R0, 0x1122334455667788);
  builder.bind(end);
  builder.exit();

  const auto assembled = assemble(std::move(builder).finish(), {});

  ASSERT_TRUE(assembled) << assembled.error().message;
  EXPECT_EQ(assembled->instructions.at(0).offset, 2);
  EXPECT_EQ(assembled->instructions.at(1).immediate, 0x55667788);
  EXPECT_EQ(assembled->instructions.at(2).immediate, 0x11223344);
}

TEST(Assemble, LeavesOutWhatNothingReaches) {
  FunctionBuilder builder("f");
  const Label end = builder.label();
  builder.emit(mov(R0, 1));
  builder.jump(end);
  builder.emit(mov(R0, 2));
  builder.call("never_called");
  builder.bind(end);
  builder.exit();
  builder.emit(mov(R0, 3));

  const auto assembled = assemble(std::move(builder).finish(), {});

  ASSERT_TRUE(assembled) << assembled.error().message;
  EXPECT_EQ(
      *assembled,
      (AssembledFunction{.name = "f", .instructions = {mov(R0, 1), jump(), exit()}}));
}

TEST(Assemble, KeepsReferencesByName) {
  const std::vector<MapSpecification> maps = {{.name = "first"}, {.name = "second"}};
  FunctionBuilder builder("f");
  builder.load_map(R1, MapId{1});
  builder.load_map_value(R2, MapId{0}, 24);
  builder.call("helper");
  builder.exit();

  const auto assembled = assemble(std::move(builder).finish(), maps);

  ASSERT_TRUE(assembled) << assembled.error().message;
  EXPECT_EQ(assembled->references,
            (std::vector<Reference>{
                {.kind = Reference::Kind::Map, .instruction = 0, .name = "second"},
                {.kind = Reference::Kind::MapValue,
                 .instruction = 2,
                 .name = "first",
                 .offset = 24},
                {.kind = Reference::Kind::Call, .instruction = 4, .name = "helper"}}));
}

// Where a jump leads at last, when the jumps that it comes to are followed.
std::size_t end_of_jump(const std::vector<Instruction>& code, std::size_t at) {
  const auto is_jump = [](Instruction instruction) {
    instruction.offset = 0;
    return instruction == jump();
  };
  do {
    const std::ptrdiff_t offset = code.at(at).offset;
    at = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + 1 + offset);
  } while (is_jump(code.at(at)));
  return at;
}

TEST(Assemble, MakesJumpsOfAnyLength) {
  FunctionBuilder builder("f");
  const Label end = builder.label();
  builder.emit(mov(R2, 7));
  const Label begin = builder.here();
  builder.jump_if(R1, Condition::Equal, 0, end);
  for (int i = 0; i < 100'000; ++i) {
    builder.emit(mov(R0, 0));
  }
  builder.jump_if(R1, Condition::Equal, 1, begin);
  builder.bind(end);
  builder.emit(mov(R0, 5));
  builder.exit();

  const auto assembled = assemble(std::move(builder).finish(), {});

  ASSERT_TRUE(assembled) << assembled.error().message;
  const std::vector<Instruction>& code = assembled->instructions;
  EXPECT_EQ(code.at(end_of_jump(code, 1)), mov(R0, 5));
  EXPECT_EQ(end_of_jump(code, code.size() - 3), 1U);
}

TEST(Assemble, DoesNotRunIntoIslandsOfLongJumps) {
  FunctionBuilder builder("f");
  const Label end = builder.label();
  builder.jump_if(R1, Condition::Equal, 0, end);
  for (int i = 0; i < 50'000; ++i) {
    builder.emit(mov(R0, 0));
  }
  builder.bind(end);
  builder.exit();

  const auto assembled = assemble(std::move(builder).finish(), {});

  ASSERT_TRUE(assembled) << assembled.error().message;
  const std::vector<Instruction>& code = assembled->instructions;
  int executed = 0;
  for (std::size_t at = 1; code.at(at) != exit();) {
    executed += code[at] == mov(R0, 0) ? 1 : 0;
    at += 1 + static_cast<std::size_t>(code[at].offset);
  }
  EXPECT_EQ(executed, 50'000);
}

TEST(Assemble, SaysThatAFunctionRunsOffItsEnd) {
  FunctionBuilder builder("f");
  builder.emit(mov(R0, 0));

  const auto assembled = assemble(std::move(builder).finish(), {});

  ASSERT_FALSE(assembled);
  EXPECT_EQ(assembled.error().message, "internal: BPF function f runs off its end");
}

TEST(Assemble, SaysThatALabelIsNowhere) {
  FunctionBuilder builder("f");
  builder.jump(builder.label());

  const auto assembled = assemble(std::move(builder).finish(), {});

  ASSERT_FALSE(assembled);
  EXPECT_EQ(assembled.error().message,
            "internal: label L0 of BPF function f is nowhere");
}

}  // namespace
}  // namespace kinst::bpf
