// BPF as text, in the notation of the kernel's verifier log, so that a dump and a
// rejection can be read side by side.
#include <fmt/core.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/overloaded.h"
#include "bpf/code/program.h"

namespace kinst::bpf {
namespace {

unsigned number(Register which) {
  return static_cast<unsigned>(which);
}

std::string_view size_name(std::uint8_t opcode) {
  switch (BPF_SIZE(opcode)) {
    case BPF_B:
      return "u8";
    case BPF_H:
      return "u16";
    case BPF_W:
      return "u32";
    default:
      return "u64";
  }
}

/// "(r1 +8)", as in "*(u64 *)(r1 +8)".
std::string memory(std::uint8_t opcode, Register address, std::int16_t offset) {
  return fmt::format("*({} *)(r{} {:+})", size_name(opcode), number(address), offset);
}

std::string_view arithmetic_sign(std::uint8_t opcode) {
  constexpr std::array<std::string_view, 13> signs = {
      "+=", "-=", "*=", "/=", "|=", "&=", "<<=", ">>=", "neg", "%=", "^=", "=", "s>>="};
  const std::size_t index = BPF_OP(opcode) >> 4U;
  return index < signs.size() ? signs.at(index) : "?=";
}

std::string_view condition_sign(std::uint8_t opcode) {
  constexpr std::array<std::string_view, 14> signs = {
      "goto", "==",   ">",    ">=", "&",  "!=", "s>",
      "s>=",  "call", "exit", "<",  "<=", "s<", "s<="};
  const std::size_t index = BPF_OP(opcode) >> 4U;
  return index < signs.size() ? signs.at(index) : "?";
}

/// A register of the width that the instruction works on: r for 64 bits, w for 32.
std::string operand(char width, Register which) {
  return fmt::format("{}{}", width, number(which));
}

std::string disassemble_arithmetic(const Instruction& instruction) {
  const char width = BPF_CLASS(instruction.opcode) == BPF_ALU64 ? 'r' : 'w';
  const std::string target = operand(width, instruction.destination);
  if (BPF_OP(instruction.opcode) == BPF_NEG) {
    return fmt::format("{} = -{}", target, target);
  }
  if (BPF_OP(instruction.opcode) == BPF_END) {
    const bool big = BPF_SRC(instruction.opcode) == BPF_TO_BE;
    return fmt::format("r{0} = {1}{2} r{0}", number(instruction.destination),
                       big ? "be" : "le", instruction.immediate);
  }
  const std::string source = BPF_SRC(instruction.opcode) == BPF_X
                                 ? operand(width, instruction.source)
                                 : fmt::format("{}", instruction.immediate);
  return fmt::format("{} {} {}", target, arithmetic_sign(instruction.opcode), source);
}

std::string disassemble_atomic(const Instruction& instruction) {
  const std::string place =
      memory(instruction.opcode, instruction.destination, instruction.offset);
  const unsigned source = number(instruction.source);
  switch (static_cast<Atomic>(instruction.immediate)) {
    case Atomic::Exchange:
      return fmt::format("r{} = atomic_xchg({}, r{})", source, place, source);
    case Atomic::CompareExchange:
      return fmt::format("r0 = atomic_cmpxchg({}, r0, r{})", place, source);
    default:
      break;
  }
  const bool fetches = (instruction.immediate & BPF_FETCH) != 0;
  const auto operation = static_cast<std::uint8_t>(instruction.immediate & 0xf0);
  if (fetches) {
    return fmt::format("r{} = atomic_fetch {} {} r{}", source, place,
                       arithmetic_sign(operation), source);
  }
  return fmt::format("lock {} {} r{}", place, arithmetic_sign(operation), source);
}

/// "if r1 == 5 goto WHERE".
std::string disassemble_jump(const Instruction& jump, const std::string& where) {
  if (BPF_OP(jump.opcode) == BPF_JA) {
    return fmt::format("goto {}", where);
  }
  const char width = BPF_CLASS(jump.opcode) == BPF_JMP ? 'r' : 'w';
  const std::string right = BPF_SRC(jump.opcode) == BPF_X
                                ? operand(width, jump.source)
                                : fmt::format("{}", jump.immediate);
  return fmt::format("if {} {} {} goto {}", operand(width, jump.destination),
                     condition_sign(jump.opcode), right, where);
}

std::string disassemble_control(const Instruction& instruction) {
  if (BPF_OP(instruction.opcode) == BPF_EXIT) {
    return "exit";
  }
  if (BPF_OP(instruction.opcode) == BPF_CALL) {
    return instruction.source == Register{BPF_PSEUDO_CALL}
               ? fmt::format("call pc{:+}", instruction.immediate)
               : fmt::format("call helper#{}", instruction.immediate);
  }
  return disassemble_jump(instruction, fmt::format("pc{:+}", instruction.offset));
}

std::string item_text(const Item& item, const std::vector<MapSpecification>& maps) {
  const auto map_name = [&maps](MapId map) {
    return maps.at(static_cast<std::size_t>(map)).name;
  };
  const auto label_name = [](Label label) {
    return fmt::format("L{}", static_cast<unsigned>(label));
  };
  return std::visit(
      Overloaded{
          [](const Instruction& instruction) { return disassemble(instruction); },
          [&](const LabelDefinition& definition) {
            return label_name(definition.label) + ":";
          },
          [&](const JumpToLabel& jump) {
            return disassemble_jump(jump.jump, label_name(jump.target));
          },
          [](const CallFunction& call) { return fmt::format("call {}", call.name); },
          [&](const LoadMap& load) {
            return fmt::format("r{} = map {}", number(load.destination),
                               map_name(load.map));
          },
          [&](const LoadMapValue& load) {
            return fmt::format("r{} = map {} value +{}", number(load.destination),
                               map_name(load.map), load.offset);
          },
          [](const LoadConstant& load) {
            return fmt::format("r{} = {:#x} ll", number(load.destination), load.value);
          },
          [](const Comment& comment) { return "; " + comment.text; },
      },
      item);
}

}  // namespace

std::string disassemble(const Instruction& instruction) {
  switch (BPF_CLASS(instruction.opcode)) {
    case BPF_ALU:
    case BPF_ALU64:
      return disassemble_arithmetic(instruction);
    case BPF_JMP:
    case BPF_JMP32:
      return disassemble_control(instruction);
    case BPF_LDX:
      return fmt::format(
          "r{} = {}", number(instruction.destination),
          memory(instruction.opcode, instruction.source, instruction.offset));
    case BPF_ST:
      return fmt::format(
          "{} = {}",
          memory(instruction.opcode, instruction.destination, instruction.offset),
          instruction.immediate);
    case BPF_STX:
      if (BPF_MODE(instruction.opcode) == BPF_ATOMIC) {
        return disassemble_atomic(instruction);
      }
      return fmt::format(
          "{} = r{}",
          memory(instruction.opcode, instruction.destination, instruction.offset),
          number(instruction.source));
    default:
      return fmt::format("r{} = {} ll", number(instruction.destination),
                         instruction.immediate);
  }
}

std::string dump(const Program& program, const std::vector<MapSpecification>& maps) {
  std::string text;
  for (const Function& function : program.functions) {
    text += fmt::format("{}.{}:\n", program.name, function.name);
    for (const Item& item : function.items) {
      const bool is_label = std::holds_alternative<LabelDefinition>(item);
      text += fmt::format("{}{}\n", is_label ? "  " : "    ", item_text(item, maps));
    }
  }
  return text;
}

}  // namespace kinst::bpf
