// Where control leaves a function of a user program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "isa/isa.h"
#include "user/call_frames.h"
#include "user/object_file.h"

namespace kinst::provider {

/// Reads code of a file. address: the file's own. Gives fewer bytes than asked for
/// where the code ends.
using ReadCode = std::function<Result<std::vector<std::byte>>(std::uint64_t address,
                                                              std::uint64_t bytes)>;

/// An instruction by which a function is left.
struct CodeExit {
  std::uint64_t address = 0;  ///< the file's own
  /// Whether the function's result is known there: not at a jump to another function,
  /// which returns in its place.
  bool has_result = true;

  bool operator==(const CodeExit&) const = default;
};

struct CodeExits {
  /// In the order of the code; empty if one of them cannot be traced or told for sure.
  std::vector<CodeExit> exits;
  /// Why there are none, as a clause.
  std::string why_none;

  bool operator==(const CodeExits&) const = default;
};

/// Finds the returns of functions and their jumps to other functions. What the compiler
/// split off (NAME.cold, or code without a name in a stripped file) is the function
/// still. A jump by a register or memory leaves, too, unless it goes through a table of
/// places in the function.
/// Source of the rule: DTrace's pid provider, which probes what returns and what jumps
/// out of the symbol; it knows no split-off parts.
class ExitFinder {
 public:
  /// file and isa must outlive it. openable: a path of the file.
  ExitFinder(const user::ObjectFile& file, std::string openable, const isa::Isa& isa)
      : file_(&file), openable_(std::move(openable)), isa_(&isa) {}

  CodeExits find(const user::ElfSymbol& function, const ReadCode& read);

 private:
  class Search;

  /// Whether the return address is on top of the stack before the instruction at
  /// `address`, as the call frame information has it.
  enum class Stack : std::uint8_t { Unknown, HoldsFrame, HoldsReturnAddress };
  Stack stack_at(std::uint64_t address);

  const user::ObjectFile* file_;
  std::string openable_;
  const isa::Isa* isa_;
  std::vector<user::FrameRow> rows_;
  bool has_rows_ = false;  ///< rows_ was read
};

}  // namespace kinst::provider
