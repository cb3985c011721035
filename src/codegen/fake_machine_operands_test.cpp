// The code for memaddr, branchtaken and branchtarget, executed for instructions of a
// machine that has addresses and conditions which x86 lacks, and compared with what the
// machine does.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

#include "bpf/code/assemble.h"
#include "bpf/code/interpreter_for_tests.h"
#include "codegen/expression/operand.h"
#include "codegen/plan/machine_platform.h"
#include "codegen/plan/operand_shape.h"
#include "isa/fake_processor_for_tests.h"

namespace kinst::codegen {
namespace {

using d::Builtin;
using isa::testing::fake::Execution;
using isa::testing::fake::Operation;
using isa::testing::fake::SavedRegisters;
namespace fake = isa::testing::fake;

constexpr std::uint64_t here = 0xffff800010000400;

isa::Instruction decoded(std::uint32_t word) {
  return isa::testing::fake_machine()
      .decode(fake::text({word}), KernelAddress{here})
      .front();
}

// The fact about the instruction at a probe in a program that serves it alone.
bpf::AssembledFunction code_for(Builtin builtin, const isa::Instruction& instruction,
                                const std::byte* state) {
  const provider::Probe probe{
      .site = provider::KernelInstruction{.address = instruction.address,
                                          .instruction = instruction}};
  const provider::Probe* const served = &probe;
  const d::typed::Program program;
  const types::TypeTable types;
  const Storage storage;
  const Platform platform = machine_platform(isa::testing::fake_machine());
  const Scope scope{.program = program,
                    .types = types,
                    .storage = storage,
                    .platform = platform,
                    .context = ContextKind::KernelInstruction,
                    .served = std::span(&served, 1)};
  Diagnostics diagnostics;
  Emitter out("fact", diagnostics);
  const Label failed = out.code().label();
  out.begin_clause(failed, failed);
  out.code().emit(bpf::mov(context_register, Register::R1));
  out.code().load_constant(state_register, std::bit_cast<std::uint64_t>(state));
  generate_operand_fact(builtin, {}, scope, out);
  out.code().exit();
  out.code().bind(failed);
  out.code().load_constant(Register::R0, 0xfa11ed);
  out.code().exit();
  EXPECT_FALSE(diagnostics.has_errors());
  return bpf::assemble(std::move(out.code()).finish(), {}).value();
}

// Reads this process's memory, as the kernel's helper reads the kernel's.
std::uint64_t read_memory(Helper helper,
                          const std::array<std::uint64_t, 5>& arguments) {
  EXPECT_EQ(helper, Helper::ProbeReadKernel);
  std::memcpy(std::bit_cast<void*>(arguments[0]), std::bit_cast<void*>(arguments[2]),
              arguments[1]);
  return 0;
}

std::uint64_t fact(Builtin builtin, std::uint32_t word,
                   const SavedRegisters& registers) {
  std::vector<std::byte> state(sizeof(kinst_state));
  return bpf::testing::interpret(code_for(builtin, decoded(word), state.data()),
                                 &registers, read_memory);
}

constexpr std::array<std::uint64_t, 9> numbers = {0,
                                                  1,
                                                  2,
                                                  0x7fffffff,
                                                  0x80000000,
                                                  0x100000000,
                                                  0xffffffff00000000,
                                                  0x8000000000000000,
                                                  0xffffffffffffffff};

// Registers in which r2 and r3 are all pairs of the numbers.
std::vector<SavedRegisters> registers_to_try() {
  std::vector<SavedRegisters> all;
  for (const std::uint64_t base : numbers) {
    for (const std::uint64_t index : numbers) {
      SavedRegisters registers{.program_counter = here};
      registers.r(2) = base;
      registers.r(3) = index;
      registers.r(fake::link_register) = 0xffff800010008888;
      all.push_back(registers);
    }
  }
  return all;
}

TEST(FakeMachine, MemaddrIsTheAddressThatItUses) {
  for (const Operation operation :
       {Operation::Load, Operation::LoadIndexed, Operation::LoadBefore,
        Operation::LoadAfter, Operation::LoadByteAfter, Operation::Store,
        Operation::StoreBefore, Operation::LoadExclusive, Operation::StoreExclusive}) {
    for (const int constant : {0, 16, -24}) {
      const std::uint32_t word = fake::plain(operation, 1, 2, 3, constant);
      for (const SavedRegisters& registers : registers_to_try()) {
        const Execution execution = fake::execute(word, registers);
        ASSERT_TRUE(execution.address);
        EXPECT_EQ(fact(Builtin::MemoryAddress, word, registers), *execution.address)
            << std::hex << word << ", " << registers.r(2) << ", " << registers.r(3);
      }
    }
  }
}

TEST(FakeMachine, MemvalIsReadWhereTheBaseIsBeforeItIsUpdated) {
  const std::array<std::uint64_t, 3> memory = {11, 22, 33};
  SavedRegisters registers;
  registers.r(2) = std::bit_cast<std::uint64_t>(&memory[1]);
  const auto value = [&](Operation operation) {
    return fact(Builtin::MemoryValue, fake::plain(operation, 1, 2, 0, 8), registers);
  };
  EXPECT_EQ(value(Operation::LoadAfter), 22U);
  EXPECT_EQ(value(Operation::LoadBefore), 33U);
}

void expect_branch(std::uint32_t word, const SavedRegisters& registers) {
  const Execution execution = fake::execute(word, registers);
  EXPECT_EQ(fact(Builtin::BranchTaken, word, registers), execution.jumps ? 1U : 0U)
      << std::hex << word << ", " << registers.r(2) << ", " << registers.flags;
  EXPECT_EQ(fact(Builtin::BranchTarget, word, registers),
            execution.after.program_counter)
      << std::hex << word << ", " << registers.r(2) << ", " << registers.flags;
}

TEST(FakeMachine, BranchesOnARegisterGoWhereItGoes) {
  for (const SavedRegisters& registers : registers_to_try()) {
    expect_branch(fake::branch(Operation::BranchIfZero, 2, 0, 5), registers);
    expect_branch(fake::branch(Operation::BranchIfNotZero, 2, 0, -5), registers);
    for (const unsigned bit : {0U, 31U, 32U, 63U}) {
      expect_branch(fake::branch(Operation::BranchIfBitSet, 2, bit, 9), registers);
      expect_branch(fake::branch(Operation::BranchIfBitClear, 2, bit, -1), registers);
    }
  }
}

TEST(FakeMachine, BranchesOnSetAndClearFlagsGoWhereItGoes) {
  for (std::uint64_t flags = 0; flags < 64; ++flags) {
    const SavedRegisters registers{.flags = flags, .program_counter = here};
    for (const Operation operation :
         {Operation::BranchIfLowerOrSame, Operation::BranchIfHigher,
          Operation::BranchIfLess}) {
      expect_branch(fake::branch(operation, 0, 0, 7), registers);
    }
  }
}

TEST(FakeMachine, JumpsCallsAndReturnsGoWhereItGoes) {
  for (const SavedRegisters& registers : registers_to_try()) {
    expect_branch(fake::far(Operation::Jump, -100), registers);
    expect_branch(fake::far(Operation::Call, 100), registers);
    expect_branch(fake::plain(Operation::JumpToRegister, 2), registers);
    expect_branch(fake::plain(Operation::CallRegister, 3), registers);
    expect_branch(fake::plain(Operation::Return), registers);
  }
}

OperandShape shape(std::uint32_t word) {
  OperandUse use;
  use.facts = {Builtin::MemoryAddress};
  return shape_of(decoded(word), use);
}

TEST(FakeMachine, OperandsShareAProgramIfTheirAddressesAreMadeInOneWay) {
  const auto load = [](Operation operation, unsigned base, unsigned index) {
    return shape(fake::plain(operation, 1, base, index, 8));
  };
  EXPECT_EQ(load(Operation::Load, 2, 0), load(Operation::LoadBefore, 2, 0));
  EXPECT_EQ(load(Operation::LoadAfter, 2, 0), load(Operation::LoadByteAfter, 2, 3));
  EXPECT_NE(load(Operation::Load, 2, 0), load(Operation::Load, 3, 0));
  EXPECT_NE(load(Operation::Load, 2, 0), load(Operation::LoadIndexed, 2, 0));
  EXPECT_EQ(operand_row(decoded(fake::plain(Operation::LoadAfter, 1, 2, 0, 8)))
                .at(index_of(OperandConstant::Displacement)),
            0U);
}

TEST(FakeMachine, HasItsRegistersWhereItSavesThem) {
  const Platform platform = machine_platform(isa::testing::fake_machine());
  EXPECT_EQ(platform.instruction_pointer_offset,
            offsetof(SavedRegisters, program_counter));
  EXPECT_EQ(platform.flags_offset, offsetof(SavedRegisters, flags));
  EXPECT_EQ(platform.instruction_pointer_excess, 0U);
  EXPECT_EQ(platform.return_address_words, 0U);
  EXPECT_EQ(platform.argument_offsets, (std::vector<std::uint32_t>{72, 64, 56, 48}));
  EXPECT_EQ(platform.register_offsets.back(), std::nullopt);
}

}  // namespace
}  // namespace kinst::codegen
