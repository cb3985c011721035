// Instructions as assembly text. Zydis formats; what is changed on the way is what
// kernel developers are used to from objdump: je for jz, operand-size suffixes in AT&T
// where no register tells the size, `*` before indirect targets, symbols for addresses.
#include <fmt/format.h>

#include <algorithm>

#include "isa/x86_64_internal.h"

namespace kinst::isa::x86 {
namespace {

struct Renamed {
  std::string_view from;
  std::string_view to;
};

// The condition part of jcc, setcc and cmovcc, where Zydis and objdump differ.
constexpr std::array<Renamed, 6> conditions = {
    {{"nbe", "a"}, {"nb", "ae"}, {"nz", "ne"}, {"z", "e"}, {"nle", "g"}, {"nl", "ge"}}};

// What AT&T syntax calls by another name than Intel's manual.
constexpr std::array<Renamed, 13> att_names = {{{"cbw", "cbtw"},
                                                {"cwde", "cwtl"},
                                                {"cdqe", "cltq"},
                                                {"cwd", "cwtd"},
                                                {"cdq", "cltd"},
                                                {"cqo", "cqto"},
                                                {"movsd", "movsl"},
                                                {"stosd", "stosl"},
                                                {"lodsd", "lodsl"},
                                                {"cmpsd", "cmpsl"},
                                                {"scasd", "scasl"},
                                                {"insd", "insl"},
                                                {"outsd", "outsl"}}};

std::string canonical_mnemonic(const ZydisDecodedInstruction& instruction) {
  std::string name = ZydisMnemonicGetString(instruction.mnemonic);
  for (const std::string_view stem : {"j", "set", "cmov"}) {
    if (!name.starts_with(stem)) {
      continue;
    }
    const std::string_view rest = std::string_view(name).substr(stem.size());
    const auto* const found = std::ranges::find(conditions, rest, &Renamed::from);
    if (found != conditions.end()) {
      return fmt::format("{}{}", stem, found->to);
    }
  }
  return name;
}

char size_letter(unsigned bits) {
  switch (bits) {
    case 8:
      return 'b';
    case 16:
      return 'w';
    case 32:
      return 'l';
    case 64:
      return 'q';
    default:
      return '\0';
  }
}

// movzx and movsx name both sizes: movzbl, movslq.
std::string extending_move(const Decoded& decoded, std::string_view stem) {
  std::string out(stem);
  out += size_letter(decoded.storage[1].size);
  out += size_letter(decoded.storage[0].size);
  return out;
}

// 'l' for `incl (%rdi)`; '\0' where a register operand already tells the size.
char operand_size_suffix(const Decoded& decoded) {
  const ZydisDecodedOperand* memory = nullptr;
  for (const ZydisDecodedOperand& operand : decoded.visible()) {
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) {
      memory = &operand;
    } else if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER &&
               decoded.instruction.meta.category != ZYDIS_CATEGORY_SHIFT &&
               decoded.instruction.meta.category != ZYDIS_CATEGORY_ROTATE &&
               decoded.instruction.mnemonic != ZYDIS_MNEMONIC_NOP) {
      return '\0';
    }
  }
  switch (decoded.instruction.meta.category) {
    case ZYDIS_CATEGORY_BINARY:
    case ZYDIS_CATEGORY_BITBYTE:
    case ZYDIS_CATEGORY_DATAXFER:
    case ZYDIS_CATEGORY_LOGICAL:
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_POP:
    case ZYDIS_CATEGORY_PUSH:
    case ZYDIS_CATEGORY_ROTATE:
    case ZYDIS_CATEGORY_SHIFT:
    case ZYDIS_CATEGORY_WIDENOP:
      return memory == nullptr ? '\0' : size_letter(memory->size);
    default:
      return '\0';
  }
}

std::string att_mnemonic(const Decoded& decoded) {
  switch (decoded.instruction.mnemonic) {
    case ZYDIS_MNEMONIC_MOVZX:
      return extending_move(decoded, "movz");
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
      return extending_move(decoded, "movs");
    default:
      break;
  }
  std::string name = canonical_mnemonic(decoded.instruction);
  if (decoded.instruction.operand_count_visible == 0) {
    const auto* const found = std::ranges::find(att_names, name, &Renamed::from);
    return found == att_names.end() ? name : std::string(found->to);
  }
  if (name.starts_with("set")) {
    return name;
  }
  if (const char suffix = operand_size_suffix(decoded); suffix != '\0') {
    name += suffix;
  }
  return name;
}

// What the hooks below need to know of the instruction under way.
struct Formatting {
  const Decoded& decoded;
  const Symbolize& symbolize;
  Syntax syntax = Syntax::Att;
};

const Formatting& formatting(const ZydisFormatterContext* context) {
  return *static_cast<const Formatting*>(context->user_data);
}

ZyanStatus append(ZydisFormatterBuffer* buffer, ZydisTokenType token,
                  const std::string& what) {
  ZYAN_CHECK(ZydisFormatterBufferAppend(buffer, token));
  ZyanString* string = nullptr;
  ZYAN_CHECK(ZydisFormatterBufferGetString(buffer, &string));
  ZyanStringView view;
  ZYAN_CHECK(ZyanStringViewInsideBufferEx(&view, what.data(), what.size()));
  return ZyanStringAppend(string, &view);
}

ZyanStatus print_mnemonic(const ZydisFormatter* /*formatter*/,
                          ZydisFormatterBuffer* buffer,
                          ZydisFormatterContext* context) {
  const Formatting& now = formatting(context);
  return append(buffer, ZYDIS_TOKEN_MNEMONIC,
                now.syntax == Syntax::Att
                    ? att_mnemonic(now.decoded)
                    : canonical_mnemonic(now.decoded.instruction));
}

// Absolute addresses: branch targets, and rip-relative memory, where AT&T's
// `symbol(%rip)` is how one would write it for the assembler.
ZyanStatus print_address(const ZydisFormatter* /*formatter*/,
                         ZydisFormatterBuffer* buffer, ZydisFormatterContext* context) {
  const Formatting& now = formatting(context);
  ZyanU64 address = 0;
  ZYAN_CHECK(ZydisCalcAbsoluteAddress(context->instruction, context->operand,
                                      context->runtime_address, &address));
  std::string name = now.symbolize ? now.symbolize(KernelAddress{address}) : "";
  if (name.empty()) {
    name = fmt::format("{:#x}", address);
  }
  if (context->operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
      context->operand->mem.base == ZYDIS_REGISTER_RIP) {
    name = now.syntax == Syntax::Att ? name + "(%rip)" : "rip+" + name;
  }
  return append(buffer, ZYDIS_TOKEN_ADDRESS_ABS, name);
}

// Runs before each operand: the star of indirect targets; and the register operand of a
// long nop, which only encodes its length, is left out.
ZyanStatus before_operand(const ZydisFormatter* /*formatter*/,
                          ZydisFormatterBuffer* buffer,
                          ZydisFormatterContext* context) {
  const Formatting& now = formatting(context);
  const ZydisMnemonic mnemonic = context->instruction->mnemonic;
  if (mnemonic == ZYDIS_MNEMONIC_NOP &&
      context->operand->type == ZYDIS_OPERAND_TYPE_REGISTER) {
    return ZYDIS_STATUS_SKIP_TOKEN;
  }
  const bool target = mnemonic == ZYDIS_MNEMONIC_CALL || mnemonic == ZYDIS_MNEMONIC_JMP;
  if (now.syntax == Syntax::Att && target &&
      context->operand->type != ZYDIS_OPERAND_TYPE_IMMEDIATE) {
    return append(buffer, ZYDIS_TOKEN_DELIMITER, "*");
  }
  return ZYAN_STATUS_SUCCESS;
}

template <typename Hook>
void set_hook(ZydisFormatter& formatter, ZydisFormatterFunction which, Hook hook) {
  ZydisFormatterFunc function = hook;
  const void* swapped = reinterpret_cast<const void*>(function);
  ZydisFormatterSetHook(&formatter, which, &swapped);
}

ZydisFormatter make_formatter(ZydisFormatterStyle style) {
  ZydisFormatter out;
  ZydisFormatterInit(&out, style);
  ZydisFormatterSetProperty(&out, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
  // As objdump: $0x8080808080808080, not $-0x7f7f7f7f7f7f7f80.
  ZydisFormatterSetProperty(&out, ZYDIS_FORMATTER_PROP_IMM_SIGNEDNESS,
                            ZYDIS_SIGNEDNESS_UNSIGNED);
  for (const ZydisFormatterProperty padding :
       {ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_FORMATTER_PROP_IMM_PADDING}) {
    ZydisFormatterSetProperty(&out, padding, ZYDIS_PADDING_DISABLED);
  }
  set_hook(out, ZYDIS_FORMATTER_FUNC_PRINT_MNEMONIC, print_mnemonic);
  set_hook(out, ZYDIS_FORMATTER_FUNC_PRINT_ADDRESS_ABS, print_address);
  set_hook(out, ZYDIS_FORMATTER_FUNC_PRE_OPERAND, before_operand);
  return out;
}

// "%rax, (%rdi)" as objdump spaces it.
std::string without_blank_after_comma(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == ',' && i + 1 < text.size() && text[i + 1] == ' ') {
      ++i;
    }
  }
  return out;
}

std::string undecodable(const Instruction& instruction) {
  return fmt::format(".byte {:#04x}", static_cast<unsigned>(instruction.bytes[0]));
}

}  // namespace

std::string text(const Instruction& instruction, Syntax syntax,
                 const Symbolize& symbolize) {
  static const ZydisFormatter att = make_formatter(ZYDIS_FORMATTER_STYLE_ATT);
  static const ZydisFormatter intel = make_formatter(ZYDIS_FORMATTER_STYLE_INTEL);
  const std::optional<Decoded> decoded = decode_one(instruction.encoding());
  if (!decoded) {
    return undecodable(instruction);
  }
  Formatting now{.decoded = *decoded, .symbolize = symbolize, .syntax = syntax};
  std::array<char, 512> buffer{};
  const ZyanStatus status = ZydisFormatterFormatInstruction(
      syntax == Syntax::Att ? &att : &intel, &decoded->instruction,
      decoded->storage.data(), decoded->instruction.operand_count_visible,
      buffer.data(), buffer.size(), number(instruction.address), &now);
  if (!ZYAN_SUCCESS(status)) {
    return undecodable(instruction);
  }
  return without_blank_after_comma(buffer.data());
}

std::string mnemonic(const Instruction& instruction) {
  const std::optional<Decoded> decoded = decode_one(instruction.encoding());
  return decoded ? canonical_mnemonic(decoded->instruction) : "(bad)";
}

}  // namespace kinst::isa::x86
