// What `kinst --disas` shows: functions of the running kernel, one row for each
// instruction, with the offset that names its probe, or the reason why it can have
// none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "base/text/json_writer.h"
#include "isa/isa.h"
#include "kernel/code/function_reader.h"
#include "kernel/symbols/symbols.h"

namespace kinst::listing {

/// One instruction.
struct Row {
  FunctionOffset offset{};
  std::string bytes;  ///< "48 8b 47 10"
  std::string text;   ///< with symbols for targets
  std::string mnemonic;
  isa::ClassSet classes;
  /// The branch target if the instruction itself tells it: "kfree", or "+0x12" within
  /// the function.
  std::string target;
  /// Why the instruction cannot be traced; empty if it can.
  std::string refused;
  /// The instruction that the kernel's image on disk has here; empty if it is the same,
  /// or if there is no image.
  std::string on_disk;

  bool operator==(const Row&) const = default;
};

/// One function.
struct Disassembly {
  std::string module;
  std::string function;
  KernelAddress address{};
  std::uint64_t size_bytes = 0;
  /// Why no instruction of the function can be traced; empty if some can. Rows do not
  /// repeat it.
  std::string refused;
  std::vector<Row> rows;

  bool operator==(const Disassembly&) const = default;
};

/// "+0x12" for a place in the function behind its beginning, empty for others.
std::string place_within(const kernel::Function& function, KernelAddress address);

/// Makes a function's rows.
Disassembly disassemble(const kernel::ExaminedFunction& examined,
                        const kernel::Symbols& symbols, const kernel::ProbeRules& rules,
                        const isa::Isa& isa, isa::Syntax syntax);

/// A function as the kernel's image has it.
struct ImageOfFunction {
  std::span<const std::byte> bytes;  ///< as many as the image has
  /// How much larger absolute addresses are in memory. This is not reported as a
  /// difference.
  std::uint64_t displacement = 0;
};

/// How instructions are written.
struct Notation {
  const isa::Isa& isa;
  isa::Syntax syntax{};
  isa::Symbolize symbolize;
};

/// Marks the rows in which the function in memory differs from its image. The kernel
/// patches its text for the processor, for its function tracer, and for static keys and
/// calls.
void note_differences(Disassembly& listing, const kernel::Function& function,
                      const ImageOfFunction& on_disk, const Notation& notation);

/// Reads the functions that `names` means: "vfs_read", "MODULE:FUNCTION", patterns, or
/// several of these between commas.
/// Errors: there is no such function (the message offers what may have been meant); the
/// kernel's text cannot be read.
Result<std::vector<kernel::ExaminedFunction>> examine(std::string_view names,
                                                      const kernel::Symbols& symbols,
                                                      kernel::FunctionReader& reader);

enum class Colour : std::uint8_t { No, Yes };

/// As text, for people.
std::string to_text(std::span<const Disassembly> functions, Colour colour);

/// Writes the members of a row's JSON object, which is begun and ended by the caller.
void write_members(JsonWriter& json, const Row& row);
/// Writes the members that name a function and say where it is.
void write_members(JsonWriter& json, const Disassembly& function);

/// As one JSON object for each function, a line each.
std::string to_json(std::span<const Disassembly> functions);

}  // namespace kinst::listing
