#include "d/check/format_checker.h"

#include <fmt/format.h>

#include <string>

namespace kinst::d {
namespace {

using Role = record::WantedArgument::Role;

std::string_view tag_of_missing(Role role) {
  return role == Role::Value ? "D_PRINTF_ARG_PROTO" : "D_PRINTF_DYN_PROTO";
}

std::string_view tag_of_wrong(Role role) {
  return role == Role::Value ? "D_PRINTF_ARG_TYPE" : "D_PRINTF_DYN_TYPE";
}

std::string_view part_of(Role role) {
  switch (role) {
    case Role::Width:
      return "width";
    case Role::Precision:
      return "precision";
    default:
      return "value";
  }
}

std::string conversion_text(const FormatUse& use,
                            const record::WantedArgument& wanted) {
  return fmt::format("conversion {} (%{}) of {}()'s format", wanted.directive,
                     wanted.conversion->name, use.function);
}

// The conversion that prints such a value.
std::string conversion_for(const FormatArgument& argument,
                           const types::TypeTable& table) {
  switch (record::form_of(argument.meaning)) {
    case record::Form::Value:
      break;
    case record::Form::Frames:
    case record::Form::UserFrames:
      return "%k prints a stack";
    case record::Form::Address:
      return "%a prints a symbol of the kernel";
    case record::Form::UserAddress:
      return "%A prints a symbol of a process";
    case record::Form::ProbeKey:
      return {};
  }
  if (table.is_string(argument.type)) {
    return "%s prints a string";
  }
  if (table.is_integer(argument.type)) {
    return "%d prints an integer of any size";
  }
  if (std::holds_alternative<types::Void>(table.resolved(argument.type))) {
    return "printa() prints aggregations, as in printa(@a)";
  }
  return table.is_pointer(argument.type) ? "%p prints a pointer" : std::string();
}

void tell_wrong_argument(const FormatUse& use, const record::WantedArgument& wanted,
                         const FormatArgument& argument, const types::TypeTable& table,
                         Diagnostics& diagnostics) {
  Diagnostic& told =
      diagnostics.error(tag_of_wrong(wanted.role), argument.span,
                        fmt::format("{} takes {}", conversion_text(use, wanted),
                                    record::describe(wanted.argument)));
  told.label = argument.meaning == record::Meaning::Value
                   ? fmt::format("of type {}", table.name_of(argument.type))
                   : "a symbol or stack";
  told.hint = conversion_for(argument, table);
}

}  // namespace

FormatArgument format_argument(const typed::Expression& value) {
  const auto* symbol = std::get_if<typed::SymbolicValue>(&value.node);
  return {.type = value.type,
          .meaning = symbol == nullptr ? record::Meaning::Value
                                       : symbolic_info(symbol->kind).meaning,
          .span = value.span};
}

bool check_format(const FormatUse& use, std::span<const FormatArgument> arguments,
                  const types::TypeTable& table, Diagnostics& diagnostics) {
  const auto parsed = record::parse_format(use.format);
  if (!parsed) {
    diagnostics.error("D_SYNTAX", use.span, parsed.error().message);
    return false;
  }
  std::size_t next = 0;
  for (const record::WantedArgument& wanted : record::wanted_arguments(*parsed)) {
    if (wanted.role == Role::Aggregation) {
      if (use.of != FormatOf::Aggregation) {
        diagnostics.error("D_PRINTF_AGG_CONV", use.span,
                          fmt::format("{} is for aggregations, which printa() prints",
                                      conversion_text(use, wanted)));
        return false;
      }
      continue;
    }
    if (next == arguments.size()) {
      diagnostics.error(
          tag_of_missing(wanted.role), use.span,
          fmt::format("{} has no argument for its {}", conversion_text(use, wanted),
                      part_of(wanted.role)));
      return false;
    }
    const FormatArgument& argument = arguments[next++];
    if (!record::accepts(wanted.argument, table, argument.type, argument.meaning)) {
      tell_wrong_argument(use, wanted, argument, table, diagnostics);
      return false;
    }
  }
  if (use.of == FormatOf::Values && next < arguments.size()) {
    diagnostics.error(
        "D_PRINTF_ARG_EXTRA", arguments[next].span,
        fmt::format("{}()'s format takes only {} argument{}, {} given", use.function,
                    next, next == 1 ? "" : "s", arguments.size()));
    return false;
  }
  return true;
}

}  // namespace kinst::d
