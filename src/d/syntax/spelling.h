// How operators and keywords of the tree are written.
#pragma once

#include <string>
#include <string_view>

#include "d/syntax/ast.h"

namespace kinst::d {

/// "+", "^^".
std::string_view spelling(BinaryOperator op);
std::string_view spelling(UnaryOperator op);
/// "+=", or "=" for none.
std::string assignment_spelling(const Assignment& assignment);
/// "unsigned long long".
std::string_view spelling(BuiltinType type);
/// "self".
std::string_view spelling(StorageClass storage);

}  // namespace kinst::d
