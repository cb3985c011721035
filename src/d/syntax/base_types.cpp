#include "d/syntax/base_types.h"

#include <cstddef>
#include <limits>
#include <utility>

namespace kinst::d {
namespace {

using types::Float;
using types::Integer;
using types::TypeId;
using types::TypeTable;

std::size_t index(BuiltinType type) {
  return static_cast<std::size_t>(type);
}

struct IntegerRow {
  BuiltinType type;
  const char* name;
  std::uint32_t size_bytes;
  bool is_signed;
};
constexpr auto integers = std::to_array<IntegerRow>({
    {BuiltinType::SignedChar, "signed char", 1, true},
    {BuiltinType::UnsignedChar, "unsigned char", 1, false},
    {BuiltinType::Short, "short", 2, true},
    {BuiltinType::UnsignedShort, "unsigned short", 2, false},
    {BuiltinType::UnsignedInt, "unsigned int", 4, false},
    {BuiltinType::Long, "long", 8, true},
    {BuiltinType::UnsignedLong, "unsigned long", 8, false},
    {BuiltinType::LongLong, "long long", 8, true},
    {BuiltinType::UnsignedLongLong, "unsigned long long", 8, false},
});

struct FloatRow {
  BuiltinType type;
  const char* name;
  std::uint32_t size_bytes;
};
constexpr auto floats = std::to_array<FloatRow>({
    {BuiltinType::Float, "float", 4},
    {BuiltinType::Double, "double", 8},
    {BuiltinType::LongDouble, "long double", 16},
});

/// The guide's "D Integer Type Aliases", and the names that D's own variables have
/// where the kernel's are not at hand.
constexpr auto aliases = std::to_array<std::pair<const char*, BuiltinType>>({
    {"int8_t", BuiltinType::SignedChar},
    {"int16_t", BuiltinType::Short},
    {"int32_t", BuiltinType::Int},
    {"intptr_t", BuiltinType::Long},
    {"ssize_t", BuiltinType::Long},
    {"uint8_t", BuiltinType::UnsignedChar},
    {"uint16_t", BuiltinType::UnsignedShort},
    {"uint32_t", BuiltinType::UnsignedInt},
    {"uchar_t", BuiltinType::UnsignedChar},
    {"ushort_t", BuiltinType::UnsignedShort},
    {"uint_t", BuiltinType::UnsignedInt},
    {"ulong_t", BuiltinType::UnsignedLong},
    {"longlong_t", BuiltinType::LongLong},
    {"u_longlong_t", BuiltinType::UnsignedLongLong},
    {"ptrdiff_t", BuiltinType::Long},
    {"uintptr_t", BuiltinType::UnsignedLong},
    {"size_t", BuiltinType::UnsignedLong},
    {"id_t", BuiltinType::Int},
    {"pid_t", BuiltinType::Int},
    {"uid_t", BuiltinType::UnsignedInt},
    {"gid_t", BuiltinType::UnsignedInt},
    {"dev_t", BuiltinType::UnsignedInt},
    {"ipaddr_t", BuiltinType::UnsignedInt},
});

/// What illumos' and FreeBSD's kernels have and scripts take for granted. A program may
/// declare these otherwise.
constexpr auto usual_aliases = std::to_array<std::pair<const char*, BuiltinType>>({
    {"u_char", BuiltinType::UnsignedChar},
    {"u_short", BuiltinType::UnsignedShort},
    {"u_int", BuiltinType::UnsignedInt},
    {"u_long", BuiltinType::UnsignedLong},
    {"boolean_t", BuiltinType::Int},
    {"hrtime_t", BuiltinType::LongLong},
    {"major_t", BuiltinType::UnsignedInt},
    {"minor_t", BuiltinType::UnsignedInt},
});

}  // namespace

BaseTypes::BaseTypes(TypeTable& table) {
  builtin_[index(BuiltinType::Void)] = table.void_type();
  builtin_[index(BuiltinType::Char)] = table.char_type();
  builtin_[index(BuiltinType::Int)] = table.int_type();
  builtin_[index(BuiltinType::String)] = table.string_type();
  for (const IntegerRow& row : integers) {
    builtin_[index(row.type)] = table.add(Integer{.name = row.name,
                                                  .size_bytes = row.size_bytes,
                                                  .is_signed = row.is_signed,
                                                  .is_character = row.size_bytes == 1});
  }
  for (const FloatRow& row : floats) {
    builtin_[index(row.type)] =
        table.add(Float{.name = row.name, .size_bytes = row.size_bytes});
  }
  typedefs_.emplace("int64_t", table.int64_type());
  typedefs_.emplace("uint64_t", table.uint64_type());
  for (const auto& [name, type] : aliases) {
    typedefs_.emplace(name,
                      table.add(types::Typedef{.name = name, .target = of(type)}));
  }
  size_type_ = typedefs_.at("size_t");
  for (const auto& [name, type] : usual_aliases) {
    usual_.emplace(name, table.add(types::Typedef{.name = name, .target = of(type)}));
  }
  usual_.emplace("caddr_t", table.add(types::Typedef{
                                .name = "caddr_t",
                                .target = table.pointer_to(of(BuiltinType::Char))}));
}

TypeId BaseTypes::of(BuiltinType type) const {
  return builtin_.at(index(type));
}

std::optional<TypeId> BaseTypes::typedef_named(std::string_view name) const {
  const auto found = typedefs_.find(name);
  return found == typedefs_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TypeId> BaseTypes::usual_typedef(std::string_view name) const {
  const auto found = usual_.find(name);
  return found == usual_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TypeId> BaseTypes::of(const IntegerLiteral& literal) const {
  struct Candidate {
    BuiltinType type;
    std::uint64_t limit;
  };
  constexpr auto max = std::numeric_limits<std::uint64_t>::max();
  constexpr auto candidates = std::to_array<Candidate>({
      {BuiltinType::Int, max >> 33U},
      {BuiltinType::UnsignedInt, max >> 32U},
      {BuiltinType::Long, max >> 1U},
      {BuiltinType::UnsignedLong, max},
      {BuiltinType::LongLong, max >> 1U},
      {BuiltinType::UnsignedLongLong, max},
  });
  const bool one_sign_only = literal.is_decimal || literal.has_unsigned_suffix;
  const std::size_t step = one_sign_only ? 2 : 1;
  std::size_t i =
      2 * std::size_t{literal.long_suffixes} + (literal.has_unsigned_suffix ? 1 : 0);
  for (; i < candidates.size(); i += step) {
    if (literal.value <= candidates.at(i).limit) {
      return of(candidates.at(i).type);
    }
  }
  return std::nullopt;
}

}  // namespace kinst::d
