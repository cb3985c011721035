// The kernel's and its modules' types by name, from BTF, as types of a TypeTable.
//
// Nothing is read before the first question, and a struct's members are converted only
// when the table is asked for them: `struct task_struct` alone leads to thousands of
// others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text/near_names.h"
#include "types/type.h"

namespace kinst::types {

/// The kind of type that a name is looked up as.
enum class NameKind : std::uint8_t {
  Struct,
  Union,
  Enum,
  Typedef,  ///< typedefs and base types, such as "bool" or "u64"
};

struct NamedParameter {
  std::string name;  ///< may be empty
  TypeId type{};
};

/// A kernel function's prototype.
struct Prototype {
  TypeId result{};
  std::vector<NamedParameter> parameters;
  bool is_variadic = false;
  /// Of the function in the BTF where it was found, as the kernel numbers it.
  std::uint32_t function_id = 0;
};

/// A kernel variable's type. Its address comes from kallsyms.
struct KernelVariable {
  TypeId type{};
  bool is_per_cpu = false;  ///< its address is an offset into each CPU's area
};

/// An enumeration constant.
struct KernelConstant {
  TypeId type{};  ///< its enum
  std::int64_t value = 0;
};

/// Where a struct has a member.
struct KernelMember {
  std::uint32_t offset_bytes = 0;
  std::uint32_t size_bytes = 0;

  bool operator==(const KernelMember&) const = default;
};

/// The types of the running kernel. Owns the BTF, and must live as long as `table` is
/// asked about types that it added.
///
/// module: "vmlinux", a module's name, or empty. If it is empty, a look-up searches
/// vmlinux first. It then searches every module for a struct, union or enum, but for
/// other names only the modules that earlier look-ups have named, so that an unknown
/// identifier does not make it read every module's BTF.
/// Each look-up returns nothing if the kernel does not have the name.
/// Errors of each: the kernel has no BTF, it cannot be read, or it is damaged.
class KernelTypes {
 public:
  /// table: takes the types; must outlive this. directory: where BTF files are.
  explicit KernelTypes(TypeTable& table, std::string directory = "/sys/kernel/btf");
  KernelTypes(KernelTypes&& other) noexcept;
  KernelTypes& operator=(KernelTypes&& other) noexcept;
  KernelTypes(const KernelTypes&) = delete;
  KernelTypes& operator=(const KernelTypes&) = delete;
  ~KernelTypes();

  /// Finds a complete type; if there is none, a forward declaration.
  Result<std::optional<TypeId>> find(NameKind kind, std::string_view name,
                                     std::string_view module = {});
  /// Offers the names of all types of that kind, for "did you mean": those of vmlinux
  /// and of the modules that have been read. Offers none where there is no BTF.
  void offer_names(NameKind kind, NearNames& near);
  Result<std::optional<KernelConstant>> find_enumerator(std::string_view name,
                                                        std::string_view module = {});
  Result<std::optional<Prototype>> find_function(std::string_view name,
                                                 std::string_view module = {});
  /// The member of a struct that `path`, such as "ns.inum", leads to; the whole struct
  /// if the path is empty. Nothing if the kernel has no such struct or member, or if
  /// its types cannot be read.
  std::optional<KernelMember> find_member(std::string_view structure,
                                          std::string_view path);
  /// The offset of that member, in bytes.
  std::optional<std::uint32_t> member_offset(std::string_view structure,
                                             std::string_view path);
  Result<std::optional<KernelVariable>> find_variable(std::string_view name,
                                                      std::string_view module = {});

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace kinst::types
