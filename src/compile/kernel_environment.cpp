// Names to BTF, kallsyms and the machine's registers.
#include "compile/kernel_environment.h"

#include <algorithm>
#include <utility>

#include "kernel/symbols/module_name.h"

namespace kinst::compile {
namespace {

types::NameKind kind_of(d::TypeNameKind kind) {
  switch (kind) {
    case d::TypeNameKind::Struct:
      return types::NameKind::Struct;
    case d::TypeNameKind::Union:
      return types::NameKind::Union;
    case d::TypeNameKind::Enum:
      return types::NameKind::Enum;
    case d::TypeNameKind::Typedef:
      return types::NameKind::Typedef;
  }
  return types::NameKind::Typedef;
}

// D's name of a register: "R_RAX".
std::string name_of(const isa::Isa& isa, isa::RegisterId id) {
  const auto found = std::ranges::find(isa.register_names, id, &isa::RegisterName::id);
  return found == isa.register_names.end() ? std::string() : std::string(found->name);
}

}  // namespace

std::optional<types::TypeId> KernelEnvironment::kernel_type(std::string_view object,
                                                            d::TypeNameKind kind,
                                                            std::string_view name) {
  const auto found = types_->find(kind_of(kind), name, kernel::own_module_name(object));
  return found ? *found : std::nullopt;
}

std::optional<d::KernelSymbolInfo> KernelEnvironment::kernel_symbol(
    std::string_view object, std::string_view name) {
  const auto& symbols = symbols_->get();
  if (!symbols) {
    return std::nullopt;
  }
  const auto symbol = symbols->find(kernel::own_module_name(object), name);
  if (!symbol) {
    return std::nullopt;
  }
  d::KernelSymbolInfo info{.object = symbol->module,
                           .address = number(symbol->address),
                           .type = {},
                           .size_bytes = symbol->size_bytes};
  if (symbol->is_function()) {
    auto prototype = types_->find_function(name, symbol->module);
    if (prototype && *prototype) {
      types::Function function{.result = (*prototype)->result,
                               .parameters = {},
                               .is_variadic = (*prototype)->is_variadic};
      for (const types::NamedParameter& parameter : (*prototype)->parameters) {
        function.parameters.push_back(parameter.type);
      }
      info.type = table_->add(std::move(function));
    }
  } else if (auto variable = types_->find_variable(name, symbol->module);
             variable && *variable) {
    info.type = (*variable)->type;
  }
  return info;
}

void KernelEnvironment::offer_types(d::TypeNameKind kind, NearNames& near) {
  types_->offer_names(kind_of(kind), near);
}

std::string KernelEnvironment::why_no_types() {
  const auto task = types_->find(types::NameKind::Struct, "task_struct");
  return task ? std::string() : task.error().message;
}

std::string KernelEnvironment::why_no_symbols() {
  const auto& symbols = symbols_->get();
  return symbols ? std::string() : symbols.error().message;
}

void KernelEnvironment::offer_symbols(std::string_view object, NearNames& near) {
  const auto& symbols = symbols_->get();
  if (!symbols) {
    return;
  }
  symbols->for_each(kernel::own_module_name(object),
                    [&](const kernel::Symbol& symbol) { near.offer(symbol.name); });
}

std::optional<d::Environment::EnumeratorInfo> KernelEnvironment::kernel_enumerator(
    std::string_view name) {
  const auto found = types_->find_enumerator(name);
  if (!found || !*found) {
    return std::nullopt;
  }
  return EnumeratorInfo{.value = (*found)->value, .type = (*found)->type};
}

std::optional<std::uint32_t> KernelEnvironment::register_index(std::string_view name) {
  const auto id = isa::find_register(*isa_, name);
  if (!id) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*id);
}

std::vector<std::string> KernelEnvironment::register_names() const {
  std::vector<std::string> names;
  for (const isa::RegisterName& one : isa_->register_names) {
    names.emplace_back(one.name);
  }
  return names;
}

std::string KernelEnvironment::argument_register(std::uint64_t number) const {
  return number < isa_->argument_registers.size()
             ? name_of(*isa_, isa_->argument_registers[number])
             : std::string();
}

std::string KernelEnvironment::result_register() const {
  return name_of(*isa_, isa_->return_register);
}

std::uint32_t KernelEnvironment::register_count() const {
  return static_cast<std::uint32_t>(isa_->registers.size());
}

}  // namespace kinst::compile
