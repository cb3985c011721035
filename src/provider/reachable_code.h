// Which bytes of a function are executed. Functions written in assembly have tables
// among their instructions, and a breakpoint in a table changes what the program reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "isa/isa.h"
#include "user/exception_handlers.h"
#include "user/object_file.h"

namespace kinst::provider {

/// An instruction of a function, and why no probe may be put at it.
struct FunctionPlace {
  isa::Instruction instruction;
  std::string why_not;  ///< a clause; empty if it may be probed
};

/// Follows control flow through the functions of one file.
class ReachableCode {
 public:
  /// file: outlives it. openable: a path of the file, read when the function alone does
  /// not tell. nops_stay: whether the kernel leaves nops as they are when they are
  /// probed; asked when there is one that it might replace.
  ReachableCode(const user::ObjectFile& file, std::string openable, const isa::Isa& isa,
                std::function<bool()> nops_stay);

  /// The function's instructions in address order. Control flow is followed from its
  /// beginning and from the symbols within it; where that leaves something over, also
  /// from what jumps of other functions, pointers in data and tables of distances lead
  /// to. Code of compilers that handles exceptions counts as executed: it is known to
  /// have no data. What is left over has a reason.
  /// text: the function's bytes; address: of the first, in the process.
  std::vector<FunctionPlace> places(const user::ElfSymbol& function,
                                    std::span<const std::byte> text,
                                    std::uint64_t address);

  /// Why the symbol may be no function; empty if it is one: a symbol without a type is,
  /// if a jump or a call of this file leads there.
  std::string why_no_function(const user::ElfSymbol& symbol);

 private:
  class Search;

  /// Places in code that something in the file leads to, each kind in address order.
  struct References {
    std::vector<std::uint64_t> jumps;  ///< and calls
    std::vector<std::uint64_t> pointers;
  };
  const References& references();
  const std::vector<user::CodeRange>& compiled();
  [[nodiscard]] bool is_code(std::uint64_t address) const;
  [[nodiscard]] std::vector<std::byte> read(std::uint64_t address,
                                            std::uint64_t bytes) const;

  const user::ObjectFile* file_;
  std::string openable_;
  const isa::Isa* isa_;
  std::function<bool()> nops_stay_;
  std::optional<References> references_;
  std::optional<std::vector<user::CodeRange>> compiled_;
};

}  // namespace kinst::provider
