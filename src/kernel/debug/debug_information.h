// Debug information about the kernel's text: source lines, copies of inlined functions,
// locations of variables. Read from DWARF on demand.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "isa/isa.h"
#include "kernel/debug/debug_type.h"
#include "kernel/memory/address_range.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

struct DwflHandle;

/// The code from `address` up to the next row's address comes from this line.
struct LineRow {
  KernelAddress address{};
  std::string file;  ///< as the compiler was given it, or absolute
  std::uint32_t line = 0;
  /// Debuggers stop here for the line: its variables have the values before it.
  bool begins_statement = false;

  bool operator==(const LineRow&) const = default;
};

/// One place where a function was inlined.
struct InlinedCopy {
  KernelAddress entry{};
  std::vector<AddressRange> ranges;

  bool operator==(const InlinedCopy&) const = default;
};

/// Where the code of a source line is, in all of the debug information.
struct FoundLine {
  std::vector<KernelAddress> addresses;  ///< of rows of that line, ascending
  bool has_file = false;                 ///< whether some code is from such a file
  std::optional<std::uint32_t> below;    ///< the nearest lines with code there
  std::optional<std::uint32_t> above;
};

/// Where a variable is at one instruction, before that executes.
struct VariableLocation {
  enum class Kind : std::uint8_t {
    Unavailable,  ///< optimized out there, or cannot be computed from the registers
    Register,     ///< in `base`
    Memory,       ///< at the address `base` + `offset`
    Value,        ///< it has no place, but its value is `base` + `offset`
  };
  Kind kind = Kind::Unavailable;
  isa::RegisterId base = isa::RegisterId::None;  ///< None counts as 0
  std::int64_t offset = 0;

  auto operator<=>(const VariableLocation&) const = default;
};

/// A parameter or local variable that is in scope.
struct LocalVariable {
  std::string name;
  std::string type;  ///< as C spells it: "struct file *"; empty if C has no name for it
  std::uint64_t size_bytes = 0;
  DebugTypeId type_id = DebugTypeId::Void;
  VariableLocation location;

  bool operator==(const LocalVariable&) const = default;
};

/// The debug information of the kernel image or of one module, at the addresses where
/// that runs.
class DebugInformation {
 public:
  /// Looks where other tools look: /usr/lib/debug, /lib/modules/RELEASE, build-id
  /// directories, debuginfod servers if the environment names some. Accepts only a file
  /// of the running build.
  /// module: "vmlinux" or a module's name.
  /// Errors: no file was found; the error says where it was looked for.
  static Result<std::unique_ptr<DebugInformation>> open(std::string_view module,
                                                        const Symbols& symbols,
                                                        const isa::Isa& isa);
  /// Of a file whose first loaded byte is at `address`; nothing is compared.
  static Result<std::unique_ptr<DebugInformation>> open_file(const std::string& path,
                                                             KernelAddress address,
                                                             const isa::Isa& isa);

  DebugInformation(const DebugInformation&) = delete;
  DebugInformation& operator=(const DebugInformation&) = delete;
  DebugInformation(DebugInformation&&) = delete;
  DebugInformation& operator=(DebugInformation&&) = delete;
  ~DebugInformation();

  /// The rows of the line table within the range, in address order; the first may have
  /// begun before it. Of rows at one address the last is the innermost inlined one's.
  [[nodiscard]] std::vector<LineRow> lines(AddressRange range) const;

  /// All copies of the inlined function of that name, in address order. Reads all of
  /// the debug information, which takes seconds for a kernel image.
  [[nodiscard]] std::vector<InlinedCopy> inlined_copies(std::string_view name) const;

  /// Where the code of line `line` is, in all source files for whose path `is_meant`
  /// returns true. Reads all line tables, which takes seconds for a kernel image.
  [[nodiscard]] FoundLine find_line(
      const std::function<bool(std::string_view path)>& is_meant,
      std::uint32_t line) const;

  /// Copies of the function that begins at `address` within the unit that it was
  /// compiled in.
  struct NearCopies {
    std::size_t count = 0;
    /// The function is from a header, so other units may have copies as well.
    bool may_be_more = false;
  };
  [[nodiscard]] NearCopies copies_beside(KernelAddress address,
                                         std::string_view name) const;

  /// The variables in scope at `address`, those of the functions that the code was
  /// inlined into included. Of several variables of one name, the innermost.
  [[nodiscard]] std::vector<LocalVariable> variables(KernelAddress address) const;

  /// A type that a variable or another type named.
  [[nodiscard]] DebugType type(DebugTypeId id) const;

 private:
  explicit DebugInformation(std::unique_ptr<DwflHandle> handle);

  std::unique_ptr<DwflHandle> handle_;
};

/// Whole components of a path at its end: "read_write.c" and "fs/read_write.c" are ends
/// of "/build/fs/read_write.c", "write.c" is not.
bool is_end_of_path(std::string_view end, std::string_view path);

/// The row that covers `address`; null if none does.
const LineRow* line_at(std::span<const LineRow> rows, KernelAddress address);

}  // namespace kinst::kernel
