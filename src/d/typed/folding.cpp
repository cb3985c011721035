#include "d/typed/folding.h"

#include <cassert>
#include <limits>

namespace kinst::d {
namespace {

std::uint64_t divide(std::uint64_t left, std::uint64_t right, bool is_signed) {
  assert(right != 0);
  if (!is_signed) {
    return left / right;
  }
  // The most negative number by -1 overflows, and traps on x86.
  if (right == std::numeric_limits<std::uint64_t>::max()) {
    return 0 - left;
  }
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(left) /
                                    static_cast<std::int64_t>(right));
}

bool is_less(std::uint64_t left, std::uint64_t right, bool is_signed) {
  return is_signed ? static_cast<std::int64_t>(left) < static_cast<std::int64_t>(right)
                   : left < right;
}

std::uint64_t shift_right(std::uint64_t value, std::uint64_t count, bool is_signed) {
  return is_signed
             ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> count)
             : value >> count;
}

}  // namespace

std::uint64_t fold(typed::BinaryOperator operation, std::uint64_t left,
                   std::uint64_t right, bool is_signed) {
  using enum typed::BinaryOperator;
  switch (operation) {
    case Add:
      return left + right;
    case Subtract:
      return left - right;
    case Multiply:
      return left * right;
    case Divide:
      return divide(left, right, is_signed);
    case Modulo:
      return left - divide(left, right, is_signed) * right;
    case ShiftLeft:
      return left << (right % 64);
    case ShiftRight:
      return shift_right(left, right % 64, is_signed);
    case And:
      return left & right;
    case Or:
      return left | right;
    case ExclusiveOr:
      return left ^ right;
    case Equal:
      return left == right ? 1 : 0;
    case NotEqual:
      return left != right ? 1 : 0;
    case Less:
      return is_less(left, right, is_signed) ? 1 : 0;
    case LessEqual:
      return left == right || is_less(left, right, is_signed) ? 1 : 0;
    case Greater:
      return left == right || is_less(left, right, is_signed) ? 0 : 1;
    case GreaterEqual:
      return is_less(left, right, is_signed) ? 0 : 1;
  }
  return 0;
}

}  // namespace kinst::d
