// Answers what D programs ask about this kernel.
#pragma once

#include "d/check/environment.h"
#include "isa/isa.h"
#include "kernel/symbols/lazy_symbols.h"
#include "types/kernel_types.h"

namespace kinst::compile {

/// References its constructor's arguments, which must outlive it. Without BTF it has no
/// kernel types, and with hidden symbols it has no kernel symbols; programs that use
/// none still compile.
class KernelEnvironment final : public d::Environment {
 public:
  KernelEnvironment(types::TypeTable& table, types::KernelTypes& types,
                    kernel::LazySymbols& symbols, const isa::Isa& isa)
      : table_(&table), types_(&types), symbols_(&symbols), isa_(&isa) {}

  std::optional<types::TypeId> kernel_type(std::string_view object,
                                           d::TypeNameKind kind,
                                           std::string_view name) override;
  std::optional<d::KernelSymbolInfo> kernel_symbol(std::string_view object,
                                                   std::string_view name) override;
  void offer_types(d::TypeNameKind kind, NearNames& near) override;
  std::string why_no_types() override;
  std::string why_no_symbols() override;
  void offer_symbols(std::string_view object, NearNames& near) override;
  std::optional<EnumeratorInfo> kernel_enumerator(std::string_view name) override;
  std::optional<std::uint32_t> register_index(std::string_view name) override;
  [[nodiscard]] std::vector<std::string> register_names() const override;
  [[nodiscard]] std::string argument_register(std::uint64_t number) const override;
  [[nodiscard]] std::string result_register() const override;
  [[nodiscard]] std::uint32_t register_count() const override;

 private:
  types::TypeTable* table_;
  types::KernelTypes* types_;
  kernel::LazySymbols* symbols_;
  const isa::Isa* isa_;
};

}  // namespace kinst::compile
