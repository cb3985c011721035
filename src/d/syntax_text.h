// The spelling of D's operators, for messages.
#pragma once

#include <string_view>

#include "d/ast.h"

namespace kinst::d {

std::string_view spelling(UnaryOperator operation);
std::string_view spelling(BinaryOperator operation);
/// "+=", or "=" for none.
std::string_view assignment_spelling(const Assignment& assignment);

}  // namespace kinst::d
