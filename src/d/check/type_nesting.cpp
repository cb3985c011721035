#include "d/check/type_nesting.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "base/overloaded.h"

namespace kinst::d {
namespace {

using types::TypeId;

constexpr std::uint32_t most_nesting = 256;

// Looks into each type once, however many ways lead to it, and no deeper than
// it must.
class Nesting {
 public:
  explicit Nesting(const types::TypeTable& table) : table_(&table) {}

  std::uint32_t of(TypeId type, std::uint32_t above = 0) {
    type = table_->strip(type);
    if (above > most_nesting) {
      return 1;
    }
    if (const auto known = known_.find(type); known != known_.end()) {
      return known->second;
    }
    const auto below = [&](TypeId inner) { return of(inner, above + 1); };
    const std::uint32_t nesting = std::visit(
        Overloaded{[&](const types::Pointer& pointer) {
                     const bool is_to_record = std::holds_alternative<types::Record>(
                         table_->resolved(pointer.target));
                     return is_to_record ? 1U : 1U + below(pointer.target);
                   },
                   [&](const types::Array& array) { return 1U + below(array.element); },
                   [&](const types::Record& record) {
                     std::uint32_t deepest = 0;
                     for (const types::Member& member : record.members) {
                       deepest = std::max(deepest, below(member.type));
                     }
                     return 1U + deepest;
                   },
                   [&](const types::Function& function) {
                     std::uint32_t deepest = below(function.result);
                     for (const TypeId parameter : function.parameters) {
                       deepest = std::max(deepest, below(parameter));
                     }
                     return 1U + deepest;
                   },
                   [](const auto&) { return 0U; }},
        table_->get(type));
    known_[type] = nesting;
    return nesting;
  }

 private:
  const types::TypeTable* table_;
  std::map<TypeId, std::uint32_t> known_;
};

}  // namespace

bool is_nested_too_deeply(const types::TypeTable& table, TypeId type) {
  return Nesting(table).of(type) > most_nesting;
}

}  // namespace kinst::d
