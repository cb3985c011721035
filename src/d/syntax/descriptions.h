// Probe descriptions: `provider:module:function:name`.
#pragma once

#include <string_view>

#include "base/result.h"
#include "d/syntax/ast.h"
#include "d/syntax/macros.h"

namespace kinst::d {

/// Reads one description; ast.h's Description tells its form. The span is left empty.
/// last: the field that the text ends with: Name as a rule, Provider, Module or
/// Function for the texts of -P, -m and -f. Errors: more fields than there are up to
/// `last`, a macro without a value, a quote that does not end, an empty text.
Result<Description> parse_description(std::string_view text, DescriptionField last,
                                      MacroExpander& macros);

/// The description as it is written, with the quotes it needs and all four fields:
/// "kinst::vfs_read:4".
std::string to_text(const Description& description);

}  // namespace kinst::d
