// The name part of a kinst description: which instructions of a function it means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "isa/instruction.h"

namespace kinst::provider {

/// Nothing, or "*": every instruction.
struct EveryInstruction {
  bool operator==(const EveryInstruction&) const = default;
};

/// "17", "0x11".
struct AtOffset {
  FunctionOffset offset{};
  bool operator==(const AtOffset&) const = default;
};

/// "1?": a pattern for the offset in decimal.
struct OffsetPattern {
  std::string pattern;
  bool operator==(const OffsetPattern&) const = default;
};

/// "call", "store", "call@kfree", "jump@*.cold".
struct OfClass {
  isa::InstructionClass instruction_class{};
  /// A pattern for the name of the direct target; empty for any target and none.
  std::string target_pattern;
  bool operator==(const OfClass&) const = default;
};

/// "=cmpxchg*": a pattern for the mnemonic.
struct OfMnemonic {
  std::string pattern;
  bool operator==(const OfMnemonic&) const = default;
};

/// "entry": the first instruction that can be traced.
struct FunctionEntry {
  bool operator==(const FunctionEntry&) const = default;
};

/// "inlined": the first instruction that can be traced in each inlined copy.
struct FunctionInlined {
  bool operator==(const FunctionInlined&) const = default;
};

/// "return": every instruction that leaves the function for good: returns, and jumps
/// to other functions.
struct FunctionReturn {
  bool operator==(const FunctionReturn&) const = default;
};

/// "@456", "@read_write.c:456": the code of a source line.
struct OfSourceLine {
  /// The last components of the file's path; empty for the function's own file.
  std::string file;
  std::uint32_t line = 0;
  bool operator==(const OfSourceLine&) const = default;
};

/// The addresses that a source line or an inlined function was resolved to. Users
/// cannot write this selector.
struct AtAddresses {
  std::vector<KernelAddress> addresses;
  bool operator==(const AtAddresses&) const = default;
};

using Selector = std::variant<EveryInstruction, AtOffset, OffsetPattern, OfClass,
                              OfMnemonic, FunctionEntry, FunctionInlined,
                              FunctionReturn, OfSourceLine, AtAddresses>;

/// Parses the name part of a description.
/// Errors: it is no selector; the message offers what it may have meant.
Result<Selector> parse_selector(std::string_view name);

}  // namespace kinst::provider
