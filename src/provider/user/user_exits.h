// Finds the instructions that leave a function of a user program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "isa/isa.h"
#include "unwind/call_frames.h"
#include "user/object_file.h"

namespace kinst::provider {

/// Reads code of a file. address: as the file's symbols have it. Returns fewer bytes if
/// the code ends before.
using ReadCode = std::function<Result<std::vector<std::byte>>(std::uint64_t address,
                                                              std::uint64_t bytes)>;

/// An instruction that leaves a function.
struct CodeExit {
  std::uint64_t address = 0;  ///< the file's own
  /// Whether the function's result is known at this instruction. It is not at a jump to
  /// another function, which returns instead.
  bool has_result = true;

  bool operator==(const CodeExit&) const = default;
};

struct CodeExits {
  /// The exits in the order of the code. Empty if one of them cannot be traced, or if
  /// it is not certain that all are found.
  std::vector<CodeExit> exits;
  /// Why there are no exits, as a clause.
  std::string why_none;

  bool operator==(const CodeExits&) const = default;
};

/// Finds a function's returns and its jumps to other functions. Parts that the compiler
/// split off (NAME.cold, or code without a symbol in a stripped file) belong to the
/// function. A jump through a register or memory leaves the function, unless it goes
/// through a table of places in the function.
/// Source of the rule: DTrace's pid provider, which probes returns and jumps out of the
/// symbol, and knows no split-off parts.
class ExitFinder {
 public:
  /// file, isa: must outlive it. openable: a path of the file.
  ExitFinder(const user::ObjectFile& file, std::string openable, const isa::Isa& isa)
      : file_(&file), openable_(std::move(openable)), isa_(&isa) {}

  CodeExits find(const user::ElfSymbol& function, const ReadCode& read);

 private:
  class Search;

  /// The stack before the instruction at `address`, by the call frame information:
  /// whether it is as the function's call has left it.
  enum class Stack : std::uint8_t { Unknown, HoldsFrame, IsAsCalled };
  Stack stack_at(std::uint64_t address);

  const user::ObjectFile* file_;
  std::string openable_;
  const isa::Isa* isa_;
  std::vector<user::FrameRow> rows_;
  bool has_rows_ = false;  ///< rows_ was read
};

}  // namespace kinst::provider
