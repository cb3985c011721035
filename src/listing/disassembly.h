// What `kinst --disas` shows: functions of the running kernel, one row an instruction,
// with the offset that names its probe, or why there can be none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "isa/isa.h"
#include "kernel/function_reader.h"
#include "kernel/symbols.h"

namespace kinst::listing {

/// One instruction.
struct Row {
  FunctionOffset offset{};
  std::string bytes;  ///< "48 8b 47 10"
  std::string text;   ///< with symbols for targets
  std::string mnemonic;
  std::vector<std::string_view> classes;  ///< as selectors name them: "call", "load"
  /// Where control goes, if that is told by the instruction: "kfree", "+0x12" within
  /// the function.
  std::string target;
  /// Why it cannot be traced; empty if it can.
  std::string refused;
  /// What the image on disk has in its place; empty if the same, or if there is no
  /// image.
  std::string on_disk;

  bool operator==(const Row&) const = default;
};

/// One function.
struct Disassembly {
  std::string module;
  std::string function;
  KernelAddress address{};
  std::uint64_t size_bytes = 0;
  /// Why nothing in it can be traced; empty if something can. Rows do not repeat it.
  std::string refused;
  std::vector<Row> rows;

  bool operator==(const Disassembly&) const = default;
};

/// A function's rows.
Disassembly disassemble(const kernel::ExaminedFunction& examined,
                        const kernel::Symbols& symbols, const kernel::ProbeRules& rules,
                        const isa::Isa& isa, isa::Syntax syntax);

/// A function as the kernel's image has it.
struct ImageOfFunction {
  std::span<const std::byte> bytes;  ///< as many as the image has
  /// By how much absolute addresses in memory are greater, which is no difference.
  std::uint64_t displacement = 0;
};

/// How instructions are written.
struct Notation {
  const isa::Isa& isa;
  isa::Syntax syntax{};
  isa::Symbolize symbolize;
};

/// Notes in the rows where the function in memory is not what its image has: the kernel
/// patches its text for the processor, for its tracer, for static keys and calls.
void note_differences(Disassembly& listing, const kernel::Function& function,
                      const ImageOfFunction& on_disk, const Notation& notation);

/// The functions that `names` mean: "vfs_read", "MODULE:FUNCTION", patterns, several
/// between commas.
/// Errors: no such function, with what may have been meant; the kernel's text cannot be
/// read.
Result<std::vector<kernel::ExaminedFunction>> examine(std::string_view names,
                                                      const kernel::Symbols& symbols,
                                                      kernel::FunctionReader& reader);

enum class Colour : std::uint8_t { No, Yes };

/// As text, for people.
std::string to_text(std::span<const Disassembly> functions, Colour colour);

/// The members of a row's JSON object, without its braces.
std::string json_members(const Row& row);

/// As one JSON object for each function, a line each.
std::string to_json(std::span<const Disassembly> functions);

}  // namespace kinst::listing
