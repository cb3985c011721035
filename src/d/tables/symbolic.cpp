// The rows of stack(), sym() and their relatives.
#include "d/tables/symbolic.h"

#include <algorithm>
#include <array>

namespace kinst::d {
namespace {

constexpr auto symbolics = std::to_array<SymbolicInfo>({
    {SymbolicKind::Stack, "stack", "void([uint32_t])"},
    {SymbolicKind::UserStack, "ustack", "void([uint32_t], [uint32_t])"},
    {SymbolicKind::UserStack, "jstack", "void([uint32_t], [uint32_t])", true},
    {SymbolicKind::Symbol, "sym", "void(uintptr_t)"},
    {SymbolicKind::Function, "func", "void(uintptr_t)"},
    {SymbolicKind::Module, "mod", "void(uintptr_t)"},
    {SymbolicKind::UserAddress, "uaddr", "void(uintptr_t)"},
    {SymbolicKind::UserSymbol, "usym", "void(uintptr_t)"},
    {SymbolicKind::UserFunction, "ufunc", "void(uintptr_t)"},
    {SymbolicKind::UserModule, "umod", "void(uintptr_t)"},
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
