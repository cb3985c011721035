// Finds the instructions of a user function that are executed. Functions written in
// assembly may have tables among their instructions, and a breakpoint in a table would
// change the data that the program reads.
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
  std::string why_not;  ///< a clause; empty if it can be probed
};

/// Follows control flow through the functions of one file.
class ReachableCode {
 public:
  /// file: must outlive this. openable: a path of the file, which is read if the
  /// function alone is not enough.
  /// nops_stay: whether the kernel leaves probed nops as they are; called if there is a
  /// nop that the kernel might replace.
  ReachableCode(const user::ObjectFile& file, std::string openable, const isa::Isa& isa,
                std::function<bool()> nops_stay);

  /// The function's instructions in address order; those that may be data have a reason
  /// not to be probed. Control flow is followed from the function's first byte and from
  /// the symbols in it. If that leaves bytes over, it is also followed from the targets
  /// of other functions' jumps, of pointers in data, and of tables of distances. Code
  /// of compilers that handles exceptions counts as executed, because it is known to
  /// contain no data.
  /// text: the function's bytes. address: the address of the first byte in the process.
  std::vector<FunctionPlace> places(const user::ElfSymbol& function,
                                    std::span<const std::byte> text,
                                    std::uint64_t address);

  /// Why the symbol may not be a function; empty if it is one. A symbol without a type
  /// is a function if a jump or call of this file leads to it.
  std::string why_no_function(const user::ElfSymbol& symbol);

 private:
  class Search;

  /// The places in the code to which the file refers, each kind in address order.
  struct References {
    std::vector<std::uint64_t> jumps;  ///< the targets of jumps and calls
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
