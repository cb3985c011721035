#include "compile/libraries.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <variant>

namespace kinst::compile {
namespace {

void add_as_warnings(const Diagnostics& found, Diagnostics& diagnostics) {
  for (Diagnostic one : found.all()) {
    one.severity = Severity::Warning;
    diagnostics.add(std::move(one));
  }
}

// A library declares; to enable probes is for scripts.
void warn_of_clauses(const d::Program& program, Diagnostics& diagnostics) {
  for (const d::Item& item : program.items) {
    if (const auto* clause = std::get_if<d::Clause>(&item)) {
      diagnostics.warning("D_SYNTAX", clause->span,
                          "a D library's clauses are not enabled");
    }
  }
}

// What a line `#pragma D depends_on library NAME` asks for.
struct Dependency {
  std::string name;
  std::uint32_t begin = 0;  // of the line
  std::uint32_t end = 0;
};

std::vector<Dependency> dependencies(std::string_view text) {
  std::vector<Dependency> found;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::istringstream words{std::string(text.substr(begin, end - begin))};
    std::string mark;
    words >> mark;
    if (mark == "#") {
      words >> mark;
      mark.insert(0, 1, '#');
    }
    std::string language;
    std::string pragma;
    std::string kind;
    std::string name;
    if (mark == "#pragma" && words >> language >> pragma >> kind >> name &&
        language == "D" && pragma == "depends_on" && kind == "library") {
      found.push_back({.name = name,
                       .begin = static_cast<std::uint32_t>(begin),
                       .end = static_cast<std::uint32_t>(end)});
    }
    begin = end + 1;
  }
  return found;
}

}  // namespace

Libraries::Libraries(std::vector<LibraryFile> files, std::uint32_t first_source)
    : files_(std::move(files)),
      first_source_(first_source),
      programs_(files_.size()),
      states_(files_.size(), State::Unread) {
  for (LibraryFile& file : files_) {
    sources_.push_back({.name = "library " + file.path,
                        .text = std::move(file.text),
                        .line_markers = {}});
  }
}

void Libraries::want(std::string_view text, const d::ParseOptions& options,
                     Diagnostics& diagnostics) {
  d::add_words(text, wanted_);
  bool has_more = true;
  while (has_more) {
    has_more = false;
    for (std::size_t file = 0; file < files_.size(); ++file) {
      if (states_[file] == State::Unread &&
          (files_[file].is_users || d::mentions(sources_[file].text, wanted_))) {
        parse(file, options, diagnostics);
        has_more = true;
      }
    }
  }
}

void Libraries::parse(std::size_t file, const d::ParseOptions& options,
                      Diagnostics& diagnostics) {
  states_[file] = State::BeingParsed;
  parse_dependencies(file, options, diagnostics);
  d::ParseOptions own{.is_type_name = [&](std::string_view name) {
    return is_type_name(name) || options.is_type_name(name);
  }};
  Diagnostics found;
  programs_[file] = d::parse(sources_[file], number(file), own, found);
  if (found.has_errors()) {
    add_as_warnings(found, diagnostics);
    states_[file] = State::Unusable;
    return;
  }
  warn_of_clauses(programs_[file], diagnostics);
  states_[file] = State::Parsed;
  order_.push_back(file);
}

// Before the file itself, whose text is read with the types that these declare.
void Libraries::parse_dependencies(std::size_t file, const d::ParseOptions& options,
                                   Diagnostics& diagnostics) {
  for (const Dependency& dependency : dependencies(sources_[file].text)) {
    const Span span{
        .begin = dependency.begin, .end = dependency.end, .source = number(file)};
    const auto needed = std::ranges::find(files_, dependency.name, &LibraryFile::name);
    if (needed == files_.end()) {
      diagnostics.error("D_PRAGMA_DEPEND", span,
                        fmt::format("there is no D library {}", dependency.name));
      continue;
    }
    const auto other = static_cast<std::size_t>(needed - files_.begin());
    if (states_[other] == State::BeingParsed) {
      diagnostics.error(
          "D_PRAGMA_DEPEND", span,
          fmt::format("the D library {} depends on itself", dependency.name));
    } else if (states_[other] == State::Unread) {
      parse(other, options, diagnostics);
    }
  }
}

bool Libraries::is_type_name(std::string_view name) const {
  return std::ranges::any_of(order_, [&](std::size_t file) {
    return std::ranges::any_of(programs_[file].items, [&](const d::Item& item) {
      const auto* declaration = std::get_if<d::Declaration>(&item);
      return declaration != nullptr &&
             declaration->storage == d::StorageClass::Typedef &&
             std::ranges::find(declaration->declarators, name, &d::Declarator::name) !=
                 declaration->declarators.end();
    });
  });
}

std::vector<d::Unit> Libraries::units(
    const std::function<bool(const d::DependsOnPragma&)>& is_present) {
  std::vector<d::LibraryProgram> used;
  std::vector<d::Unit> units;
  for (const std::size_t file : order_) {
    d::Program& program = programs_[file];
    const bool fits =
        std::ranges::all_of(program.pragmas, [&](const d::Pragma& pragma) {
          const auto* depends = std::get_if<d::DependsOnPragma>(&pragma.node);
          return depends == nullptr || depends->kind == "library" ||
                 is_present(*depends);
        });
    if (fits) {
      used.push_back({.program = &program,
                      .text = sources_[file].text,
                      .is_wanted_whole = files_[file].is_users});
      units.push_back({.program = &program, .is_library = true});
    }
  }
  d::keep_mentioned(used, wanted_);
  return units;
}

}  // namespace kinst::compile
