// Lines that begin with '#': pragmas and what a preprocessor leaves behind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/text/diagnostic.h"
#include "d/syntax/ast.h"

namespace kinst::d {

/// `#line 12 "file"`, `# 12 "file" 1 3`.
struct LineDirective {
  std::uint32_t line = 1;
  std::optional<std::string> file;  ///< nothing: the file stays
};

/// What a control line means: nothing (`#`, `#ident`, a foreign or refused pragma), a
/// new place, or a pragma for later stages.
using ControlLine = std::variant<std::monostate, LineDirective, Pragma>;

/// Reads a control line.
/// line: behind the '#', without the newline. span: of the line, '#' included.
/// What is wrong goes to `diagnostics`, with DTrace's tags D_PRAGCTL_INVAL,
/// D_PRAGMA_INVAL, D_PRAGMA_MALFORM, D_PRAGERR, D_STR_NL.
ControlLine read_control_line(std::string_view line, Span span,
                              Diagnostics& diagnostics);

}  // namespace kinst::d
