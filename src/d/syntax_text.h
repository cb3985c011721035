// The spelling of D's operators, for messages.
#pragma once

#include <string_view>

#include "d/ast.h"

namespace kinst::d {

std::string_view operator_text(UnaryOperator operation);
std::string_view operator_text(BinaryOperator operation);
/// "+=", or "=" for none.
std::string_view assignment_text(const Assignment& assignment);

}  // namespace kinst::d
