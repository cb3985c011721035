// What is said of names that a program does not have, and what may have been meant.
#include <fmt/format.h>

#include <cctype>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text/near_names.h"
#include "d/check/expression_checker.h"
#include "d/tables/other_tracers_words.h"

namespace kinst::d {

using types::TypeId;

namespace {

// "arg12"
bool is_argument_variable(std::string_view name) {
  return name.size() > 3 && name.starts_with("arg") &&
         name.find_first_not_of("0123456789", 3) == std::string_view::npos;
}

// Each register once, by the first of its names.
std::vector<std::string> registers_without_aliases(Environment& environment) {
  std::vector<std::string> names;
  std::set<std::uint32_t> seen;
  for (std::string& name : environment.register_names()) {
    if (seen.insert(environment.register_index(name).value_or(0)).second) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

// A register's own name, as "rdi".
std::string hint_for_register(std::string_view name, Environment& environment) {
  std::string of_d = "R_";
  for (const char letter : name) {
    of_d += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return environment.register_index(of_d)
             ? fmt::format("the register is regs[{}]", of_d)
             : std::string();
}

// Offers the names of a record's members, those of untagged ones within it too.
void offer_members(const types::TypeTable& table, types::TypeId record,
                   NearNames& near) {
  const auto* members = std::get_if<types::Record>(&table.resolved(record));
  if (members == nullptr) {
    return;
  }
  for (const types::Member& member : members->members) {
    if (member.name.empty()) {
      offer_members(table, member.type, near);
    } else {
      near.offer(member.name);
    }
  }
}

}  // namespace

void ExpressionChecker::report_no_member(TypeId record, std::string_view tag,
                                         const std::string& name, Span span) {
  NearNames near(name);
  offer_members(table_, record, near);
  error(tag, span,
        fmt::format("{} is not a member of {}", name, table_.name_of(record)))
      .hint = near.question();
}

std::string hint_for_text(const IntegerLiteral& letters) {
  std::string text;
  for (int shift = 56; shift >= 0; shift -= 8) {
    const char letter =
        static_cast<char>(letters.value >> static_cast<unsigned>(shift));
    if (letter != '\0') {
      text += letter;
    }
  }
  return fmt::format("text stands in double quotes: \"{}\"", text);
}

// What an unknown name may have been meant to be; empty if there is no guess.
std::string ExpressionChecker::hint_for_unknown(std::string_view name) const {
  if (name == "retval" && probe_ != nullptr && !probe_->has_arg_variables) {
    return instead_of_argument(std::nullopt);
  }
  std::string hint = hint_for_variable(name);
  if (is_argument_variable(name)) {
    return fmt::format(
        "arguments are arg0 to arg9; typed, where types are known, args[{}]",
        name.substr(3));
  }
  if (hint.empty()) {
    hint = hint_for_register(name, environment_);
  }
  if (!hint.empty()) {
    return hint;
  }
  NearNames near(name);
  offer_identifiers(names_, near);
  if (name.ends_with("_t")) {  // as in sizeof(tme_t)
    environment_.offer_types(TypeNameKind::Typedef, near);
  }
  const std::vector<std::string> registers = environment_.register_names();
  for (const std::string& register_name : registers) {
    near.offer(register_name);
  }
  hint = near.question();
  if (hint.empty() && name.starts_with("R_") && !registers.empty()) {
    return fmt::format("the registers are {}",
                       fmt::join(registers_without_aliases(environment_), ", "));
  }
  if (hint.empty() && probe_ != nullptr && probe_->is_instruction) {
    hint = code_.why_no_locals(probe_->number);
  }
  return hint.empty() ? fmt::format("a variable is made by an assignment: {} = 0", name)
                      : hint;
}

void ExpressionChecker::refuse_aggregation(const std::string& name, Span span) {
  NearNames near("@" + name);
  for (const auto& [known, id] : names_.aggregation_ids) {
    near.offer("@" + known);
  }
  const std::string spelling = name == "_" ? "@" : "@" + name;
  error("D_IDENT_UNDEF", span,
        fmt::format("failed to resolve {}: no such aggregation", spelling))
      .hint = near.names().empty()
                  ? fmt::format("an aggregation is made by an assignment: {} = count()",
                                spelling)
                  : near.question();
}

}  // namespace kinst::d
