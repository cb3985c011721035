#include "codegen/variable_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "base/overloaded.h"
#include "codegen/plan/walk.h"
#include "d/tables/builtin.h"

namespace kinst::codegen {
namespace {

// DTrace numbers a program's variables from here on, built-in ones below.
constexpr std::uint32_t first_id = 0x500;
constexpr std::uint32_t first_builtin_id = 0x100;

struct Row {
  std::string name;
  std::uint32_t id = 0;
  std::optional<std::uint32_t> offset;
  bool is_array = false;
  std::string_view scope;
  types::TypeId type{};
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
  bool is_read = false;
  bool is_written = false;
};

std::string_view kind_of(const types::Type& type) {
  return std::visit(
      Overloaded{[](const types::Integer&) { return std::string_view("integer"); },
                 [](const types::Float&) { return std::string_view("float"); },
                 [](const types::Pointer&) { return std::string_view("pointer"); },
                 [](const types::Array&) { return std::string_view("array"); },
                 [](const types::Record& record) {
                   return std::string_view(
                       record.kind == types::RecordKind::Struct ? "struct" : "union");
                 },
                 [](const types::Enum&) { return std::string_view("enum"); },
                 [](const types::Function&) { return std::string_view("function"); },
                 [](const auto&) { return std::string_view("unknown"); }},
      type);
}

std::string type_text(types::TypeId type, const types::TypeTable& types) {
  const std::uint64_t bytes = types.size_of(type).value_or(0);
  if (types.is_string(type)) {
    return fmt::format("string (unknown) by ref (size {})", bytes - 1);
  }
  return fmt::format("D type ({}){} (size {})", kind_of(types.resolved(type)),
                     types.is_by_reference(type) ? " by ref" : "", bytes);
}

std::string_view scope_text(d::typed::VariableScope scope) {
  switch (scope) {
    case d::typed::VariableScope::Global:
      return "glb";
    case d::typed::VariableScope::Thread:
      return "tls";
    case d::typed::VariableScope::Clause:
      return "loc";
  }
  return "";
}

// Collects what one clause names.
class Table {
 public:
  Table(const d::typed::Program& program, const Storage& storage,
        const std::function<std::uint32_t(const Span&)>& line_of)
      : program_(&program), storage_(&storage), line_of_(&line_of) {}

  void add(const d::typed::Clause& clause) {
    for_each_expression(clause, [&](const d::typed::Expression& expression) {
      if (const auto* assign = std::get_if<d::typed::Assign>(&expression.node)) {
        note_target(*assign->target, assign->operation.has_value());
      } else if (const auto* step =
                     std::get_if<d::typed::Increment>(&expression.node)) {
        note_target(*step->target, true);
      }
    });
    for_each_expression(
        clause, [&](const d::typed::Expression& expression) { add(expression); });
  }

  [[nodiscard]] std::string text(const types::TypeTable& types) const {
    if (rows_.empty()) {
      return {};
    }
    std::string out;
    auto end = std::back_inserter(out);
    fmt::format_to(end, "{:<16} {:<4} {:<6} {:<3} {:<3} {:<11} {:<4} {}\n", "NAME",
                   "ID", "OFFSET", "KND", "SCP", "RANGE", "FLAG", "TYPE");
    for (const Row& row : rows_) {
      fmt::format_to(end, "{:<16} {:<4x} {:<6} {:<3} {:<3} {:<11} {:<4} {}\n", row.name,
                     row.id, row.offset ? std::to_string(*row.offset) : std::string(),
                     row.is_array ? "arr" : "scl", row.scope,
                     fmt::format("[{}-{}]", row.first_line, row.last_line),
                     row.is_read && row.is_written ? "r/w"
                     : row.is_written              ? "w"
                                                   : "r",
                     type_text(row.type, types));
    }
    out += '\n';
    return out;
  }

 private:
  // A variable that is assigned to: seen once more as an expression, which then is no
  // reading of it unless it is changed by its own value.
  void note_target(const d::typed::Expression& target, bool is_read_too) {
    if (std::holds_alternative<d::typed::VariableValue>(target.node)) {
      targets_.push_back({&target, is_read_too});
    }
  }

  void add(const d::typed::Expression& expression) {
    if (const auto* use = std::get_if<d::typed::VariableValue>(&expression.node)) {
      const auto target = std::ranges::find(targets_, &expression, &Target::expression);
      const bool is_written = target != targets_.end();
      mark(variable(use->variable), expression.span, !is_written || target->is_read_too,
           is_written);
    } else if (const auto* address =
                   std::get_if<d::typed::VariableAddress>(&expression.node)) {
      mark(variable(address->variable), expression.span, true, false);
    } else if (const auto* builtin =
                   std::get_if<d::typed::BuiltinValue>(&expression.node)) {
      const d::BuiltinInfo& info = d::builtin_info(builtin->builtin);
      mark({.name = std::string(info.name),
            .id = first_builtin_id + static_cast<std::uint32_t>(builtin->builtin),
            .offset = {},
            .is_array = info.is_array(),
            .scope = "glb",
            .type = expression.type},
           expression.span, true, false);
    }
  }

  [[nodiscard]] Row variable(d::typed::VariableId id) const {
    const auto number = static_cast<std::uint32_t>(id);
    const d::typed::Variable& variable = program_->variables[number];
    const std::uint32_t offset =
        std::visit(Overloaded{[](const GlobalPlace& place) { return place.offset; },
                              [&](const StatePlace& place) {
                                return place.offset - storage_->this_offset;
                              },
                              [](const DynamicPlace&) { return std::uint32_t{0}; }},
                   storage_->variables[number]);
    return {.name = variable.name,
            .id = first_id + number,
            .offset = offset,
            .is_array = !variable.key_types.empty(),
            .scope = scope_text(variable.scope),
            .type = variable.type};
  }

  void mark(Row row, const Span& span, bool is_read, bool is_written) {
    auto found = std::ranges::find(rows_, row.id, &Row::id);
    const std::uint32_t line = (*line_of_)(span);
    if (found == rows_.end()) {
      row.first_line = row.last_line = line;
      rows_.push_back(std::move(row));
      found = std::prev(rows_.end());
    }
    found->first_line = std::min(found->first_line, line);
    found->last_line = std::max(found->last_line, line);
    found->is_read = found->is_read || is_read;
    found->is_written = found->is_written || is_written;
  }

  struct Target {
    const d::typed::Expression* expression = nullptr;
    bool is_read_too = false;
  };

  const d::typed::Program* program_;
  const Storage* storage_;
  const std::function<std::uint32_t(const Span&)>* line_of_;
  std::vector<Target> targets_;
  std::vector<Row> rows_;
};

}  // namespace

std::string list_variables(const d::typed::Program& program, const Storage& storage,
                           const types::TypeTable& types,
                           const std::function<std::uint32_t(const Span&)>& line_of) {
  std::string out;
  for (const d::typed::Clause& clause : program.clauses) {
    Table table(program, storage, line_of);
    table.add(clause);
    out += table.text(types);
  }
  return out;
}

}  // namespace kinst::codegen
