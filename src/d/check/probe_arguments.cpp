// args[]: the typed arguments of a probe.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "d/check/expression_checker.h"
#include "d/check/type_rules.h"
#include "d/typed/typed_tree.h"

namespace kinst::d {

using typed::ExpressionPointer;
using types::TypeId;

namespace {

// A type for so many bytes of a larger value: 1, 2, 4 or 8.
std::string_view integer_of(std::uint64_t bytes) {
  switch (bytes) {
    case 1:
      return "uint8_t";
    case 2:
      return "uint16_t";
    case 4:
      return "uint32_t";
    default:
      return "uint64_t";
  }
}

}  // namespace

ExpressionPointer ExpressionChecker::argument_word(std::uint32_t word, TypeId type,
                                                   Span span) {
  return typed::make(
      type, span,
      typed::BuiltinValue{Builtin::Args, integer(word, table_.int_type(), span)});
}

// A struct in registers is copied to a struct of the clause's own, in pieces of 8, 4, 2
// and 1 bytes: seven bytes are 4, 2 and 1. A struct on the stack is read where it is.
ExpressionPointer ExpressionChecker::record_argument(TypeId type,
                                                     const RecordPlace& place,
                                                     Span span) {
  if (place.words.empty()) {
    ExpressionPointer stack = typed::make(
        table_.uint64_type(), span,
        typed::BuiltinValue{Builtin::Regs,
                            integer(place.stack_register, table_.int_type(), span)});
    ExpressionPointer address = as_pointer(std::move(stack), table_.pointer_to(type));
    return load(add_offset(std::move(address), place.stack_offset_bytes), type,
                types::AddressSpace::Kernel, span);
  }
  constexpr std::uint64_t word_bytes = 8;
  typed::RecordValue record;
  const std::uint64_t size_bytes = table_.size_of(type).value_or(0);
  std::uint64_t offset = 0;
  while (offset < size_bytes) {
    const std::uint64_t in_word = offset % word_bytes;
    const std::uint64_t bytes =
        std::bit_floor(std::min(size_bytes - offset, word_bytes - in_word));
    ExpressionPointer value =
        argument_word(place.words.at(offset / word_bytes), table_.uint64_type(), span);
    if (in_word != 0) {
      value = combine(typed::BinaryOperator::ShiftRight, std::move(value),
                      integer(8 * in_word, table_.int_type(), span),
                      table_.uint64_type(), span);
    }
    record.members.push_back(
        {offset,
         convert(std::move(value),
                 types_.find(integer_of(bytes)).value_or(table_.uint64_type()))});
    offset += bytes;
  }
  return typed::make(type, span, std::move(record));
}

// Whether the types of args[] are known and are the same at all probes of the clause's
// description; reports it if not.
bool ExpressionChecker::check_arguments_are_known(std::uint64_t number, Span span) {
  if (probe_ == nullptr) {
    error("D_ARGS_NONE", span, "args[] means nothing outside of a clause");
    return false;
  }
  if (probe_->is_absent) {
    return false;
  }
  if (!probe_->has_arg_variables) {
    refuse_arguments("args[]", number, span);
    return false;
  }
  if (!probe_->arguments) {
    error("D_ARGS_MULTI", span,
          fmt::format("the types of args[] are not known, as there is no probe {} yet",
                      probe_->description));
    return false;
  }
  const std::string difference = code_.argument_difference(probe_->number, number);
  if (difference.empty()) {
    return true;
  }
  Diagnostic& diagnostic =
      error("D_ARGS_MULTI", span,
            fmt::format("the probes of {} do not agree on args[{}]: it is {}",
                        probe_->description, number, difference));
  constexpr std::uint64_t variables = 10;
  if (number < variables) {
    diagnostic.hint = fmt::format("arg{} is it as a number, whatever its type", number);
  }
  return false;
}

// The type that args[number] has in D; nothing if it was reported why it has none.
std::optional<TypeId> ExpressionChecker::argument_type(const ProbeArgument& argument,
                                                       std::uint64_t number,
                                                       Span span) {
  const TypeId native = argument.native.value_or(table_.int64_type());
  if (argument.translated.empty()) {
    return native;
  }
  const auto translated = types_.find(argument.translated);
  if (!translated) {
    error("D_ARGS_TYPE", span,
          fmt::format("the type {} of args[{}] is not known", argument.translated,
                      number))
        .hint = environment_.why_no_types();
    return std::nullopt;
  }
  if (!is_assignable(table_, native, {*translated})) {
    error("D_ARGS_XLATOR", span,
          fmt::format("there is no translator for args[{}] from {} to {}", number,
                      table_.name_of(native), argument.translated));
    return std::nullopt;
  }
  return translated;
}

ExpressionPointer ExpressionChecker::argument(std::uint64_t number, Span span) {
  if (!check_arguments_are_known(number, span)) {
    return nullptr;
  }
  const std::vector<ProbeArgument>& arguments = *probe_->arguments;
  if (number >= arguments.size()) {
    error("D_ARGS_IDX", span,
          fmt::format("{} has {} typed argument{}, so there is no args[{}]",
                      probe_->description, arguments.size(),
                      arguments.size() == 1 ? "" : "s",
                      static_cast<std::int64_t>(number)))
        .hint = environment_.why_no_types();
    return nullptr;
  }
  const ProbeArgument& argument = arguments[number];
  if (!argument.why_unreadable.empty()) {
    error("D_ARGS_TYPE", span,
          fmt::format("args[{}] of {} cannot be read: {}", number, probe_->description,
                      argument.why_unreadable));
    return nullptr;
  }
  const auto type = argument_type(argument, number, span);
  if (!type) {
    return nullptr;
  }
  return argument.record ? record_argument(*type, *argument.record, span)
                         : argument_word(argument.native_index, *type, span);
}

}  // namespace kinst::d
