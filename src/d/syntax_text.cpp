#include "d/syntax_text.h"

#include <array>
#include <cstddef>

namespace kinst::d {
namespace {

/// By the enumerators' order.
constexpr std::array<std::string_view, 11> unary = {"+",  "-",  "~",  "!",  "*", "&",
                                                    "++", "--", "++", "--", ""};
constexpr std::array<std::string_view, 20> binary = {
    "*",  "/",  "%",  "+", "-", "<<", ">>", "<",  "<=", ">",
    ">=", "==", "!=", "&", "^", "|",  "&&", "^^", "||", ","};
constexpr std::array<std::string_view, 20> compound = {
    "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "", "", "",
    "",   "",   "",   "&=", "^=", "|=",  "",    "", "", ""};

}  // namespace

std::string_view operator_text(UnaryOperator operation) {
  return unary.at(static_cast<std::size_t>(operation));
}

std::string_view operator_text(BinaryOperator operation) {
  return binary.at(static_cast<std::size_t>(operation));
}

std::string_view assignment_text(const Assignment& assignment) {
  return assignment.op ? compound.at(static_cast<std::size_t>(*assignment.op)) : "=";
}

}  // namespace kinst::d
