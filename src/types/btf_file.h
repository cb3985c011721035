// BTF as the kernel gives it, one file for vmlinux and one for each module: types by
// number, strings by offset, numbers by name. Nothing is converted here; see
// kernel_types.h.
//
// libbpf's reader is not used: for each look-up it compares the name with all 130,000
// types, while all look-ups of a start-up together may take a few milliseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "types/btf_format.h"

namespace kinst::types {

/// The number of a type within its file and the file's base; 0 is void.
enum class BtfId : std::uint32_t {};

/// Type numbers by name: a hash table. The file owns the names.
class BtfNameIndex {
 public:
  struct Entry {
    std::string_view name;
    BtfId id{};
    std::uint32_t position = 0;  ///< of an enumerator within its enum
  };

  explicit BtfNameIndex(std::vector<Entry> entries);
  /// All entries of that name, in the order in which they were given.
  [[nodiscard]] std::vector<Entry> find(std::string_view name) const;

 private:
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // a place in entries_, plus 1; 0 is free
};

/// One BTF file in memory. Spans and names that it gives live as long as it does.
class BtfFile {
 public:
  /// Reads the file at `path`. base: vmlinux's for a module's (split) BTF, else null;
  /// it must outlive this.
  /// Errors: the file cannot be read, or its contents are not BTF of this machine.
  static Result<std::unique_ptr<BtfFile>> open(const std::string& path,
                                               const BtfFile* base);
  /// As open(), but for BTF in memory. `bytes` must outlive the result. name: names the
  /// BTF in errors.
  static Result<std::unique_ptr<BtfFile>> parse(std::span<const std::byte> bytes,
                                                const BtfFile* base,
                                                std::string_view name);

  /// Null for void and for numbers that do not exist.
  [[nodiscard]] const btf_type* type(BtfId id) const;
  /// True when the type stands in this file, not in its base.
  [[nodiscard]] bool is_own(BtfId id) const;
  [[nodiscard]] std::string_view name_of(const btf_type& type) const;
  /// Empty for offsets that do not exist.
  [[nodiscard]] std::string_view string(std::uint32_t offset) const;
  /// The entries behind `type` in the file. `type` must be from this file, and of a
  /// kind that entries of type `Entry` follow.
  template <typename Entry>
  [[nodiscard]] static std::span<const Entry> entries(const btf_type& type) {
    // In bounds: parse() has measured every type.
    return {reinterpret_cast<const Entry*>(&type + 1), BTF_INFO_VLEN(type.info)};
  }
  /// The entry behind a type of a kind that has exactly one.
  template <typename Entry>
  [[nodiscard]] static const Entry& entry(const btf_type& type) {
    return *reinterpret_cast<const Entry*>(&type + 1);
  }

  // The look-ups search this file only, not its base. Each builds its index when it is
  // first called.

  /// Structs, unions, enums, typedefs, forward declarations and base types.
  [[nodiscard]] std::vector<BtfId> find_types(std::string_view name);
  [[nodiscard]] std::optional<BtfId> find_function(std::string_view name);
  [[nodiscard]] std::optional<BtfId> find_variable(std::string_view name);
  /// Calls `visit` with each struct, union, enum, typedef and base type that has a name
  /// and stands in this file.
  void for_each_named_type(
      const std::function<void(std::string_view, const btf_type&)>& visit) const;
  /// The names of all functions in this file.
  [[nodiscard]] std::vector<std::string_view> function_names() const;
  /// An enumerator: its enum and its position there.
  [[nodiscard]] std::optional<BtfNameIndex::Entry> find_enumerator(
      std::string_view name);
  /// The section, such as ".data..percpu", that a variable stands in; empty if none.
  [[nodiscard]] std::string_view section_of(BtfId variable) const;

 private:
  explicit BtfFile(const BtfFile* base) : base_(base) {}
  Result<void> read_header(std::string_view name);
  Result<void> measure_types(std::string_view name);
  [[nodiscard]] const btf_type& at(std::uint32_t offset) const;
  [[nodiscard]] std::vector<BtfNameIndex::Entry> enumerators() const;
  template <typename Wanted>
  [[nodiscard]] std::vector<BtfNameIndex::Entry> named_types(Wanted wanted) const;

  const BtfFile* base_;
  std::shared_ptr<const std::byte> owner_;  // of bytes_, unless they are the caller's
  std::span<const std::byte> bytes_;
  std::uint32_t first_id_ = 1;
  std::uint32_t first_string_ = 0;
  std::span<const std::byte> types_;
  std::string_view strings_;
  std::vector<std::uint32_t> offsets_;  // into types_, by number less first_id_
  std::optional<BtfNameIndex> type_index_;
  std::optional<BtfNameIndex> function_index_;
  std::optional<BtfNameIndex> variable_index_;
  std::optional<BtfNameIndex> enumerator_index_;
};

}  // namespace kinst::types
