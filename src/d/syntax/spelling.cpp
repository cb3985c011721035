#include "d/syntax/spelling.h"

namespace kinst::d {

std::string_view spelling(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::Multiply:
      return "*";
    case BinaryOperator::Divide:
      return "/";
    case BinaryOperator::Modulo:
      return "%";
    case BinaryOperator::Add:
      return "+";
    case BinaryOperator::Subtract:
      return "-";
    case BinaryOperator::ShiftLeft:
      return "<<";
    case BinaryOperator::ShiftRight:
      return ">>";
    case BinaryOperator::Less:
      return "<";
    case BinaryOperator::LessEqual:
      return "<=";
    case BinaryOperator::Greater:
      return ">";
    case BinaryOperator::GreaterEqual:
      return ">=";
    case BinaryOperator::Equal:
      return "==";
    case BinaryOperator::NotEqual:
      return "!=";
    case BinaryOperator::BitAnd:
      return "&";
    case BinaryOperator::BitXor:
      return "^";
    case BinaryOperator::BitOr:
      return "|";
    case BinaryOperator::LogicalAnd:
      return "&&";
    case BinaryOperator::LogicalXor:
      return "^^";
    case BinaryOperator::LogicalOr:
      return "||";
    case BinaryOperator::Comma:
      return ",";
  }
  return "";
}

std::string_view spelling(UnaryOperator op) {
  switch (op) {
    case UnaryOperator::Plus:
      return "+";
    case UnaryOperator::Minus:
      return "-";
    case UnaryOperator::BitNot:
      return "~";
    case UnaryOperator::LogicalNot:
      return "!";
    case UnaryOperator::Dereference:
      return "*";
    case UnaryOperator::AddressOf:
      return "&";
    case UnaryOperator::PreIncrement:
    case UnaryOperator::PostIncrement:
      return "++";
    case UnaryOperator::PreDecrement:
    case UnaryOperator::PostDecrement:
      return "--";
  }
  return "";
}

std::string assignment_spelling(const Assignment& assignment) {
  return assignment.op ? std::string(spelling(*assignment.op)) + "=" : "=";
}

std::string_view spelling(BuiltinType type) {
  switch (type) {
    case BuiltinType::Void:
      return "void";
    case BuiltinType::Char:
      return "char";
    case BuiltinType::SignedChar:
      return "signed char";
    case BuiltinType::UnsignedChar:
      return "unsigned char";
    case BuiltinType::Short:
      return "short";
    case BuiltinType::UnsignedShort:
      return "unsigned short";
    case BuiltinType::Int:
      return "int";
    case BuiltinType::UnsignedInt:
      return "unsigned int";
    case BuiltinType::Long:
      return "long";
    case BuiltinType::UnsignedLong:
      return "unsigned long";
    case BuiltinType::LongLong:
      return "long long";
    case BuiltinType::UnsignedLongLong:
      return "unsigned long long";
    case BuiltinType::Float:
      return "float";
    case BuiltinType::Double:
      return "double";
    case BuiltinType::LongDouble:
      return "long double";
    case BuiltinType::String:
      return "string";
  }
  return "";
}

std::string_view spelling(StorageClass storage) {
  switch (storage) {
    case StorageClass::Auto:
      return "auto";
    case StorageClass::Register:
      return "register";
    case StorageClass::Static:
      return "static";
    case StorageClass::Extern:
      return "extern";
    case StorageClass::Typedef:
      return "typedef";
    case StorageClass::Self:
      return "self";
    case StorageClass::This:
      return "this";
  }
  return "";
}

}  // namespace kinst::d
