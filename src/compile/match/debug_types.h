// Converts types from debug information to types of the compilation's type table.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "kernel/debug/debug_information.h"
#include "types/kernel_types.h"
#include "types/type.h"

namespace kinst::compile {

/// If the kernel's BTF has a type of the same name and size, that type is used, so that
/// a program sees only one `struct file`. Other types are made from debug information;
/// their members are read when the type table asks for them. References its
/// constructor's arguments.
class DebugTypes {
 public:
  DebugTypes(types::TypeTable& table, types::KernelTypes& known)
      : table_(&table), known_(&known) {}

  /// module: the module that `debug` describes. debug: must outlive this.
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
      types_by_key_;
};

}  // namespace kinst::compile
