// Types of debug information as types of the compilation's table.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "kernel/debug_information.h"
#include "types/kernel_types.h"
#include "types/type.h"

namespace kinst::session {

/// A named type that the kernel's BTF has, too, in the same size, becomes that one, so
/// that programs meet one `struct file`; others are made from debug information, and
/// their members when the table is asked for them. References what it is made from.
class DebugTypes {
 public:
  DebugTypes(types::TypeTable& table, types::KernelTypes& known)
      : table_(&table), known_(&known) {}

  /// module: where `debug` is from; it must outlive this.
  /// Returns nothing for a type that C does not have.
  std::optional<types::TypeId> convert(std::string_view module,
                                       const kernel::DebugInformation& debug,
                                       kernel::DebugTypeId id);

 private:
  struct Source {
    std::string module;
    const kernel::DebugInformation* debug = nullptr;
  };

  std::optional<types::TypeId> make(const Source& source,
                                    const kernel::DebugType& described);
  std::optional<types::TypeId> known(const Source& source,
                                     const kernel::DebugType& described);
  types::TypeId part(const Source& source, kernel::DebugTypeId id);
  types::TypeId record(const Source& source, const kernel::DebugType& described);
  types::TypeId array(const Source& source, const kernel::DebugType& described);

  types::TypeTable* table_;
  types::KernelTypes* known_;
  std::map<std::pair<const kernel::DebugInformation*, kernel::DebugTypeId>,
           types::TypeId>
      made_;
};

}  // namespace kinst::session
