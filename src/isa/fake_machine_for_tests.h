// A machine that does not exist, for tests: it proves that nothing outside of src/isa
// asks what the machine is. It has what x86 lacks, as other machines do: instructions
// of one length, a return address in a register, branches that test a register or a bit
// of one, operands that update their base, instructions that may not be probed for what
// surrounds them, a breakpoint of four bytes. It lacks what a machine may lack: landing
// pads, thunks, optimized probes, system calls that are known by name.
//
// Its registers are r0 to r7, of 64 bits. r0 to r3 hold arguments, r0 the result, r5 is
// the frame pointer, r6 the stack pointer, r7 the link register.
//
// An instruction is a little-endian word:
//
//    31       24 23  20 19  16 15  12 11                 0
//   | operation |  a   |  b   |  c   | constant, signed   |   loads, stores, arithmetic
//   | operation |  a   | bit        | distance, signed    |   branches: 6 and 14 bits
//   | operation | distance, signed                        |   jump, call: 24 bits
//
// Distances count words from the instruction itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "isa/isa.h"

namespace kinst::isa::testing {

const Isa& fake_machine();

namespace fake {

enum class Operation : std::uint8_t {
  Padding = 0x00,  ///< the word 0, no instruction
  Nop = 0x01,
  Trap = 0x02,
  Breakpoint = 0x03,        ///< constant 1: a kprobe's, 0: a debugger's
  Load = 0x10,              ///< ld a,[b+constant]
  LoadIndexed = 0x11,       ///< ld a,[b+c*8+constant]; c: its lower half, signed
  LoadBefore = 0x12,        ///< ld a,[b+constant]!     b becomes the address
  LoadAfter = 0x13,         ///< ld a,[b],constant      constant is added to b behind it
  LoadByteAfter = 0x14,     ///< ldb a,[b],c            c is added to b behind it
  Store = 0x18,             ///< st a,[b+constant]
  StoreBefore = 0x19,       ///< st a,[b+constant]!
  LoadExclusive = 0x1c,     ///< lx a,[b]
  StoreExclusive = 0x1d,    ///< sx a,[b]
  Add = 0x20,               ///< add a,b,c              a = b + c + constant
  BranchIfZero = 0x30,      ///< bz a,DISTANCE
  BranchIfNotZero = 0x31,   ///< bnz a,DISTANCE         the lower half of a
  BranchIfBitSet = 0x32,    ///< bbs a,#bit,DISTANCE
  BranchIfBitClear = 0x33,  ///< bbc a,#bit,DISTANCE
  BranchIfLowerOrSame = 0x34,  ///< bls DISTANCE: carry is clear or zero is set
  BranchIfHigher = 0x35,       ///< bhi DISTANCE: carry is set and zero is clear
  BranchIfLess = 0x36,         ///< blt DISTANCE: negative and overflow differ
  Jump = 0x38,                 ///< jmp DISTANCE
  JumpToRegister = 0x39,       ///< jmp *a
  Call = 0x3a,                 ///< call DISTANCE
  CallRegister = 0x3b,         ///< call *a
  Return = 0x3c,               ///< ret: jumps to r7
};

inline constexpr unsigned frame_pointer = 5;
inline constexpr unsigned stack_pointer = 6;
inline constexpr unsigned link_register = 7;

/// Bits of the register of flags.
inline constexpr std::uint64_t carry = 1U << 0U;
inline constexpr std::uint64_t zero = 1U << 1U;
inline constexpr std::uint64_t negative = 1U << 4U;
inline constexpr std::uint64_t overflow = 1U << 5U;

inline constexpr std::uint64_t word_bytes = 4;

/// The number of r0 to r7 in regs[].
RegisterId register_id(unsigned number);

/// The word of an instruction of the first form.
std::uint32_t plain(Operation operation, unsigned a = 0, unsigned b = 0, unsigned c = 0,
                    int constant = 0);
/// The word of a branch.
std::uint32_t branch(Operation operation, unsigned a, unsigned bit, int distance);
/// The word of Jump and Call.
std::uint32_t far(Operation operation, int distance);

/// The words as bytes of text.
std::vector<std::byte> text(std::initializer_list<std::uint32_t> words);

}  // namespace fake
}  // namespace kinst::isa::testing
