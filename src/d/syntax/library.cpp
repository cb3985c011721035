// Words are compared, not scopes: a word too many keeps a declaration too many, which
// costs some microseconds and changes nothing.
#include "d/syntax/library.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "d/syntax/characters.h"
#include "d/syntax/token.h"
#include "d/tables/own_names.h"

namespace kinst::d {
namespace {

/// Calls `visit` with each identifier until it says false.
template <typename Visit>
void for_each_word(std::string_view text, Visit visit) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (!is_name_start(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_name_part(text[end])) {
      ++end;
    }
    if (!visit(text.substr(at, end - at))) {
      return;
    }
    at = end;
  }
}

void add_names(const BaseType& base, std::vector<std::string_view>& names) {
  std::visit(Overloaded{[](const BuiltinType&) {},
                        [&](const NamedType& type) { names.push_back(type.name); },
                        [&](const RecordSyntax& type) { names.push_back(type.tag); },
                        [&](const EnumSyntax& type) {
                          names.push_back(type.tag);
                          for (const EnumeratorSyntax& enumerator : type.enumerators) {
                            names.push_back(enumerator.name);
                          }
                        }},
             base.node);
}

std::vector<std::string_view> names_of(const Declaration& declaration) {
  std::vector<std::string_view> names;
  const auto* record = std::get_if<RecordSyntax>(&declaration.base.node);
  const auto* enumeration = std::get_if<EnumSyntax>(&declaration.base.node);
  if ((record != nullptr && record->is_definition) ||
      (enumeration != nullptr && enumeration->is_definition)) {
    add_names(declaration.base, names);
  }
  for (const Declarator& declarator : declaration.declarators) {
    names.push_back(declarator.name);
  }
  return names;
}

std::vector<std::string_view> names_of(const TranslatorDefinition& translator) {
  std::vector<std::string_view> names;
  add_names(translator.output.base, names);
  return names;
}

/// The items that are needed, found by going from names to items and from an item's
/// words to more names.
class Closure {
 public:
  explicit Closure(std::span<const LibraryProgram> libraries) : libraries_(libraries) {
    for (std::size_t library = 0; library < libraries.size(); ++library) {
      const std::vector<Item>& items = libraries[library].program->items;
      is_kept_.emplace_back(items.size());
      for (std::size_t item = 0; item < items.size(); ++item) {
        for (const std::string_view name : declared_names(items[item])) {
          declaring_[name].emplace_back(library, item);
        }
        if (libraries[library].is_wanted_whole) {
          keep(library, item);
        }
      }
    }
  }

  void want(const Words& words) {
    for (const std::string& word : words) {
      const auto found = declaring_.find(word);
      if (found == declaring_.end()) {
        continue;
      }
      for (const auto& [library, item] : found->second) {
        keep(library, item);
      }
    }
    while (!pending_.empty()) {
      const Words more = std::exchange(pending_, {});
      want(more);
    }
  }

  [[nodiscard]] bool keeps(std::size_t library, std::size_t item) const {
    return is_kept_[library][item];
  }

 private:
  void keep(std::size_t library, std::size_t item) {
    const Item& kept = libraries_[library].program->items[item];
    if (is_kept_[library][item] || std::holds_alternative<Clause>(kept)) {
      return;
    }
    is_kept_[library][item] = true;
    const Span span =
        std::visit([](const auto& definition) { return definition.span; }, kept);
    add_words(libraries_[library].text.substr(span.begin, span.end - span.begin),
              pending_);
  }

  std::span<const LibraryProgram> libraries_;
  std::vector<std::vector<bool>> is_kept_;
  std::map<std::string_view, std::vector<std::pair<std::size_t, std::size_t>>>
      declaring_;
  Words pending_;
};

}  // namespace

void add_words(std::string_view text, Words& words) {
  for_each_word(text, [&](std::string_view word) {
    if (keyword(word) == TokenKind::Identifier && !is_builtin_name(word)) {
      words.emplace(word);
    }
    return true;
  });
}

bool mentions(std::string_view text, const Words& words) {
  bool found = false;
  for_each_word(text, [&](std::string_view word) {
    found = words.contains(word);
    return !found;
  });
  return found;
}

std::vector<std::string_view> declared_names(const Item& item) {
  return std::visit(
      Overloaded{
          [](const Declaration& declaration) { return names_of(declaration); },
          [](const InlineDefinition& definition) {
            return std::vector<std::string_view>{definition.declarator.name};
          },
          [](const TranslatorDefinition& translator) { return names_of(translator); },
          [](const ProviderDefinition& provider) {
            return std::vector<std::string_view>{provider.name};
          },
          [](const Clause& /*clause*/) { return std::vector<std::string_view>(); }},
      item);
}

void keep_mentioned(std::span<const LibraryProgram> libraries, const Words& wanted) {
  Closure closure(libraries);
  closure.want(wanted);
  for (std::size_t library = 0; library < libraries.size(); ++library) {
    std::vector<Item>& items = libraries[library].program->items;
    std::vector<Item> kept;
    for (std::size_t item = 0; item < items.size(); ++item) {
      if (closure.keeps(library, item)) {
        kept.push_back(std::move(items[item]));
      }
    }
    items = std::move(kept);
  }
}

}  // namespace kinst::d
