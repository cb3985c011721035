// C types as values, in one table: what D's declarations, the kernel's BTF and the
// built-in names all turn into.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace kinst::types {

/// A type of a TypeTable; meaningful only with the table that gave it.
enum class TypeId : std::uint32_t {};

struct Void {
  bool operator==(const Void&) const = default;
};

struct Integer {
  std::string name;  ///< as C spells it: "int", "unsigned long"
  std::uint32_t size_bytes = 4;
  bool is_signed = true;
  bool is_character = false;  ///< char and its signed and unsigned forms
  bool is_boolean = false;
  bool operator==(const Integer&) const = default;
};

/// D can carry floating-point values of C structures but not compute with them.
struct Float {
  std::string name;
  std::uint32_t size_bytes = 8;
  bool operator==(const Float&) const = default;
};

/// D's `string`: bytes up to a zero byte. Its size is TypeTable::set_string_size().
struct String {
  bool operator==(const String&) const = default;
};

/// Which memory a pointer's value is an address of.
enum class AddressSpace : std::uint8_t {
  Kernel,
  User,
  PerCpu,  ///< an offset into each CPU's area, `__percpu`
};

struct Pointer {
  TypeId target{};
  AddressSpace space = AddressSpace::Kernel;
  bool operator==(const Pointer&) const = default;
};

struct Array {
  TypeId element{};
  std::uint64_t count = 0;  ///< 0 for `[]`
  bool operator==(const Array&) const = default;
};

struct Member {
  std::string name;  ///< empty for an anonymous struct or union, whose members are seen
  TypeId type{};
  /// Of the member's lowest bit, on little-endian machines, from the record's start.
  std::uint64_t offset_bits = 0;
  std::uint32_t width_bits = 0;  ///< 0 unless it is a bit-field
  bool operator==(const Member&) const = default;
};

enum class RecordKind : std::uint8_t { Struct, Union };

/// A struct or union.
struct Record {
  RecordKind kind = RecordKind::Struct;
  std::string tag;  ///< empty when it has none
  std::uint64_t size_bytes = 0;
  bool is_complete = false;  ///< false for `struct foo;`
  std::vector<Member> members;
  bool operator==(const Record&) const = default;
};

struct Enumerator {
  std::string name;
  std::int64_t value = 0;
  bool operator==(const Enumerator&) const = default;
};

struct Enum {
  std::string tag;
  std::uint32_t size_bytes = 4;
  bool is_signed = true;
  std::vector<Enumerator> enumerators;
  bool operator==(const Enum&) const = default;
};

struct Typedef {
  std::string name;
  TypeId target{};
  bool operator==(const Typedef&) const = default;
};

enum class Qualifier : std::uint8_t { Const, Volatile, Restrict };

struct Qualified {
  Qualifier qualifier = Qualifier::Const;
  TypeId target{};
  bool operator==(const Qualified&) const = default;
};

struct Function {
  TypeId result{};
  std::vector<TypeId> parameters;
  bool is_variadic = false;
  bool operator==(const Function&) const = default;
};

using Type = std::variant<Void, Integer, Float, String, Pointer, Array, Record, Enum,
                          Typedef, Qualified, Function>;

/// Where a member stands within a struct or union; it can be a member of an anonymous
/// struct or union inside.
struct MemberPlace {
  TypeId type{};
  std::uint64_t offset_bits = 0;
  std::uint32_t width_bits = 0;  ///< 0 unless it is a bit-field
};

/// Owns every type of one compilation. Ids, and references that get() gave, stay valid
/// as long as the table lives.
class TypeTable {
 public:
  TypeTable();

  /// Sets the size of a `string` with its zero byte, which follows from the option
  /// strsize; until then it is 256. Programs can set that option, so it is known when
  /// they are parsed. To be called before the size of any type is asked for.
  void set_string_size(std::uint32_t bytes) { string_size_bytes_ = bytes; }

  TypeId add(Type type);
  /// Adds a struct or union whose members are not known yet. `complete` is called when
  /// the type is first asked for, and returns the whole record. `complete` may add
  /// types, but must not ask for this one.
  TypeId add_deferred(std::function<Record()> complete);
  /// Replaces an incomplete record or a placeholder by the real type.
  void replace(TypeId id, Type type);
  [[nodiscard]] const Type& get(TypeId id) const;
  /// get() behind typedefs and qualifiers.
  [[nodiscard]] const Type& resolved(TypeId id) const;
  /// The type behind typedefs and qualifiers.
  [[nodiscard]] TypeId strip(TypeId id) const;

  // The types everybody needs, made by the constructor (LP64, D's names).
  [[nodiscard]] TypeId void_type() const;
  [[nodiscard]] TypeId int_type() const;
  [[nodiscard]] TypeId int64_type() const;   ///< "int64_t"
  [[nodiscard]] TypeId uint64_type() const;  ///< "uint64_t"
  [[nodiscard]] TypeId char_type() const;
  [[nodiscard]] TypeId string_type() const;
  /// Returns the same id each time for the same arguments, as array_of() does.
  TypeId pointer_to(TypeId target, AddressSpace space = AddressSpace::Kernel);
  TypeId array_of(TypeId element, std::uint64_t count);

  /// Size in bytes; nothing for void, functions and incomplete types.
  [[nodiscard]] std::optional<std::uint64_t> size_of(TypeId id) const;
  /// In bytes, as gcc aligns it on LP64 machines; nothing where there is no size. A
  /// record whose members do not stand at their alignment is taken as packed.
  [[nodiscard]] std::optional<std::uint64_t> alignment_of(TypeId id) const;
  /// Integers and enums.
  [[nodiscard]] bool is_integer(TypeId id) const;
  /// Signed integer or enum; false for pointers.
  [[nodiscard]] bool is_signed(TypeId id) const;
  [[nodiscard]] bool is_pointer(TypeId id) const;
  [[nodiscard]] bool is_string(TypeId id) const;
  /// A value of the type is carried as its address: string, struct, union, array.
  [[nodiscard]] bool is_by_reference(TypeId id) const;
  /// A member of a struct or union by name, those of its anonymous records included;
  /// nothing for other types and for incomplete records.
  [[nodiscard]] std::optional<MemberPlace> member(TypeId record,
                                                  std::string_view name) const;
  /// The same type in C's sense: qualifiers ignored, typedefs looked through. Integers
  /// are the same by size and sign ("long" and "int64_t"), records and enums by tag, so
  /// that the kernel's and a program's own declaration of one struct agree.
  [[nodiscard]] bool is_compatible(TypeId left, TypeId right) const;
  /// As C writes it: "struct task_struct *", "char [16]", "int (*)(void)".
  [[nodiscard]] std::string name_of(TypeId id) const;

 private:
  // A deque, so that adding a type moves none.
  mutable std::deque<Type> types_;
  mutable std::unordered_map<TypeId, std::function<Record()>> deferred_;
  std::map<std::pair<TypeId, AddressSpace>, TypeId> pointers_;
  std::map<std::pair<TypeId, std::uint64_t>, TypeId> arrays_;
  std::uint32_t string_size_bytes_ = 256;
};

}  // namespace kinst::types
