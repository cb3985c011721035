// The kernel executes a copy of the probed instruction elsewhere, with the flag set
// that makes the processor trap behind it, and then puts the instruction pointer right.
// What is refused here is what the kernel refuses itself, which would cost time to find
// out, and what it accepts although the program can tell the difference.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "isa/x86_64_internal.h"

#if defined(__x86_64__)
extern "C" std::uint64_t kinst_keep_over_nop(std::uint64_t number);
extern "C" const char kinst_experimental_nop;

asm(".text\n"
    ".globl kinst_keep_over_nop, kinst_experimental_nop\n"
    ".type kinst_keep_over_nop, @function\n"
    "kinst_keep_over_nop:\n"
    "  mov %rdi, -8(%rsp)\n"
    "kinst_experimental_nop:\n"
    "  .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
    "  mov -8(%rsp), %rax\n"
    "  ret\n"
    ".size kinst_keep_over_nop, . - kinst_keep_over_nop\n");
#endif

namespace kinst::isa::x86 {
namespace {

constexpr std::string_view refused = "the kernel cannot step over it";
constexpr std::string_view mistaken =
    "the kernel takes this AVX instruction for a jump and would break the program";
constexpr std::string_view goes_astray =
    "the program would go on behind the kernel's copy of the instruction";
constexpr std::string_view shows_stepping =
    "it would show the program the flag by which the kernel steps over it";
constexpr std::string_view taken_for_nop = "the kernel takes it for a nop";
constexpr std::string_view wrong_return =
    "the kernel would write a wrong return address";
constexpr std::string_view unknown_form =
    "the kernel does not know where this instruction ends";

enum class Map : std::uint8_t { OneByte, TwoBytes, Avx };

// What decides how the kernel treats an instruction.
struct Encoding {
  Map map = Map::OneByte;
  std::uint8_t rex = 0;      ///< 0: none
  std::uint8_t avx_map = 0;  ///< of a VEX prefix of 3 bytes; else 0
  bool has_operand_size = false;
  std::uint8_t opcode = 0;
  std::uint8_t operands = 0;  ///< the byte behind the opcode: ModRM, where it has one

  [[nodiscard]] bool is_between(unsigned first, unsigned last) const {
    return opcode >= first && opcode <= last;
  }
  // ModRM's fields.
  [[nodiscard]] unsigned extension() const { return operands >> 3U & 7U; }
  [[nodiscard]] bool names_memory() const { return operands < 0xc0; }
};

// Lock and the segments that programs of 64 bits have no use for: is_prefix_bad().
bool is_refused_prefix(std::uint8_t byte) {
  return byte == 0xf0 || byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e;
}

bool is_other_prefix(std::uint8_t byte) {
  return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x64 ||
         byte == 0x65;
}

// How many bytes of a VEX or EVEX prefix stand before the opcode; 0: there is none.
std::size_t avx_prefix_bytes(std::uint8_t first) {
  switch (first) {
    case 0xc5:
      return 2;
    case 0xc4:
      return 3;
    case 0x62:
      return 4;
    default:
      return 0;
  }
}

// From the first byte behind the prefixes of `encoding` on.
Encoding read_opcode(std::span<const std::byte> bytes, Encoding encoding) {
  const auto at = [&](std::size_t index) {
    return index < bytes.size() ? std::to_integer<std::uint8_t>(bytes[index])
                                : std::uint8_t{0};
  };
  std::size_t index = 0;
  if (const std::size_t avx = avx_prefix_bytes(at(0)); avx != 0) {
    encoding.map = Map::Avx;
    encoding.avx_map = at(0) == 0xc4 ? at(1) & 0x1fU : 0;
    index = avx;
  } else {
    if ((at(0) & 0xf0U) == 0x40) {
      encoding.rex = at(0);
      index = 1;
    }
    if (at(index) == 0x0f) {
      encoding.map = Map::TwoBytes;
      ++index;
    }
  }
  encoding.opcode = at(index);
  encoding.operands = at(index + 1);
  return encoding;
}

// A bit for each opcode of one byte that is refused, a row for each upper digit. The
// kernel looks opcodes of AVX instructions up here, too: good_insns_64.
constexpr std::array<std::uint16_t, 16> refused_opcodes = {
    0x40c0,  // 06 07 0e
    0xc0c0,  // 16 17 1e 1f
    0x8080,  // 27 2f
    0x8080,  // 37 3f
    0x0000, 0x0000,
    0xf007,  // 60 61 62 6c 6d 6e 6f
    0x0000,
    0x0004,  // 82
    0x0400,  // 9a
    0x0000, 0x0000,
    0xf000,  // cc cd ce cf
    0x0070,  // d4 d5 d6
    0xf4f0,  // e4 e5 e6 e7 ea ec ed ee ef
    0x0c12,  // f1 f4 fa fb
};

bool is_refused_opcode(const Encoding& it) {
  return (refused_opcodes.at(it.opcode >> 4U) >> (it.opcode & 0xfU) & 1U) != 0;
}

// Jumps on conditions, nop, jumps and calls, which are emulated; returns and popf,
// behind which the instruction pointer or the flags are not put right.
bool is_taken_for_control_flow(const Encoding& it) {
  switch (it.opcode) {
    case 0x90:
    case 0x9a:
    case 0x9d:
    case 0xc2:
    case 0xc3:
    case 0xca:
    case 0xcb:
    case 0xcf:
    case 0xe8:
    case 0xe9:
    case 0xea:
    case 0xeb:
    case 0xff:
      return true;
    default:
      return it.is_between(0x70, 0x7f);
  }
}

bool is_move_to_stack_segment(const Encoding& it) {
  return it.opcode == 0x8e && it.extension() == 2;
}

// A rule for opcodes of a map.
struct Rule {
  Map map;
  bool (*holds)(const Encoding& it);
  std::string_view why;
};

// The first that holds decides. Functions named are those of arch/x86/kernel/uprobes.c,
// unless a file is given.
constexpr std::array rules = {
    // FMA4, which only some of AMD's processors have.
    Rule{Map::Avx,
         [](const Encoding& it) {
           return it.avx_map == 3 &&
                  (it.is_between(0x5c, 0x5f) || it.is_between(0x68, 0x6f) ||
                   it.is_between(0x78, 0x7f));
         },
         unknown_form},
    Rule{Map::Avx, is_taken_for_control_flow, mistaken},
    Rule{Map::Avx, is_refused_opcode, refused},
    Rule{Map::OneByte, is_refused_opcode, refused},
    // mov to %ss holds traps back: insn_masking_exception(), which takes a vpmaskmovd
    // of
    // the same register number for one.
    Rule{Map::OneByte, is_move_to_stack_segment, refused},
    Rule{Map::Avx, is_move_to_stack_segment, refused},
    // Jumps and calls by 16 bits: branch_setup_xol_ops().
    Rule{Map::OneByte,
         [](const Encoding& it) {
           return it.has_operand_size &&
                  (it.is_between(0x70, 0x7f) || it.is_between(0xe8, 0xeb));
         },
         refused},
    Rule{Map::TwoBytes,
         [](const Encoding& it) {
           return it.has_operand_size && it.is_between(0x80, 0x8f);
         },
         refused},
    // pushf: the trap flag is set while the copy runs, and nobody mends what is pushed.
    Rule{Map::OneByte, [](const Encoding& it) { return it.opcode == 0x9c; },
         shows_stepping},
    // xchg of %r8 with %rax: branch_setup_xol_ops() looks at 0x90, not at REX.B.
    Rule{Map::OneByte,
         [](const Encoding& it) { return it.opcode == 0x90 && (it.rex & 1U) != 0; },
         taken_for_nop},
    // A call by a far pointer: default_post_xol_op() writes 8 bytes over the 4 of the
    // return address and the 4 of the code segment.
    Rule{Map::OneByte,
         [](const Encoding& it) { return it.opcode == 0xff && it.extension() == 3; },
         wrong_return},
    // xbegin: the trap aborts the transaction, to an address relative to the copy.
    Rule{Map::OneByte,
         [](const Encoding& it) { return it.opcode == 0xc7 && it.operands == 0xf8; },
         goes_astray},
    // XOP: the kernel's decoder takes it for a pop of 2 bytes.
    Rule{Map::OneByte,
         [](const Encoding& it) { return it.opcode == 0x8f && it.extension() != 0; },
         unknown_form},
    // syscall, sysenter and their returns. The trap flag is off in the kernel, and back
    // on in the program: the trap comes behind the instruction that follows the copy.
    Rule{Map::TwoBytes,
         [](const Encoding& it) {
           return it.opcode == 0x05 || it.opcode == 0x07 || it.opcode == 0x34 ||
                  it.opcode == 0x35;
         },
         goes_astray},
    // sldt, str: where the processor forbids them, the kernel emulates them without a
    // trap behind. arch/x86/kernel/umip.c, fixup_umip_exception().
    Rule{Map::TwoBytes,
         [](const Encoding& it) { return it.opcode == 0x00 && it.extension() <= 1; },
         goes_astray},
    // sgdt, sidt, smsw: the same; enclu and uiret jump.
    Rule{Map::TwoBytes,
         [](const Encoding& it) {
           return it.opcode == 0x01 &&
                  ((it.names_memory() && it.extension() <= 1) || it.extension() == 4 ||
                   it.operands == 0xd7 || it.operands == 0xec);
         },
         goes_astray},
    // AMD's 3DNow!, whose opcode stands behind the operands.
    Rule{Map::TwoBytes, [](const Encoding& it) { return it.opcode == 0x0f; },
         unknown_form},
};

// The instruction behind its prefixes; nothing if one of them is refused.
std::optional<Encoding> read(std::span<const std::byte> encoding) {
  Encoding found;
  std::size_t at = 0;
  for (; at < encoding.size(); ++at) {
    const auto byte = std::to_integer<std::uint8_t>(encoding[at]);
    if (is_refused_prefix(byte)) {
      return std::nullopt;
    }
    if (!is_other_prefix(byte)) {
      break;
    }
    found.has_operand_size = found.has_operand_size || byte == 0x66;
  }
  return read_opcode(encoding.subspan(at), found);
}

}  // namespace

std::string_view why_no_uprobe(std::span<const std::byte> encoding) {
  const std::optional<Encoding> it = read(encoding);
  if (!it) {
    return refused;
  }
  const auto rule = std::ranges::find_if(
      rules, [&](const Rule& one) { return one.map == it->map && one.holds(*it); });
  return rule == rules.end() ? std::string_view() : rule->why;
}

bool may_become_a_call(std::span<const std::byte> encoding) {
  constexpr std::size_t call_bytes = 5;
  const std::optional<Encoding> it = read(encoding);
  return it && encoding.size() == call_bytes &&
         ((it->map == Map::OneByte && it->opcode == 0x90) ||
          (it->map == Map::TwoBytes && it->opcode == 0x1f));
}

NopExperiment nop_experiment() {
#if defined(__x86_64__)
  return {.nop = std::bit_cast<std::uint64_t>(&kinst_experimental_nop),
          .keep = kinst_keep_over_nop};
#else
  return {};
#endif
}

}  // namespace kinst::isa::x86
