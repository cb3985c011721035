// The tree as D text, with all parentheses that the grammar allows to omit.
#pragma once

#include <string>

#include "d/syntax/ast.h"

namespace kinst::d {

/// The program as D that parses to the same tree, one declaration or clause after the
/// other, subexpressions in parentheses, macros replaced. Control lines other than
/// pragmas, and comments, are gone.
std::string to_text(const Program& program);

std::string to_text(const Expression& expression);
std::string to_text(const TypeSyntax& type);
std::string to_text(const Clause& clause);

}  // namespace kinst::d
