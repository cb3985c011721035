// The type table: sizes, alignments and members by the rules of C on LP64
// machines.
#include "types/type.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <set>

#include "base/overloaded.h"

namespace kinst::types {
namespace {

// Where the constructor puts the types everybody needs.
constexpr TypeId void_id{0};
constexpr TypeId int_id{1};
constexpr TypeId int64_id{2};
constexpr TypeId uint64_id{3};
constexpr TypeId char_id{4};
constexpr TypeId string_id{5};

constexpr std::uint64_t pointer_size_bytes = 8;

std::size_t index_of(TypeId id) {
  return static_cast<std::size_t>(id);
}

// `alignment`, halved until it divides `place`.
std::uint64_t reduced(std::uint64_t alignment, std::uint64_t place) {
  while (alignment > 1 && place % alignment != 0) {
    alignment /= 2;
  }
  return alignment;
}

// Computes alignments. Each record is visited only once, although it can be reached in
// many ways.
class Alignments {
 public:
  explicit Alignments(const TypeTable& table) : table_(&table) {}

  std::optional<std::uint64_t> of(TypeId id) {
    id = table_->strip(id);
    const Type& type = table_->get(id);
    if (std::holds_alternative<String>(type)) {
      return 1;
    }
    if (const auto* array = std::get_if<Array>(&type)) {
      return of(array->element);
    }
    const auto* record = std::get_if<Record>(&type);
    if (record == nullptr) {
      return table_->size_of(id);
    }
    if (!record->is_complete) {
      return std::nullopt;
    }
    const auto known = records_.find(id);
    return known != records_.end() ? known->second : records_[id] = of(*record);
  }

 private:
  // BTF has no alignments. A member's alignment is reduced to what its offset admits; a
  // record has the largest alignment of its members, reduced to what its size admits.
  // That is how packed records are recognised.
  std::uint64_t of(const Record& record) {
    std::uint64_t largest = 1;
    for (const Member& member : record.members) {
      std::uint64_t own = of(member.type).value_or(1);
      if (member.width_bits == 0) {
        own = reduced(own, member.offset_bits / 8);
      }
      largest = std::max(largest, own);
    }
    return reduced(largest, record.size_bytes);
  }

  const TypeTable* table_;
  std::map<TypeId, std::uint64_t> records_;
};

std::optional<std::uint64_t> array_size(const TypeTable& table, const Array& array) {
  const auto element = table.size_of(array.element);
  if (!element ||
      (*element != 0 &&
       array.count > std::numeric_limits<std::uint64_t>::max() / *element)) {
    return std::nullopt;
  }
  return *element * array.count;
}

// Compares two types. Each pair of functions is compared only once: parameters can be
// functions in turn, and a few functions can form very many paths.
class Comparison {
 public:
  explicit Comparison(const TypeTable& table) : table_(&table) {}

  bool agree(TypeId left, TypeId right);

 private:
  bool agree(const Pointer& left, const Pointer& right) {
    return agree(left.target, right.target);
  }
  bool agree(const Array& left, const Array& right) {
    return (left.count == right.count || left.count == 0 || right.count == 0) &&
           agree(left.element, right.element);
  }
  bool agree(const Function& left, const Function& right) {
    return left.is_variadic == right.is_variadic && agree(left.result, right.result) &&
           std::ranges::equal(left.parameters, right.parameters,
                              [&](TypeId a, TypeId b) { return agree(a, b); });
  }
  static bool agree(const Integer& left, const Integer& right) {
    return left.size_bytes == right.size_bytes && left.is_signed == right.is_signed &&
           left.is_boolean == right.is_boolean;
  }
  static bool agree(const Float& left, const Float& right) {
    return left.size_bytes == right.size_bytes;
  }
  static bool agree(const Record& left, const Record& right) {
    return !left.tag.empty() && right.tag == left.tag && right.kind == left.kind;
  }
  static bool agree(const Enum& left, const Enum& right) {
    return !left.tag.empty() && right.tag == left.tag;
  }
  // void and string; stripped types are neither of the others.
  template <typename T>
  static bool agree(const T& /*left*/, const T& /*right*/) {
    return true;
  }

  const TypeTable* table_;
  // Pairs that have been compared, or are being compared. A pair that differs ends the
  // whole comparison.
  std::set<std::pair<TypeId, TypeId>> functions_;
};

bool Comparison::agree(TypeId left, TypeId right) {
  left = table_->strip(left);
  right = table_->strip(right);
  if (left == right) {
    return true;
  }
  const Type& left_type = table_->get(left);
  const Type& right_type = table_->get(right);
  if (std::holds_alternative<Function>(left_type) &&
      !functions_.emplace(left, right).second) {
    return true;
  }
  return std::visit(
      [&]<typename T>(const T& type) {
        const auto* same_kind = std::get_if<T>(&right_type);
        return same_kind != nullptr && agree(type, *same_kind);
      },
      left_type);
}

}  // namespace

TypeTable::TypeTable() {
  add(Void{});
  add(Integer{.name = "int", .size_bytes = 4, .is_signed = true});
  add(Integer{.name = "int64_t", .size_bytes = 8, .is_signed = true});
  add(Integer{.name = "uint64_t", .size_bytes = 8, .is_signed = false});
  add(Integer{
      .name = "char", .size_bytes = 1, .is_signed = true, .is_character = true});
  add(String{});
}

TypeId TypeTable::add(Type type) {
  const TypeId id{static_cast<std::uint32_t>(types_.size())};
  types_.push_back(std::move(type));
  return id;
}

TypeId TypeTable::add_deferred(std::function<Record()> complete) {
  const TypeId id = add(Record{});
  deferred_.emplace(id, std::move(complete));
  return id;
}

void TypeTable::replace(TypeId id, Type type) {
  assert(index_of(id) < types_.size());
  types_[index_of(id)] = std::move(type);
}

const Type& TypeTable::get(TypeId id) const {
  assert(index_of(id) < types_.size());
  if (const auto deferred = deferred_.find(id); deferred != deferred_.end()) {
    // Taken out of the map first, because completing a type can add others to the map.
    const auto complete = std::move(deferred->second);
    deferred_.erase(deferred);
    types_[index_of(id)] = complete();
  }
  return types_[index_of(id)];
}

const Type& TypeTable::resolved(TypeId id) const {
  return get(strip(id));
}

TypeId TypeTable::strip(TypeId id) const {
  for (;;) {
    const Type& type = get(id);
    if (const auto* alias = std::get_if<Typedef>(&type)) {
      id = alias->target;
    } else if (const auto* qualified = std::get_if<Qualified>(&type)) {
      id = qualified->target;
    } else {
      return id;
    }
  }
}

// Members, not statics, so that the table stays the only source of its ids.
// NOLINTBEGIN(readability-convert-member-functions-to-static)
TypeId TypeTable::void_type() const {
  return void_id;
}
TypeId TypeTable::int_type() const {
  return int_id;
}
TypeId TypeTable::int64_type() const {
  return int64_id;
}
TypeId TypeTable::uint64_type() const {
  return uint64_id;
}
TypeId TypeTable::char_type() const {
  return char_id;
}
TypeId TypeTable::string_type() const {
  return string_id;
}
// NOLINTEND(readability-convert-member-functions-to-static)

TypeId TypeTable::pointer_to(TypeId target, AddressSpace space) {
  const auto [place, is_new] = pointers_.try_emplace({target, space});
  if (is_new) {
    place->second = add(Pointer{.target = target, .space = space});
  }
  return place->second;
}

TypeId TypeTable::array_of(TypeId element, std::uint64_t count) {
  const auto [place, is_new] = arrays_.try_emplace({element, count});
  if (is_new) {
    place->second = add(Array{.element = element, .count = count});
  }
  return place->second;
}

std::optional<std::uint64_t> TypeTable::size_of(TypeId id) const {
  using Size = std::optional<std::uint64_t>;
  return std::visit(
      Overloaded{
          [](const Integer& type) -> Size { return type.size_bytes; },
          [](const Float& type) -> Size { return type.size_bytes; },
          [](const Enum& type) -> Size { return type.size_bytes; },
          [](const Pointer&) -> Size { return pointer_size_bytes; },
          [&](const String&) -> Size { return string_size_bytes_; },
          [&](const Array& type) -> Size { return array_size(*this, type); },
          [](const Record& type) -> Size {
            return type.is_complete ? Size(type.size_bytes) : std::nullopt;
          },
          [](const auto&) -> Size { return std::nullopt; },
      },
      resolved(id));
}

std::optional<std::uint64_t> TypeTable::alignment_of(TypeId id) const {
  return Alignments(*this).of(id);
}

bool TypeTable::is_integer(TypeId id) const {
  const Type& type = resolved(id);
  return std::holds_alternative<Integer>(type) || std::holds_alternative<Enum>(type);
}

bool TypeTable::is_signed(TypeId id) const {
  const Type& type = resolved(id);
  if (const auto* integer = std::get_if<Integer>(&type)) {
    return integer->is_signed;
  }
  const auto* enumeration = std::get_if<Enum>(&type);
  return enumeration != nullptr && enumeration->is_signed;
}

bool TypeTable::is_pointer(TypeId id) const {
  return std::holds_alternative<Pointer>(resolved(id));
}

bool TypeTable::is_string(TypeId id) const {
  return std::holds_alternative<String>(resolved(id));
}

bool TypeTable::is_by_reference(TypeId id) const {
  const Type& type = resolved(id);
  return std::holds_alternative<String>(type) || std::holds_alternative<Array>(type) ||
         std::holds_alternative<Record>(type);
}

std::optional<MemberPlace> TypeTable::member(TypeId record,
                                             std::string_view name) const {
  const auto* type = std::get_if<Record>(&resolved(record));
  if (type == nullptr || name.empty()) {
    return std::nullopt;
  }
  for (const Member& member : type->members) {
    if (member.name == name) {
      return MemberPlace{member.type, member.offset_bits, member.width_bits};
    }
    if (member.name.empty()) {
      if (auto inner = this->member(member.type, name)) {
        inner->offset_bits += member.offset_bits;
        return inner;
      }
    }
  }
  return std::nullopt;
}

bool TypeTable::is_compatible(TypeId left, TypeId right) const {
  return Comparison(*this).agree(left, right);
}

}  // namespace kinst::types
