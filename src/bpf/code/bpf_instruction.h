// Instructions of the BPF machine as values, and the functions that make them. What is
// here is the encoding of one instruction; labels, calls and maps are in program.h.
#pragma once

#include <linux/bpf.h>

#include <cstdint>

namespace kinst::bpf {

/// R0 is what a call returns, R1–R5 its arguments (lost by it), R6–R9 survive it, R10
/// is the read-only end of 512 bytes of stack.
enum class Register : std::uint8_t { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10 };

/// One instruction as the kernel takes it, but for the packing of the two registers
/// into one byte. An ld_imm64 is two of these.
/// Source: the kernel's Documentation/bpf/instruction-set.rst.
struct Instruction {
  std::uint8_t opcode = 0;
  Register destination = Register::R0;
  Register source = Register::R0;
  std::int16_t offset = 0;
  std::int32_t immediate = 0;

  bool operator==(const Instruction&) const = default;
};

/// How many bytes a load or store moves.
enum class Size : std::uint8_t {
  Byte = BPF_B,
  Half = BPF_H,
  Word = BPF_W,
  Double = BPF_DW
};

/// Arithmetic: destination = destination OP source. Division and modulo are unsigned;
/// by zero they give 0 and the dividend. Shift counts are masked to the width.
enum class Arithmetic : std::uint8_t {
  Add = BPF_ADD,
  Subtract = BPF_SUB,
  Multiply = BPF_MUL,
  Divide = BPF_DIV,
  Or = BPF_OR,
  And = BPF_AND,
  ShiftLeft = BPF_LSH,
  ShiftRight = BPF_RSH,
  Modulo = BPF_MOD,
  Xor = BPF_XOR,
  Move = BPF_MOV,
  ShiftRightSigned = BPF_ARSH,
};

/// A comparison that a jump makes: destination CONDITION source.
enum class Condition : std::uint8_t {
  Equal = BPF_JEQ,
  NotEqual = BPF_JNE,
  AnyBitSet = BPF_JSET,
  Greater = BPF_JGT,
  GreaterOrEqual = BPF_JGE,
  Less = BPF_JLT,
  LessOrEqual = BPF_JLE,
  SignedGreater = BPF_JSGT,
  SignedGreaterOrEqual = BPF_JSGE,
  SignedLess = BPF_JSLT,
  SignedLessOrEqual = BPF_JSLE,
};

/// What an atomic instruction does to memory. Those that fetch put the old value into
/// the source register (CompareExchange: into R0, which it compares with).
enum class Atomic : std::int32_t {
  Add = BPF_ADD,
  Or = BPF_OR,
  And = BPF_AND,
  Xor = BPF_XOR,
  FetchAdd = BPF_ADD | BPF_FETCH,
  Exchange = BPF_XCHG,
  CompareExchange = BPF_CMPXCHG,
};

/// The kernel's functions that a program may call, by the kernel's numbers. Those whose
/// comment names a program type are refused in the others.
enum class Helper : std::int32_t {
  MapLookup = BPF_FUNC_map_lookup_elem,
  MapUpdate = BPF_FUNC_map_update_elem,
  MapDelete = BPF_FUNC_map_delete_elem,
  KtimeGetNs = BPF_FUNC_ktime_get_ns,
  GetPrandomU32 = BPF_FUNC_get_prandom_u32,
  GetSmpProcessorId = BPF_FUNC_get_smp_processor_id,
  GetCurrentPidTgid = BPF_FUNC_get_current_pid_tgid,
  GetCurrentUidGid = BPF_FUNC_get_current_uid_gid,
  GetCurrentComm = BPF_FUNC_get_current_comm,
  GetCurrentTask = BPF_FUNC_get_current_task,
  ProbeWriteUser = BPF_FUNC_probe_write_user,  // not in every kernel: test for it
  PerfProgReadValue = BPF_FUNC_perf_prog_read_value,  // perf_event
  GetStack = BPF_FUNC_get_stack,
  SendSignal = BPF_FUNC_send_signal,
  ProbeReadUser = BPF_FUNC_probe_read_user,
  ProbeReadKernel = BPF_FUNC_probe_read_kernel,
  ProbeReadKernelStr = BPF_FUNC_probe_read_kernel_str,
  RingbufOutput = BPF_FUNC_ringbuf_output,
  RingbufReserve = BPF_FUNC_ringbuf_reserve,
  RingbufDiscard = BPF_FUNC_ringbuf_discard,
  GetCurrentTaskBtf = BPF_FUNC_get_current_task_btf,
  GetFuncIp = BPF_FUNC_get_func_ip,              // kprobe, tracing
  GetAttachCookie = BPF_FUNC_get_attach_cookie,  // kprobe, tracepoint, perf_event
  GetFuncArg = BPF_FUNC_get_func_arg,            // tracing
  GetFuncRet = BPF_FUNC_get_func_ret,
  TaskPtRegs = BPF_FUNC_task_pt_regs,
};

namespace detail {
constexpr std::uint8_t code(unsigned bits) {
  return static_cast<std::uint8_t>(bits);
}
template <typename Enumeration>
constexpr unsigned bits(Enumeration value) {
  return static_cast<unsigned>(value);
}
}  // namespace detail

/// destination = destination OP source, in 64 bits.
constexpr Instruction alu(Arithmetic operation, Register destination, Register source) {
  return {.opcode = detail::code(BPF_ALU64 | BPF_X | detail::bits(operation)),
          .destination = destination,
          .source = source};
}
/// destination = destination OP immediate; the immediate is sign-extended to 64 bits.
constexpr Instruction alu(Arithmetic operation, Register destination,
                          std::int32_t immediate) {
  return {.opcode = detail::code(BPF_ALU64 | BPF_K | detail::bits(operation)),
          .destination = destination,
          .immediate = immediate};
}
/// The same on the low 32 bits; the upper 32 of the destination become zero.
constexpr Instruction alu32(Arithmetic operation, Register destination,
                            Register source) {
  return {.opcode = detail::code(BPF_ALU | BPF_X | detail::bits(operation)),
          .destination = destination,
          .source = source};
}
constexpr Instruction alu32(Arithmetic operation, Register destination,
                            std::int32_t immediate) {
  return {.opcode = detail::code(BPF_ALU | BPF_K | detail::bits(operation)),
          .destination = destination,
          .immediate = immediate};
}

constexpr Instruction mov(Register destination, Register source) {
  return alu(Arithmetic::Move, destination, source);
}
/// The immediate is sign-extended; for wider constants: FunctionBuilder::load_constant.
constexpr Instruction mov(Register destination, std::int32_t immediate) {
  return alu(Arithmetic::Move, destination, immediate);
}
/// The low 32 bits, zero-extended.
constexpr Instruction mov32(Register destination, Register source) {
  return alu32(Arithmetic::Move, destination, source);
}
constexpr Instruction negate(Register destination) {
  return {.opcode = detail::code(BPF_ALU64 | BPF_NEG), .destination = destination};
}
/// The low `width` bits (16, 32 or 64) as big-endian, zero-extended: htons and friends.
constexpr Instruction to_big_endian(Register destination, std::int32_t width) {
  return {.opcode = detail::code(BPF_ALU | BPF_END | BPF_TO_BE),
          .destination = destination,
          .immediate = width};
}

/// destination = *(address + offset), zero-extended.
constexpr Instruction load(Size size, Register destination, Register address,
                           std::int16_t offset) {
  return {.opcode = detail::code(BPF_LDX | BPF_MEM | detail::bits(size)),
          .destination = destination,
          .source = address,
          .offset = offset};
}
/// *(address + offset) = the low bytes of source.
constexpr Instruction store(Size size, Register address, std::int16_t offset,
                            Register source) {
  return {.opcode = detail::code(BPF_STX | BPF_MEM | detail::bits(size)),
          .destination = address,
          .source = source,
          .offset = offset};
}
/// *(address + offset) = immediate, sign-extended for a Double.
constexpr Instruction store(Size size, Register address, std::int16_t offset,
                            std::int32_t immediate) {
  return {.opcode = detail::code(BPF_ST | BPF_MEM | detail::bits(size)),
          .destination = address,
          .offset = offset,
          .immediate = immediate};
}
/// Atomically on *(address + offset); size is Word or Double. Plain Add needs 4.x, the
/// others 5.12.
constexpr Instruction atomic(Size size, Atomic operation, Register address,
                             std::int16_t offset, Register source) {
  return {.opcode = detail::code(BPF_STX | BPF_ATOMIC | detail::bits(size)),
          .destination = address,
          .source = source,
          .offset = offset,
          .immediate = static_cast<std::int32_t>(operation)};
}

/// A jump to be given its offset by the linker.
constexpr Instruction jump() {
  return {.opcode = detail::code(BPF_JMP | BPF_JA)};
}
constexpr Instruction jump_if(Register left, Condition condition, Register right) {
  return {.opcode = detail::code(BPF_JMP | BPF_X | detail::bits(condition)),
          .destination = left,
          .source = right};
}
constexpr Instruction jump_if(Register left, Condition condition, std::int32_t right) {
  return {.opcode = detail::code(BPF_JMP | BPF_K | detail::bits(condition)),
          .destination = left,
          .immediate = right};
}
/// The same, comparing the low 32 bits.
constexpr Instruction jump_if32(Register left, Condition condition, Register right) {
  return {.opcode = detail::code(BPF_JMP32 | BPF_X | detail::bits(condition)),
          .destination = left,
          .source = right};
}
constexpr Instruction jump_if32(Register left, Condition condition,
                                std::int32_t right) {
  return {.opcode = detail::code(BPF_JMP32 | BPF_K | detail::bits(condition)),
          .destination = left,
          .immediate = right};
}

constexpr Instruction call(Helper helper) {
  return {.opcode = detail::code(BPF_JMP | BPF_CALL),
          .immediate = static_cast<std::int32_t>(helper)};
}
/// Returns R0 to the caller, or ends the program.
constexpr Instruction exit() {
  return {.opcode = detail::code(BPF_JMP | BPF_EXIT)};
}

}  // namespace kinst::bpf
