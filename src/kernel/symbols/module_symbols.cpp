#include "kernel/symbols/module_symbols.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernel/memory/loaded_modules.h"
#include "kernel/memory/struct_layout.h"

namespace kinst::kernel {
namespace {

constexpr std::size_t module_name_bytes =
    64 - sizeof(unsigned long);  // MODULE_NAME_LEN
constexpr std::uint32_t most_module_symbols = 1'000'000;
constexpr std::uint64_t most_text_bytes = std::uint64_t{64} << 20U;

// struct mod_kallsyms.
struct Table {
  KernelAddress symbols{};
  KernelAddress names{};
  KernelAddress types{};
  std::uint32_t count = 0;
};

// Offsets of what is read of struct module and struct mod_kallsyms.
struct ModuleLayout {
  std::uint32_t state = 0;
  std::uint32_t name = 0;
  std::uint32_t table = 0;
  std::uint32_t symbols = 0;
  std::uint32_t count = 0;
  std::uint32_t names = 0;
  std::uint32_t types = 0;
};

Result<ModuleLayout> make_layout(const LoadedModules& modules) {
  const StructLayout& module = modules.layout;
  const StructLayout& table = modules.symbols_layout;
  const auto state = module.offset("state");
  const auto name = module.offset("name");
  const auto pointer = module.offset("kallsyms");
  const auto symbols = table.offset("symtab");
  const auto count = table.offset("num_symtab");
  const auto strings = table.offset("strtab");
  const auto types = table.offset("typetab");
  if (!state || !name || !pointer || !symbols || !count || !strings || !types) {
    return error("cannot tell where struct module has its symbols");
  }
  return ModuleLayout{.state = *state,
                      .name = *name,
                      .table = *pointer,
                      .symbols = *symbols,
                      .count = *count,
                      .names = *strings,
                      .types = *types};
}

Result<Table> read_table(const Memory& memory, KernelAddress module,
                         const ModuleLayout& layout) {
  const auto at = KINST_TRY(
      read_value<KernelAddress>(memory, module + FunctionOffset{layout.table}));
  const auto pointer = [&](std::uint32_t offset) {
    return read_value<KernelAddress>(memory, at + FunctionOffset{offset});
  };
  return Table{.symbols = KINST_TRY(pointer(layout.symbols)),
               .names = KINST_TRY(pointer(layout.names)),
               .types = KINST_TRY(pointer(layout.types)),
               .count = KINST_TRY(read_value<std::uint32_t>(
                   memory, at + FunctionOffset{layout.count}))};
}

// Up to the zero behind the last name.
Result<std::string> read_names(const Memory& memory, const Table& table,
                               const std::vector<Elf64_Sym>& symbols) {
  std::uint64_t end = 0;
  for (const Elf64_Sym& one : symbols) {
    end = std::max<std::uint64_t>(end, one.st_name);
  }
  constexpr std::uint64_t longest_name = 512;  // KSYM_NAME_LEN
  if (end > most_text_bytes) {
    return error("a module's symbol table has an unknown form");
  }
  std::string out(end + longest_name, '\0');
  // The last name ends somewhere in what may be the last page.
  std::uint64_t done = 0;
  while (done < out.size()) {
    const std::uint64_t page_bytes = 4096;
    const KernelAddress from{number(table.names) + done};
    const std::uint64_t part = std::min<std::uint64_t>(
        page_bytes - number(from) % page_bytes, out.size() - done);
    const auto got =
        memory.read(from, std::as_writable_bytes(std::span(out).subspan(done, part)));
    if (!got && done <= end) {
      return tl::unexpected(got.error());
    }
    done += part;
  }
  return out;
}

struct Texts {
  std::string_view module;
  std::string_view names;
};

void append(const std::vector<Elf64_Sym>& symbols, const std::vector<std::byte>& types,
            Texts texts, std::vector<ListedSymbol>& out) {
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const std::string_view name = texts.names.data() + symbols[i].st_name;
    // Some debugging symbols have no name, and the kernel shows none of these.
    if (!name.empty()) {
      out.push_back({.address = KernelAddress{symbols[i].st_value},
                     .name = name,
                     .module = texts.module,
                     .type = std::to_integer<char>(types[i])});
    }
  }
}

Result<void> append_module(const Memory& memory, KernelAddress module,
                           const ModuleLayout& layout,
                           std::vector<ListedSymbol>& symbols,
                           std::vector<std::unique_ptr<const std::string>>& texts) {
  constexpr std::uint32_t unformed = 3;  // MODULE_STATE_UNFORMED: without symbols yet
  if (KINST_TRY(read_value<std::uint32_t>(
          memory, module + FunctionOffset{layout.state})) == unformed) {
    return {};
  }
  const auto name = KINST_TRY((read_value<std::array<char, module_name_bytes>>(
      memory, module + FunctionOffset{layout.name})));
  const Table table = KINST_TRY(read_table(memory, module, layout));
  if (table.count > most_module_symbols) {
    return error("a module's symbol table has an unknown form");
  }
  std::vector<Elf64_Sym> entries(table.count);
  KINST_CHECK(memory.read(table.symbols, std::as_writable_bytes(std::span(entries))));
  const auto types = KINST_TRY(memory.bytes(table.types, table.count));
  texts.push_back(std::make_unique<const std::string>(
      name.data(), ::strnlen(name.data(), name.size())));
  const std::string_view module_name = *texts.back();
  texts.push_back(std::make_unique<const std::string>(
      KINST_TRY(read_names(memory, table, entries))));
  append(entries, types, {.module = module_name, .names = *texts.back()}, symbols);
  return {};
}

}  // namespace

Result<SymbolList> read_module_symbols(const Memory& memory, KernelAddress list_head) {
  const LoadedModules modules = KINST_TRY(read_loaded_modules(memory, list_head));
  if (modules.structs.empty()) {
    return SymbolList();
  }
  const ModuleLayout layout = KINST_TRY(make_layout(modules));
  std::vector<ListedSymbol> symbols;
  std::vector<std::unique_ptr<const std::string>> texts;
  for (const KernelAddress module : modules.structs) {
    KINST_CHECK(append_module(memory, module, layout, symbols, texts));
  }
  return SymbolList(std::move(symbols), std::move(texts));
}

}  // namespace kinst::kernel
