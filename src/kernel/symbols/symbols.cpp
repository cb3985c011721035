// The kernel image's symbols come first in every search, as in the kernel's own.
#include "kernel/symbols/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/system/read_file.h"
#include "base/text/glob.h"
#include "kernel/memory/core_file.h"
#include "kernel/memory/vmcoreinfo.h"
#include "kernel/symbols/module_symbols.h"

namespace kinst::kernel {
namespace {

// A pattern of a description, which matches everything when it is empty.
class Pattern {
 public:
  explicit Pattern(std::string_view text) : text_(text), is_glob_(is_glob(text)) {}

  [[nodiscard]] bool matches(std::string_view name) const {
    return text_.empty() || (is_glob_ ? glob_matches(text_, name) : text_ == name);
  }
  /// Whether it is the one name that it matches.
  [[nodiscard]] bool is_name() const { return !text_.empty() && !is_glob_; }
  /// What every name that it matches begins with.
  [[nodiscard]] std::string_view prefix() const {
    return text_.substr(0, std::min(text_.find_first_of("*?[\\"), text_.size()));
  }

 private:
  std::string_view text_;
  bool is_glob_;
};

}  // namespace

Symbols::Symbols(std::optional<ImageSymbols> image, SymbolList others)
    : image_(std::move(image)), others_(std::move(others)) {
  for (const auto& [begin, end] :
       {std::pair("_stext", "_etext"), std::pair("_sinittext", "_einittext")}) {
    const auto from = address_of(begin);
    const auto to = address_of(end);
    if (from && to) {
      image_text_.push_back({*from, *to});
    }
  }
  if (image_text_.empty()) {
    return;
  }
  others_.retype([&](const ListedSymbol& one) {
    return one.module == kernel_module ? type_of(one.address, one.type) : one.type;
  });
}

Result<Symbols> Symbols::parse(std::string kallsyms) {
  return Symbols(std::nullopt, KINST_TRY(SymbolList::parse(std::move(kallsyms))));
}

Result<Symbols> Symbols::read_kallsyms() {
  return parse(KINST_TRY(read_file("/proc/kallsyms")));
}

Result<Symbols> Symbols::read_tables() {
  auto memory = KINST_TRY(CoreFile::open());
  const CoreFile& core = *memory;
  const std::string vmcoreinfo = KINST_TRY(read_vmcoreinfo(core));
  Symbols out(KINST_TRY(ImageSymbols::open(std::move(memory), vmcoreinfo)), {});
  if (const auto modules = out.address_of("modules")) {
    out.others_ = KINST_TRY(read_module_symbols(core, *modules));
  }
  return out;
}

Result<Symbols> Symbols::read() {
  auto tables = read_tables();
  return tables ? std::move(tables) : read_kallsyms();
}

// Linux 7.2 gives the letters of text to most data. The end of the text is told by its
// own symbol, which stays what it is.
char Symbols::type_of(KernelAddress address, char type) const {
  const bool is_in_text =
      image_text_.empty() ||
      std::ranges::any_of(image_text_, [&](const AddressRange& text) {
        return text.contains(address) || address == text.end;
      });
  if (is_in_text || !is_function_type(type)) {
    return type;
  }
  const bool is_local = type == 't' || type == 'w';
  return is_local ? 'd' : 'D';
}

Symbol Symbols::image_symbol(std::size_t index, ImageSymbols::Name name) const {
  Symbol out{.address = image_->address(index),
             .name = std::move(name.text),
             .module = std::string(kernel_module),
             .type = type_of(image_->address(index), name.type)};
  std::size_t next = index + 1;
  while (next < image_->size() && image_->address(next) == out.address) {
    ++next;
  }
  out.end_is_known = next < image_->size();
  out.size_bytes = out.end_is_known ? number(image_->address(next) - out.address)
                                    : most_bytes_without_an_end;
  return out;
}

void Symbols::visit_image(std::string_view prefix,
                          const std::function<void(const Symbol&)>& visit) const {
  if (image_) {
    image_->for_each(prefix, [&](std::size_t index, const ImageSymbols::Name& name) {
      visit(image_symbol(index, name));
    });
  }
}

std::vector<Symbol> Symbols::functions(std::string_view module_pattern,
                                       std::string_view pattern) const {
  const Pattern modules(module_pattern);
  const Pattern names(pattern);
  std::vector<Symbol> out;
  const auto add = [&](const Symbol& symbol) {
    if (symbol.is_function() && names.matches(symbol.name) &&
        !is_prefix_symbol(symbol.name)) {
      out.push_back(symbol);
    }
  };
  if (modules.matches(kernel_module) && image_ && names.is_name()) {
    for (const std::size_t index : image_->find(pattern)) {
      add(image_symbol(index, image_->name(index)));
    }
  } else if (modules.matches(kernel_module)) {
    visit_image(names.prefix(), add);
  }
  for (const ListedSymbol& one : others_.all()) {
    if (names.matches(one.name) && modules.matches(one.module)) {
      add(one.symbol());
    }
  }
  std::ranges::stable_sort(out, {}, &Symbol::address);
  return out;
}

std::optional<KernelAddress> Symbols::address_of(std::string_view name) const {
  const auto found = find(kernel_module, name);
  return found ? std::optional(found->address) : std::nullopt;
}

std::optional<Symbol> Symbols::find(std::string_view module,
                                    std::string_view name) const {
  if (image_ && (module.empty() || module == kernel_module)) {
    const auto found = image_->find(name);
    if (!found.empty()) {
      return image_symbol(found.front(), image_->name(found.front()));
    }
  }
  const ListedSymbol* in_a_module = nullptr;
  for (const ListedSymbol& symbol : others_.all()) {
    if (symbol.name != name) {
      continue;
    }
    if (module.empty() ? symbol.module == kernel_module : symbol.module == module) {
      return symbol.symbol();
    }
    if (module.empty() && in_a_module == nullptr) {
      in_a_module = &symbol;
    }
  }
  return in_a_module == nullptr ? std::nullopt : std::optional(in_a_module->symbol());
}

std::optional<Symbol> Symbols::at(KernelAddress address) const {
  const std::size_t above = image_ ? image_->first_above(address) : 0;
  if (above > 0) {
    std::size_t first = above - 1;
    const KernelAddress begin = image_->address(first);
    while (first > 0 && image_->address(first - 1) == begin) {
      --first;
    }
    Symbol out = image_symbol(first, image_->name(first));
    if (!is_absolute_type(out.type) && number(address - begin) < out.size_bytes) {
      return out;
    }
  }
  const ListedSymbol* listed = others_.at(address);
  return listed == nullptr ? std::nullopt : std::optional(listed->symbol());
}

std::vector<Symbol> Symbols::beginning_at(KernelAddress address) const {
  std::vector<Symbol> out;
  if (image_) {
    std::size_t index = image_->first_above(address);
    for (; index > 0 && image_->address(index - 1) == address; --index) {
      out.push_back(image_symbol(index - 1, image_->name(index - 1)));
    }
    std::ranges::reverse(out);
  }
  for (const ListedSymbol& one : others_.beginning_at(address)) {
    out.push_back(one.symbol());
  }
  return out;
}

void Symbols::for_each(std::string_view module,
                       const std::function<void(const Symbol&)>& visit) const {
  if (module.empty() || module == kernel_module) {
    visit_image({}, visit);
  }
  for (const ListedSymbol& one : others_.all()) {
    if (module.empty() || module == one.module) {
      visit(one.symbol());
    }
  }
}

std::vector<std::string> Symbols::modules() const {
  std::set<std::string_view> names = {kernel_module};
  for (const ListedSymbol& one : others_.all()) {
    if (one.module != "bpf" && !one.module.starts_with("__builtin__")) {
      names.insert(one.module);
    }
  }
  return {names.begin(), names.end()};
}

bool Symbols::has_module(std::string_view module) const {
  return (image_ && module == kernel_module) ||
         std::ranges::find(others_.all(), module, &ListedSymbol::module) !=
             others_.all().end();
}

bool is_prefix_symbol(std::string_view name) {
  return name.starts_with("__pfx_") || name.starts_with("__cfi_");
}

std::string symbol_text(const Symbols& symbols, KernelAddress address) {
  const auto symbol = symbols.at(address);
  if (!symbol) {
    return {};
  }
  const std::uint64_t offset = number(address - symbol->address);
  return offset == 0 ? symbol->name : fmt::format("{}+{:#x}", symbol->name, offset);
}

}  // namespace kinst::kernel
