// Which x86-64 instructions kprobes cannot run in place of the traced text, and what
// the compiler's thunks stand for. The kernel runs a probed instruction either by
// emulating it or by executing a copy elsewhere with interrupts off, followed by a
// breakpoint.
#include <algorithm>
#include <cstring>

#include "isa/x86_64_internal.h"

namespace kinst::isa::x86 {
namespace {

// `call *mem` and `jmp *mem`; the kernel emulates only the forms with a register.
bool is_indirect_through_memory(const Decoded& decoded) {
  const bool call_or_jump = decoded.instruction.mnemonic == ZYDIS_MNEMONIC_CALL ||
                            decoded.instruction.mnemonic == ZYDIS_MNEMONIC_JMP;
  return call_or_jump && decoded.storage[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
}

bool loads_stack_segment(const Decoded& decoded) {
  const bool load = decoded.instruction.mnemonic == ZYDIS_MNEMONIC_MOV ||
                    decoded.instruction.mnemonic == ZYDIS_MNEMONIC_POP;
  return load && decoded.storage[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         decoded.storage[0].reg.value == ZYDIS_REGISTER_SS;
}

// `cs call`, by which compilers reach the thunks of r8 to r15: kprobe_emulate_call
// takes it for five bytes long, and the function would return into its last byte.
bool is_call_with_prefix(const Decoded& decoded) {
  constexpr std::uint8_t plain_bytes = 5;
  return decoded.instruction.mnemonic == ZYDIS_MNEMONIC_CALL &&
         decoded.storage[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
         decoded.instruction.length != plain_bytes;
}

// prepare_emulation looks at the opcode alone, which means something else behind a VEX
// or EVEX prefix: cli, sti, pushf, popf, returns, loops, jumps and calls of all kinds.
std::string_view why_no_avx(const Decoded& decoded) {
  if (decoded.instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY) {
    return {};
  }
  const unsigned opcode = decoded.instruction.opcode;
  switch (opcode) {
    case 0x1f:
    case 0x8e:
    case 0x9a:
    case 0xcc:
    case 0xcf:
    case 0xea:
      return "the kernel takes this AVX instruction for one that it does not step";
    default:
      if (opcode < 0x70 || opcode > 0x7f) {
        return {};
      }
      [[fallthrough]];
    case 0x9c:
    case 0x9d:
    case 0xc2:
    case 0xc3:
    case 0xca:
    case 0xcb:
    case 0xe0:
    case 0xe1:
    case 0xe2:
    case 0xe3:
    case 0xe8:
    case 0xe9:
    case 0xeb:
    case 0xfa:
    case 0xfb:
    case 0xff:
      return "the kernel takes this AVX instruction for a jump or the like";
  }
}

struct Unprobeable {
  ZydisMnemonic mnemonic;
  std::string_view reason;
};

constexpr std::string_view only_traps = "it does nothing but raise an exception";
constexpr std::string_view leaves_kernel =
    "the kernel cannot emulate a return from the kernel";
constexpr std::string_view virtualisation =
    "the kernel does not step virtualisation instructions";
constexpr std::string_view loops_once_more =
    "the kernel emulates it wrongly, with one iteration too many";

constexpr std::array unprobeable = {
    Unprobeable{ZYDIS_MNEMONIC_UD0, only_traps},
    Unprobeable{ZYDIS_MNEMONIC_UD1, only_traps},
    Unprobeable{ZYDIS_MNEMONIC_UD2, only_traps},
    Unprobeable{ZYDIS_MNEMONIC_INT, only_traps},
    Unprobeable{ZYDIS_MNEMONIC_INT1, only_traps},
    Unprobeable{ZYDIS_MNEMONIC_INT3, only_traps},
    Unprobeable{ZYDIS_MNEMONIC_IRET, leaves_kernel},
    Unprobeable{ZYDIS_MNEMONIC_IRETD, leaves_kernel},
    Unprobeable{ZYDIS_MNEMONIC_IRETQ, leaves_kernel},
    Unprobeable{ZYDIS_MNEMONIC_SYSRET, leaves_kernel},
    Unprobeable{ZYDIS_MNEMONIC_SYSEXIT, leaves_kernel},
    // Opcode 0f 01 with a register operand of group 0.
    Unprobeable{ZYDIS_MNEMONIC_VMCALL, virtualisation},
    Unprobeable{ZYDIS_MNEMONIC_VMLAUNCH, virtualisation},
    Unprobeable{ZYDIS_MNEMONIC_VMRESUME, virtualisation},
    Unprobeable{ZYDIS_MNEMONIC_VMXOFF, virtualisation},
    Unprobeable{ZYDIS_MNEMONIC_ENCLV, virtualisation},
    Unprobeable{ZYDIS_MNEMONIC_PCONFIG, virtualisation},
    Unprobeable{ZYDIS_MNEMONIC_HLT,
                "the kernel would execute it with interrupts off, and never wake up"},
    // Neither is executed without a trap behind it (can_boost), so setup_singlestep
    // clears the interrupt flag. The kernel's mwait after sti counts on interrupts to
    // end the wait; those forms that end by a timer (mwaitx, tpause) do not.
    Unprobeable{ZYDIS_MNEMONIC_MWAIT,
                "the kernel would execute it with interrupts off, and no interrupt "
                "would end the wait"},
    // kprobe_emulate_loop tests the counter before it counts down.
    Unprobeable{ZYDIS_MNEMONIC_LOOP, loops_once_more},
    Unprobeable{ZYDIS_MNEMONIC_LOOPE, loops_once_more},
    Unprobeable{ZYDIS_MNEMONIC_LOOPNE, loops_once_more},
    Unprobeable{ZYDIS_MNEMONIC_XBEGIN,
                "its fallback address is relative to where it is executed"},
};

// kprobe_emulate_ret pops the address of a near return and nothing else.
bool is_return_with_more(const Decoded& decoded) {
  return decoded.instruction.mnemonic == ZYDIS_MNEMONIC_RET &&
         (decoded.instruction.operand_count_visible > 0 ||
          decoded.instruction.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR);
}

// By the instruction alone.
std::string_view why_unprobeable(const Decoded& decoded) {
  if (is_indirect_through_memory(decoded)) {
    return "the kernel cannot emulate an indirect call or jump through memory";
  }
  if (is_call_with_prefix(decoded)) {
    return "the kernel emulates it wrongly, and would return into its last byte";
  }
  if (const std::string_view reason = why_no_avx(decoded); !reason.empty()) {
    return reason;
  }
  if (loads_stack_segment(decoded)) {
    return "it masks exceptions for the instruction after it";
  }
  if (is_return_with_more(decoded)) {
    return "the kernel emulates it wrongly, as a plain return";
  }
  const auto* const found = std::ranges::find(unprobeable, decoded.instruction.mnemonic,
                                              &Unprobeable::mnemonic);
  return found == unprobeable.end() ? std::string_view{} : found->reason;
}

bool is_single_byte(const Instruction& instruction, unsigned opcode) {
  return instruction.length == 1 && instruction.bytes[0] == std::byte(opcode);
}

// Whether the direction flag is set where the instruction stands, so that string
// instructions run towards lower addresses, as in a few hand-written routines between
// `std` and `cld`. Functions are called with the flag clear and return with it clear
// (System V ABI, AMD64 supplement, 3.2.1), so nothing before a call matters.
bool runs_strings_backwards(std::span<const Instruction> function, std::size_t index) {
  constexpr unsigned clear_direction = 0xfc;
  constexpr unsigned set_direction = 0xfd;
  while (index != 0) {
    const Instruction& before = function[--index];
    if (is_single_byte(before, set_direction)) {
      return true;
    }
    if (is_single_byte(before, clear_direction) ||
        before.is(InstructionClass::Return) || before.is(InstructionClass::Call)) {
      return false;
    }
  }
  return false;
}

constexpr std::array<std::string_view, 16> general_registers = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};

// "rdi" for "__x86_indirect_thunk_rdi" and its kin: …_indirect_call_thunk_…,
// …_indirect_jump_thunk_…, …_indirect_its_thunk_…; empty for other names.
std::string_view thunk_register(std::string_view symbol) {
  constexpr std::string_view begin = "__x86_indirect_";
  constexpr std::string_view middle = "thunk_";
  const std::size_t at = symbol.find(middle);
  if (!symbol.starts_with(begin) || at == std::string_view::npos) {
    return {};
  }
  const std::string_view name = symbol.substr(at + middle.size());
  return std::ranges::find(general_registers, name) == general_registers.end()
             ? std::string_view{}
             : name;
}

}  // namespace

// arch/x86/kernel/kprobes/core.c: is_exception_insn, __copy_instruction and
// prepare_emulation, the same in 6.1 and 6.12 but for is_exception_insn, which 6.1
// lacks. Beyond what the kernel refuses stands what it accepts and then runs wrongly.
// The direction flag is left as it is by the code that an optimized probe jumps to:
// opt.c there.
std::string_view unprobeable_reason(std::span<const Instruction> function,
                                    std::size_t index) {
  if (runs_strings_backwards(function, index)) {
    return "string instructions run backwards here, and those of the kernel would, "
           "too, while it handles the probe";
  }
  const std::optional<Decoded> decoded = decode_one(function[index].encoding());
  return decoded ? why_unprobeable(*decoded) : std::string_view{};
}

bool is_trap(const Instruction& instruction) {
  const std::optional<Decoded> decoded = decode_one(instruction.encoding());
  if (!decoded) {
    return false;
  }
  switch (decoded->instruction.mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_INT:
    case ZYDIS_MNEMONIC_INT1:
    case ZYDIS_MNEMONIC_INT3:
    case ZYDIS_MNEMONIC_HLT:
      return true;
    default:
      return false;
  }
}

// arch/x86/include/asm/ibt.h: endbr64 or endbr32, and the nops (of forms that compilers
// do not emit) by which the kernel seals it when no indirect branch leads there. Newer
// kernels take nopl -0x2a(%rax), of which the last byte traps.
std::uint32_t landing_pad_bytes(std::span<const std::byte> text) {
  constexpr std::size_t length = 4;
  constexpr std::array<std::array<unsigned char, length>, 4> pads = {
      {{0xf3, 0x0f, 0x1e, 0xfa},
       {0xf3, 0x0f, 0x1e, 0xfb},
       {0x66, 0x0f, 0x1f, 0x00},
       {0x0f, 0x1f, 0x40, 0xd6}}};
  const bool is_pad =
      text.size() >= length && std::ranges::any_of(pads, [&](const auto& pad) {
        return std::memcmp(text.data(), pad.data(), length) == 0;
      });
  return is_pad ? length : 0;
}

bool is_filler(const Instruction& instruction) {
  if (instruction.decoding == Decoding::Breakpoint) {
    return true;
  }
  // Zeros are an instruction of two bytes; the last may be cut off.
  if (std::ranges::all_of(instruction.encoding(),
                          [](std::byte one) { return one == std::byte{0}; })) {
    return true;
  }
  const std::optional<Decoded> decoded = decode_one(instruction.encoding());
  return decoded && decoded->instruction.mnemonic == ZYDIS_MNEMONIC_NOP;
}

// gcc -mfentry and scripts/sorttable.c: the call is the first instruction, behind the
// landing pad. arch/x86/kernel/ftrace.c switches between it and the five-byte nop, or
// a jump of the same length (CONFIG_DYNAMIC_FTRACE_WITH_JMP).
std::optional<FunctionOffset> tracer_call(std::span<const std::byte> text) {
  constexpr std::byte call_opcode{0xe8};
  constexpr std::byte jump_opcode{0xe9};
  const std::uint32_t pad = landing_pad_bytes(text);
  const std::span<const std::byte> nop = x86_64().tracer_nop;
  if (text.size() < pad + nop.size()) {
    return std::nullopt;
  }
  const std::span<const std::byte> first = text.subspan(pad, nop.size());
  if (first[0] == call_opcode || first[0] == jump_opcode ||
      std::ranges::equal(first, nop)) {
    return FunctionOffset{pad};
  }
  return std::nullopt;
}

// arch/x86/lib/retpoline.S and arch/x86/include/asm/nospec-branch.h.
bool resolve_thunk(Instruction& instruction, std::string_view target_name) {
  if (instruction.branch.target != TargetKind::Direct) {
    return false;
  }
  if (const std::string_view name = thunk_register(target_name); !name.empty()) {
    const Isa& isa = x86_64();
    const auto found = std::ranges::find(isa.registers, name, &Register::name);
    instruction.branch.target = TargetKind::Register;
    instruction.branch.address = {};
    instruction.branch.target_register =
        static_cast<RegisterId>(found - isa.registers.begin());
    return true;
  }
  const bool returns =
      target_name == "__x86_return_thunk" || target_name.ends_with("_return_thunk");
  if (returns && instruction.is(InstructionClass::Jump)) {
    instruction.classes = {};
    instruction.classes.add(InstructionClass::Return);
    instruction.branch = {.target = TargetKind::Memory};
    instruction.memory = {MemoryOperand{.base = x86_64().stack_pointer,
                                        .size_bytes = 8,
                                        .read = true,
                                        .implicit_stack = true}};
    return true;
  }
  return false;
}

}  // namespace kinst::isa::x86
