#include "provider/kernel/function_arguments.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "base/overloaded.h"

namespace kinst::provider {
namespace {

using types::TypeId;
using types::TypeTable;

constexpr std::uint64_t word_bytes = 8;
constexpr const char* in_vector_register =
    "it is in a vector register, which probes do not save";
constexpr const char* unknown_convention =
    "where functions of this machine have their parameters is not known";

// Takes a value apart into its scalars.
class Scalars {
 public:
  explicit Scalars(const TypeTable& types) : types_(&types) {}

  void add(TypeId type, std::uint64_t offset_bits) {
    std::visit(Overloaded{[&](const types::Record& record) {
                            for (const types::Member& member : record.members) {
                              add(member, offset_bits);
                            }
                          },
                          [&](const types::Array& array) {
                            const std::uint64_t element_bits =
                                8 * types_->size_of(array.element).value_or(0);
                            for (std::uint64_t i = 0; i < array.count; ++i) {
                              add(array.element, offset_bits + i * element_bits);
                            }
                          },
                          [&](const auto& /*scalar*/) { put(type, offset_bits); }},
               types_->resolved(type));
  }

  [[nodiscard]] std::vector<isa::Scalar> take() && { return std::move(scalars_); }

 private:
  void add(const types::Member& member, std::uint64_t offset_bits) {
    if (member.width_bits == 0) {
      add(member.type, offset_bits + member.offset_bits);
    } else {
      scalars_.push_back({.offset_bits = offset_bits + member.offset_bits,
                          .width_bits = member.width_bits});
    }
  }

  void put(TypeId type, std::uint64_t offset_bits) {
    const std::uint64_t size_bytes = types_->size_of(type).value_or(0);
    if (size_bytes == 0) {
      return;
    }
    const bool is_float = std::holds_alternative<types::Float>(types_->resolved(type));
    scalars_.push_back({.offset_bits = offset_bits,
                        .width_bits = 8 * size_bytes,
                        .scalar_class = !is_float ? isa::ScalarClass::Integer
                                        : size_bytes > word_bytes
                                            ? isa::ScalarClass::LongDouble
                                            : isa::ScalarClass::Float,
                        .is_unaligned = offset_bits % (8 * size_bytes) != 0});
  }

  const TypeTable* types_;
  std::vector<isa::Scalar> scalars_;
};

isa::ValueShape shape_of(TypeId type, const TypeTable& types) {
  isa::ValueShape shape{.size_bytes = types.size_of(type).value_or(0),
                        .alignment_bytes = types.alignment_of(type).value_or(1),
                        .scalars = {}};
  if (shape.size_bytes <= isa::largest_taken_apart) {
    Scalars scalars(types);
    scalars.add(type, 0);
    shape.scalars = std::move(scalars).take();
    // Of some records BTF has no members. The kernel has pointers and integers in them.
    if (shape.scalars.empty() && shape.size_bytes != 0) {
      shape.scalars.push_back({.width_bits = 8 * shape.size_bytes});
    }
  }
  return shape;
}

}  // namespace

isa::FunctionShape shape_of(const types::Prototype& prototype, const TypeTable& types) {
  isa::FunctionShape shape;
  for (const types::NamedParameter& parameter : prototype.parameters) {
    shape.parameters.push_back(shape_of(parameter.type, types));
  }
  if (!std::holds_alternative<types::Void>(types.resolved(prototype.result))) {
    shape.result = shape_of(prototype.result, types);
  }
  return shape;
}

std::vector<ProbeArgument> entry_arguments(const types::Prototype& prototype) {
  std::vector<ProbeArgument> arguments;
  for (const types::NamedParameter& parameter : prototype.parameters) {
    arguments.push_back({.name = parameter.name, .type = parameter.type});
  }
  return arguments;
}

std::vector<ArgumentPlace> entry_places(const types::Prototype& prototype,
                                        const TypeTable& types, const isa::Isa& isa) {
  std::vector<ArgumentPlace> places;
  if (isa.function_places == nullptr) {
    places.resize(prototype.parameters.size(),
                  {.words = {}, .why_unreadable = unknown_convention});
    return places;
  }
  for (isa::ParameterPlace& one :
       isa.function_places(shape_of(prototype, types)).parameters) {
    places.push_back({.words = std::move(one.words),
                      .why_unreadable = one.is_readable ? "" : in_vector_register});
  }
  return places;
}

bool are_in_order(const std::vector<ArgumentPlace>& places) {
  std::uint32_t next = 0;
  return std::ranges::all_of(places, [&](const ArgumentPlace& place) {
    return place.why_unreadable.empty() &&
           std::ranges::all_of(place.words,
                               [&](std::uint32_t word) { return word == next++; });
  });
}

}  // namespace kinst::provider
