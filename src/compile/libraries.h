// The D libraries of a run. Only the files that the programs need are parsed and
// checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.h"
#include "compile/library_files.h"
#include "d/check/check.h"
#include "d/syntax/ast.h"
#include "d/syntax/library.h"
#include "d/syntax/parse.h"

namespace kinst::compile {

/// An error in a library file becomes a warning, and the file, or the declaration with
/// the error, is left out. A file is skipped silently if its `#pragma D depends_on`
/// names a module or provider that is absent: it is meant for other machines. A file
/// that depends on an absent library, or on itself, is an error.
class Libraries {
 public:
  /// first_source: the number by which the spans of diagnostics name the first file.
  Libraries(std::vector<LibraryFile> files, std::uint32_t first_source);

  /// Parses the files that declare a name used in `text`, and the files that these
  /// depend on. May be called several times.
  void want(std::string_view text, const d::ParseOptions& options,
            Diagnostics& diagnostics);

  /// Whether a parsed file declares a type of that name.
  [[nodiscard]] bool is_type_name(std::string_view name) const;

  /// The parsed files' declarations that the programs need; a file comes after the
  /// files that it depends on. References programs that `this` owns. To be called once.
  /// is_present: whether the module or provider that a pragma names is present.
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

}  // namespace kinst::compile
