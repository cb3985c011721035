// The functions whose value the consumer turns into text: stacks and symbols. In D they
// stand where actions stand, as arguments of actions and as aggregation keys.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "d/tables/need.h"
#include "record/meaning.h"

namespace kinst::d {

enum class SymbolicKind : std::uint8_t {
  Stack,
  UserStack,
  Symbol,
  Function,
  Module,
  UserAddress,
  UserSymbol,
  UserFunction,
  UserModule,
};

struct SymbolicInfo {
  SymbolicKind kind{};
  std::string_view name;
  /// As SubroutineInfo::prototype. The result is the value of a stack or symbol; its
  /// type is that of the typed::Expression.
  std::string_view prototype;
  record::Meaning meaning = record::Meaning::Value;
  Needs needs;
  bool is_jstack = false;  ///< defaults from the options jstackframes and jstackstrsize
};

std::optional<SymbolicInfo> find_symbolic(std::string_view name);
/// The row of `kind`; for UserStack that of ustack.
const SymbolicInfo& symbolic_info(SymbolicKind kind);
std::span<const SymbolicInfo> all_symbolics();
constexpr bool is_stack(SymbolicKind kind) {
  return kind == SymbolicKind::Stack || kind == SymbolicKind::UserStack;
}

}  // namespace kinst::d
