// Casts, sizeof, offsetof and stringof.
#include <fmt/format.h>

#include <utility>

#include "d/check/expression_checker.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using typed::ExpressionPointer;
using types::TypeId;

ExpressionPointer ExpressionChecker::cast(const Cast& cast, Span span) {
  const auto type = types_.resolve(cast.type);
  // A name such as curcpu may stand for a kernel pointer as well as for a translation,
  // so its value is taken. An xlate has no value by itself.
  ExpressionPointer value = std::holds_alternative<Xlate>(cast.operand->node)
                                ? check(*cast.operand)
                                : check_value(*cast.operand);
  if (!type || value == nullptr) {
    return nullptr;
  }
  // K&R A7.5: between scalars, from arrays to pointers, anything to void; and D's: from
  // scalars and what is like a string to string.
  const bool from_scalar =
      is_scalar(table_, value->type) || is_function(table_, value->type);
  const bool from_pointer =
      is_pointer_like(table_, value->type) || table_.is_string(value->type);
  const bool is_valid =
      (table_.is_compatible(*type, value->type) && !is_dynamic(value->type)) ||
      is_void(table_, *type) || (is_scalar(table_, *type) && from_scalar) ||
      (table_.is_pointer(*type) && from_pointer) ||
      (table_.is_string(*type) && (from_scalar || from_pointer));
  if (!is_valid) {
    error("D_CAST_INVAL", span,
          fmt::format(R"(cannot cast "{}" to "{}")", type_name(*value),
                      table_.name_of(*type)));
    return nullptr;
  }
  if (is_void(table_, *type) && !reject_leftovers(*value)) {
    return nullptr;
  }
  // A cast takes the value that its operand's type can have (dt_cg_typecast); of types
  // smaller than int, the value that C gives.
  value = typed::calculated(table_, std::move(value));
  const TypeId operand = value->type;
  value = convert(convert(std::move(value), operand), *type);
  value->span = span;
  return value;
}

ExpressionPointer ExpressionChecker::size_of(TypeId type, Span span) {
  const auto size_bytes = table_.size_of(types_.completed(type));
  if (!size_bytes || *size_bytes == 0) {
    error("D_SIZEOF_TYPE", span,
          fmt::format("the size of \"{}\" is not known", table_.name_of(type)))
        .hint = types_.why_incomplete(type);
    return nullptr;
  }
  // As in DTrace, the size of a string is the option strsize, without the zero behind
  // the characters.
  const std::uint64_t uncounted = table_.is_string(type) ? 1 : 0;
  return integer(*size_bytes - uncounted, types_.base_types().size_type(), span);
}

// For a kernel symbol this is the size in the symbol table, such as a function's
// length.
ExpressionPointer ExpressionChecker::size_of(const SizeofExpression& syntax,
                                             Span span) {
  if (const auto* symbol = std::get_if<KernelSymbol>(&syntax.operand->node)) {
    const auto info = find_symbol(*symbol, syntax.operand->span);
    if (!info) {
      return nullptr;
    }
    if (info->size_bytes != 0) {
      return integer(info->size_bytes, types_.base_types().size_type(), span);
    }
  }
  if (const auto* text = std::get_if<StringLiteral>(&syntax.operand->node)) {
    return integer(text->value.size() + 1, types_.base_types().size_type(), span);
  }
  const ExpressionPointer value = check(*syntax.operand);
  if (value == nullptr) {
    return nullptr;
  }
  if (typed::is_bit_field(*value)) {
    error("D_SIZEOF_BITFIELD", span, "sizeof cannot be applied to a bit-field");
    return nullptr;
  }
  return size_of(value->type, span);
}

ExpressionPointer ExpressionChecker::offset_of(const Offsetof& syntax, Span span) {
  const auto type = types_.resolve(syntax.type);
  if (!type) {
    return nullptr;
  }
  if (!is_record(table_, *type) || !table_.size_of(types_.completed(*type))) {
    error("D_OFFSETOF_TYPE", syntax.type.span,
          fmt::format("offsetof needs a struct or union that is known, not \"{}\"",
                      table_.name_of(*type)))
        .hint = environment_.why_no_types();
    return nullptr;
  }
  const auto place = table_.member(types_.completed(*type), syntax.member);
  if (!place) {
    report_no_member(types_.completed(*type), "D_UNKNOWN", syntax.member,
                     syntax.member_span);
    return nullptr;
  }
  if (place->width_bits != 0) {
    error("D_OFFSETOF_BITFIELD", syntax.member_span,
          fmt::format("{} is a bit-field and has no offset in bytes", syntax.member));
    return nullptr;
  }
  return integer(place->offset_bits / 8, table_.int_type(), span);
}

ExpressionPointer ExpressionChecker::string_of(const Stringof& syntax, Span span) {
  ExpressionPointer value = check(*syntax.operand);
  if (value == nullptr) {
    return nullptr;
  }
  if (!is_scalar(table_, value->type) && !is_pointer_like(table_, value->type) &&
      !table_.is_string(value->type)) {
    error("D_STRINGOF_TYPE", span,
          fmt::format("stringof cannot be applied to a value of type \"{}\"",
                      type_name(*value)));
    return nullptr;
  }
  value = convert(std::move(value), table_.string_type());
  value->span = span;
  return value;
}

}  // namespace kinst::d
