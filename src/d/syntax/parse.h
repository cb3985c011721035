// D text into a tree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "base/text/diagnostic.h"
#include "base/text/near_names.h"
#include "d/syntax/ast.h"
#include "d/syntax/macros.h"

namespace kinst::d {

enum class TextKind : std::uint8_t {
  Script,       ///< of a file: each clause needs a body
  CommandLine,  ///< of -n and its kind: a description alone means the default action,
                ///< and wins over a type of its name
};

struct ParseOptions {
  TextKind kind = TextKind::Script;
  /// The option pspec, which the text may set itself: what could be a type's name or a
  /// description, as "int*", is a description.
  bool prefers_descriptions = false;
  /// The last field of a description in the text. Texts of -P, -m and -f do not end
  /// with the name.
  DescriptionField last_field = DescriptionField::Name;
  MacroValues macros;
  /// Whether a name is a type that the program has not declared itself: D's own, the
  /// kernel's, those of libraries. It must return false for names of built-in variables
  /// and functions. Empty: names are taken for types where the grammar allows nothing
  /// else.
  std::function<bool(std::string_view)> is_type_name;
  /// Offers the names that is_type_name says yes to, for "did you mean"; may be empty.
  std::function<void(NearNames&)> offer_type_names;
};

/// Parses one text.
/// source: gets its line markers. index: what the spans say about the source.
/// What is wrong goes to `diagnostics`, several errors in one go, with DTrace's tags:
/// D_SYNTAX, D_PDESC_INVAL, D_MACRO_*, D_INT_*, D_STR_NL, D_CHR_*, D_PRAG*, and those
/// D_DECL_* that need no types to be seen. After errors the returned program is
/// incomplete and must not be used.
Program parse(Source& source, std::uint32_t index, const ParseOptions& options,
              Diagnostics& diagnostics);

/// Reports D_EMPTY for a program that declares things but does nothing with them: one
/// without a clause, translator, inline or provider. To be called when nothing else is
/// wrong with the program, unless it is a library or the option empty is set.
void refuse_empty(const Program& program, std::uint32_t index,
                  Diagnostics& diagnostics);

/// Reports D_MACRO_UNUSED if none of the programs uses the last macro argument, which
/// DTrace takes for a mistake; the option argref allows it. values: the values that the
/// programs were parsed with. The diagnostic's span is in source 0.
void refuse_unused_argument(const MacroValues& values,
                            std::span<const Program> programs,
                            Diagnostics& diagnostics);

/// Parses a type's name that stands alone: "struct task_struct *".
/// is_type_name: as in ParseOptions. Returns nothing, without a reason, if the text is
/// not a type's name.
std::optional<TypeSyntax> parse_type(
    std::string_view spelling,
    const std::function<bool(std::string_view)>& is_type_name);

}  // namespace kinst::d
