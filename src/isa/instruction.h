// One decoded instruction, described as data that no longer depends on the machine:
// what it is, which memory it touches, where it sends control. The code generator needs
// no opcode and no register name.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/address.h"

namespace kinst::isa {

/// A register as the D array regs[] numbers it; Isa::registers says where it is saved.
enum class RegisterId : std::uint8_t { None = 0xff };

/// The classes by which a probe can select instructions. An instruction can be of
/// several classes: a call through memory is a Call and a Load.
enum class InstructionClass : std::uint16_t {
  Call = 1U << 0U,
  Return = 1U << 1U,
  /// Always jumps; through a register, memory or to an address.
  Jump = 1U << 2U,
  /// Jumps on a condition.
  Branch = 1U << 3U,
  /// Reads memory by an operand of its own; what call, return, push and pop do to the
  /// stack does not count, or every prologue would be a list of stores.
  Load = 1U << 4U,
  Store = 1U << 5U,
  /// Reads, changes and writes memory in one step that other processors cannot split.
  Atomic = 1U << 6U,
};

/// A set of InstructionClass.
struct ClassSet {
  std::uint16_t bits = 0;

  [[nodiscard]] constexpr bool has(InstructionClass one) const {
    return (bits & static_cast<std::uint16_t>(one)) != 0;
  }
  constexpr void add(InstructionClass one) { bits |= static_cast<std::uint16_t>(one); }
  bool operator==(const ClassSet&) const = default;
};

/// What must be added to the address that a memory operand computes to get the real
/// address.
enum class AddressSpace : std::uint8_t {
  /// Nothing.
  Flat,
  /// The base of the executing processor's per-CPU area.
  PerCpu,
  /// The user thread's own segment base, which is not among the saved registers.
  UserThread,
};

/// Whether an instruction also changes the base register of its memory operand.
enum class BaseUpdate : std::uint8_t {
  None,
  /// The base becomes the address that the instruction uses ("pre-indexed").
  Before,
  /// The instruction uses the base as it is. Then index and displacement are added to
  /// the base ("post-indexed").
  After,
};

/// Memory that an instruction reads or writes. The effective address, from the register
/// values before the instruction executes:
///
///   base + (low index_bytes of index) * scale + displacement
///     + element_bytes * (bit_index, as signed, / (8 * element_bytes), rounded down)
///   modulo 2 to the power of (8 * address_bytes)
///   + the base of `space`
///
/// A register that is RegisterId::None counts as 0, element_bytes is size_bytes, and
/// index and displacement do not count with BaseUpdate::After.
struct MemoryOperand {
  RegisterId base = RegisterId::None;
  RegisterId index = RegisterId::None;
  std::uint8_t index_bytes = 8;
  /// Whether those bytes of the index are a signed number.
  bool index_is_signed = false;
  std::uint8_t scale = 0;
  std::int64_t displacement = 0;
  std::uint8_t address_bytes = 8;
  BaseUpdate update = BaseUpdate::None;
  AddressSpace space = AddressSpace::Flat;
  /// Bytes that one execution (one step of a repeated instruction) touches.
  std::uint16_t size_bytes = 0;
  /// Both can be false: an instruction may name memory only to flush or prefetch it.
  bool read = false;
  bool write = false;
  /// The stack slot of a push, pop, call or return, which the text does not show.
  bool implicit_stack = false;
  /// The register that counts how often a repeated string instruction still does this;
  /// None when it is not repeated.
  RegisterId repeat_count = RegisterId::None;
  /// The register that selects a bit, possibly far from the address: the low
  /// `size_bytes` of it, signed. None for all but bit tests.
  RegisterId bit_index = RegisterId::None;

  auto operator<=>(const MemoryOperand&) const = default;
};

/// The test that a branch makes on a register, besides the flags.
enum class RegisterTest : std::uint8_t { None, IsZero, IsNotZero, IsNotOne };

/// When a conditional jump is taken, from the register values before it executes:
///
///   flags_hold = any bit of `any_set` is 1, or any bit of `any_clear` is 0, or exactly
///                one bit of `differ` is 1
///   taken      = (flags_hold != negated) and `test` holds for (tested & tested_bits)
///
/// A jump that looks at no flags has no bits in the three masks and is `negated`.
/// IsNotOne is for an instruction that first counts down and then tests for not zero.
struct Condition {
  std::uint64_t any_set = 0;
  std::uint64_t any_clear = 0;
  /// No bit or two bits.
  std::uint64_t differ = 0;
  bool negated = false;
  RegisterTest test = RegisterTest::None;
  RegisterId tested = RegisterId::None;
  /// The part of the register that is tested: its lower half, a single bit.
  std::uint64_t tested_bits = ~std::uint64_t{0};

  auto operator<=>(const Condition&) const = default;
};

enum class TargetKind : std::uint8_t {
  /// Control goes on behind the instruction, or somewhere that cannot be told.
  None,
  /// Branch::address.
  Direct,
  /// The value of Branch::target_register.
  Register,
  /// The 8 bytes that the instruction's first memory operand reads: indirect calls and
  /// jumps through memory, and returns.
  Memory,
};

/// Where an instruction sends control if the branch is taken. Otherwise control goes on
/// behind the instruction.
struct Branch {
  TargetKind target = TargetKind::None;
  KernelAddress address{};
  RegisterId target_register = RegisterId::None;
  /// Only for InstructionClass::Branch; all others are always taken.
  Condition condition;

  auto operator<=>(const Branch&) const = default;
};

/// Whether the bytes were understood.
enum class Decoding : std::uint8_t {
  Good,
  /// Begins no instruction that this decoder knows. It is one byte, or the length of
  /// every instruction where all have the same. Decoding goes on behind it.
  Undecodable,
  /// A breakpoint instruction.
  Breakpoint,
};

/// The most bytes of an instruction, of all machines.
inline constexpr std::size_t most_instruction_bytes = 15;

/// One instruction of a function.
struct Instruction {
  KernelAddress address{};
  FunctionOffset offset{};
  std::uint8_t length = 0;
  std::array<std::byte, most_instruction_bytes> bytes{};
  Decoding decoding = Decoding::Good;
  /// False behind an undecodable byte, unless all instructions have one length: whether
  /// an instruction begins here is a guess.
  bool boundary_certain = true;
  ClassSet classes;
  Branch branch;
  /// Written operands first among those that the text shows, then the implicit stack
  /// slots; the first is the one that D's mem variables mean.
  std::vector<MemoryOperand> memory;

  [[nodiscard]] std::span<const std::byte> encoding() const {
    return std::span(bytes).first(length);
  }
  /// The first byte behind the instruction.
  [[nodiscard]] FunctionOffset end() const {
    return FunctionOffset{number(offset) + length};
  }
  [[nodiscard]] bool is(InstructionClass one) const { return classes.has(one); }

  bool operator==(const Instruction&) const = default;
};

}  // namespace kinst::isa
