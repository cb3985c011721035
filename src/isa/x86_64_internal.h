// What the x86-64 files share: Zydis's view of one instruction. Not for other folders.
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/isa.h"

namespace kinst::isa::x86 {

/// One instruction as Zydis decodes it.
struct Decoded {
  ZydisDecodedInstruction instruction{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> storage{};

  [[nodiscard]] std::span<const ZydisDecodedOperand> operands() const {
    return std::span(storage).first(instruction.operand_count);
  }
  [[nodiscard]] std::span<const ZydisDecodedOperand> visible() const {
    return std::span(storage).first(instruction.operand_count_visible);
  }
};

/// The instruction at the beginning of `bytes`; nothing when there is none.
std::optional<Decoded> decode_one(std::span<const std::byte> bytes);

/// The 64-bit register that holds `value`; None when regs[] has none such.
RegisterId register_id(ZydisRegister value);

std::string text(const Instruction& instruction, Syntax syntax,
                 const Symbolize& symbolize);
std::string mnemonic(const Instruction& instruction);
std::vector<Instruction> decode(std::span<const std::byte> text, KernelAddress address);
std::string_view unprobeable_reason(std::span<const Instruction> function,
                                    std::size_t index);
extern const std::array<EmulationFault, 1> emulation_faults;
std::uint32_t landing_pad_bytes(std::span<const std::byte> text);
const SystemCalls& system_calls();
FunctionPlaces function_places(const FunctionShape& function);
bool is_filler(const Instruction& instruction);
bool is_trap(const Instruction& instruction);
bool is_moved(std::span<const std::byte> live, std::span<const std::byte> disk,
              std::uint64_t distance);
std::optional<FunctionOffset> tracer_call(std::span<const std::byte> text);
bool resolve_thunk(Instruction& instruction, std::string_view target_name);
bool goes_on(const Instruction& instruction);
std::optional<std::uint64_t> address_taken(const Instruction& instruction);
void add_direct_targets(std::span<const std::byte> text, std::uint64_t address,
                        std::vector<std::uint64_t>& targets);
std::string_view why_no_uprobe(std::span<const std::byte> encoding);
bool may_become_a_call(std::span<const std::byte> encoding);
NopExperiment nop_experiment();

}  // namespace kinst::isa::x86
