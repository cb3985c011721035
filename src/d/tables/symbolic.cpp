// The rows of stack(), sym() and their relatives.
#include "d/tables/symbolic.h"

#include <algorithm>
#include <array>

namespace kinst::d {
namespace {

using record::Meaning;

constexpr auto symbolics = std::to_array<SymbolicInfo>({
    {SymbolicKind::Stack,
     "stack",
     "void([uint32_t])",
     Meaning::Stack,
     {Need::Registers}},
    {SymbolicKind::UserStack,
     "ustack",
     "void([uint32_t], [uint32_t])",
     Meaning::UserStack,
     {Need::UserStack}},
    {SymbolicKind::UserStack,
     "jstack",
     "void([uint32_t], [uint32_t])",
     Meaning::UserStack,
     {Need::UserStack},
     true},
    {SymbolicKind::Symbol, "sym", "void(uintptr_t)", Meaning::Symbol},
    {SymbolicKind::Function, "func", "void(uintptr_t)", Meaning::Function},
    {SymbolicKind::Module, "mod", "void(uintptr_t)", Meaning::Module},
    {SymbolicKind::UserAddress, "uaddr", "void(uintptr_t)", Meaning::UserAddress},
    {SymbolicKind::UserSymbol, "usym", "void(uintptr_t)", Meaning::UserSymbol},
    {SymbolicKind::UserFunction, "ufunc", "void(uintptr_t)", Meaning::UserFunction},
    {SymbolicKind::UserModule, "umod", "void(uintptr_t)", Meaning::UserModule},
});

}  // namespace

std::optional<SymbolicInfo> find_symbolic(std::string_view name) {
  const auto* const found = std::ranges::find(symbolics, name, &SymbolicInfo::name);
  return found == symbolics.end() ? std::nullopt : std::optional(*found);
}

const SymbolicInfo& symbolic_info(SymbolicKind kind) {
  return *std::ranges::find(symbolics, kind, &SymbolicInfo::kind);
}

std::span<const SymbolicInfo> all_symbolics() {
  return symbolics;
}

}  // namespace kinst::d
