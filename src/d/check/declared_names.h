// The names that a D program has declared or assigned, and what they mean.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/text/near_names.h"
#include "d/check/environment.h"
#include "d/syntax/ast.h"
#include "d/typed/typed_program.h"
#include "types/type.h"

namespace kinst::d {

/// An enumerator.
struct ConstantSymbol {
  std::uint64_t value = 0;
  types::TypeId type{};
};

/// `inline int x = …;`, `inline int f[int a] = …;`.
struct InlineSymbol {
  struct Parameter {
    std::string name;  ///< may be empty
    types::TypeId type{};
  };
  const InlineDefinition* definition = nullptr;
  types::TypeId type{};
  std::vector<Parameter> parameters;
  bool is_array = false;
};

using GlobalSymbol = std::variant<typed::VariableId, ConstantSymbol, InlineSymbol>;

struct Translator {
  const TranslatorDefinition* definition = nullptr;
  types::TypeId input{};
  types::TypeId output{};
};

template <typename Value>
using NameMap = std::map<std::string, Value, std::less<>>;

/// What a name of `map` means; null if it is not there.
template <typename Value>
const Value* find(const NameMap<Value>& map, std::string_view name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second;
}

struct Names {
  NameMap<GlobalSymbol> globals;
  NameMap<typed::VariableId> thread_variables;
  /// The this-> variables of the unit that is being checked; each unit has its own.
  NameMap<typed::VariableId> clause_variables;
  NameMap<types::TypeId> typedefs;
  NameMap<types::TypeId> externs;
  std::map<std::pair<TypeNameKind, std::string>, types::TypeId> tags;
  NameMap<typed::AggregationId> aggregation_ids;
  std::vector<Translator> translators;

  /// Names, as the program writes them ("x", "self->x", "@x"), whose declarations or
  /// first assignments failed. Their uses are not reported as errors.
  std::set<std::string, std::less<>> broken;

  /// The variables, aggregations and locals of the typed::Program, indexed by their
  /// ids.
  std::vector<typed::Variable> variables;
  std::vector<typed::Aggregation> aggregations;
  std::vector<typed::Local> locals;

  [[nodiscard]] const typed::Variable& variable(typed::VariableId id) const {
    return variables.at(static_cast<std::size_t>(id));
  }
  [[nodiscard]] typed::Aggregation& aggregation(typed::AggregationId id) {
    return aggregations.at(static_cast<std::size_t>(id));
  }
  [[nodiscard]] std::optional<typed::VariableId> find_variable(
      typed::VariableScope scope, std::string_view name) const;
  typed::VariableId add_variable(typed::Variable variable);
  /// The id of a local variable, which is added if it is new.
  typed::LocalId add_local(typed::Local local);
};

/// Offers D's own names and the program's globals.
void offer_identifiers(const Names& names, NearNames& near);
}  // namespace kinst::d
