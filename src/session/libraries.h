// The D libraries of a run: only what its programs mention is parsed and checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "d/ast.h"
#include "d/check.h"
#include "d/library.h"
#include "d/parse.h"
#include "session/library_files.h"

namespace kinst::session {

/// What is wrong in a library file is a warning and costs the file, or the declaration
/// that is wrong. A file whose `#pragma D depends_on` names a module or provider that
/// is absent is passed over in silence, as it is meant for other machines. One that
/// depends on a library that is absent, or on itself, is an error.
class Libraries {
 public:
  /// first_source: how Diagnostic spans number the first file.
  Libraries(std::vector<LibraryFile> files, std::uint32_t first_source);

  /// Parses the files that declare something of what `text` mentions, and those they
  /// need. May be called again with more text.
  void want(std::string_view text, const d::ParseOptions& options,
            Diagnostics& diagnostics);

  /// Whether a parsed file declares a type of that name.
  [[nodiscard]] bool is_type_name(std::string_view name) const;

  /// What the programs need of the parsed files, those first that others depend on. The
  /// programs stay in `this`. To be called once.
  /// is_present: whether there is what a pragma names, a module or provider.
  std::vector<d::Unit> units(
      const std::function<bool(const d::DependsOnPragma&)>& is_present);

  /// The files' texts, in the order of their numbers.
  [[nodiscard]] const std::vector<Source>& sources() const { return sources_; }

 private:
  enum class State : std::uint8_t { Unread, BeingParsed, Parsed, Unusable };

  [[nodiscard]] std::uint32_t number(std::size_t file) const {
    return first_source_ + static_cast<std::uint32_t>(file);
  }
  void parse(std::size_t file, const d::ParseOptions& options,
             Diagnostics& diagnostics);
  void parse_dependencies(std::size_t file, const d::ParseOptions& options,
                          Diagnostics& diagnostics);

  std::vector<LibraryFile> files_;
  std::uint32_t first_source_;
  std::vector<Source> sources_;
  std::vector<d::Program> programs_;
  std::vector<State> states_;
  std::vector<std::size_t> order_;  ///< parsed files, dependencies first
  d::Words wanted_;
};

}  // namespace kinst::session
