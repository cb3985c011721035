#include "command/options/usage.h"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "command/options/option_table.h"

namespace kinst::command {
namespace {

// An option, and others that are joined to it.
struct Cell {
  std::string synopsis;
  std::string_view meaning;
};

// Two options a line.
std::string in_columns(const std::vector<Cell>& cells) {
  std::string out;
  for (std::size_t at = 0; at < cells.size(); at += 2) {
    const Cell& left = cells[at];
    const Cell right = at + 1 < cells.size() ? cells[at + 1] : Cell();
    std::string line = fmt::format("  {:<12}{:<29}{:<11}{}", left.synopsis,
                                   left.meaning, right.synopsis, right.meaning);
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string option_lines() {
  std::string out;
  std::vector<Cell> cells;
  for (const option::Row& row : option::rows()) {
    const option::Usage& usage = row.usage;
    switch (usage.place) {
      case option::Usage::Place::Nowhere:
        break;
      case option::Usage::Place::Column:
        cells.push_back({std::string(usage.synopsis), usage.meaning});
        break;
      case option::Usage::Place::Joined:
        cells.back().synopsis += fmt::format(" {}", usage.synopsis);
        break;
      case option::Usage::Place::Line:
        out += in_columns(cells);
        cells.clear();
        out += fmt::format("  {:<20}   {}\n", usage.synopsis, usage.meaning);
        break;
    }
  }
  return out + in_columns(cells);
}

}  // namespace

std::string usage(std::string_view command) {
  return fmt::format(
             R"(Usage: {0} [options] [-n|-f|-m|-P|-i DESCRIPTION[/PREDICATE/]{{ACTIONS}}]... [ARG...]
       {0} [options] -s SCRIPT [ARG...]      ARGs are $1, $2, ... in the program
)",
             command) +
         option_lines() +
         fmt::format(
             "Example: {0} -n 'kinst::vfs_read: {{ @[probename] = count(); }} tick-5s "
             "{{ exit(0); }}'\n",
             command);
}

std::string version(std::string_view command) {
  return fmt::format("{}: kinst {}, D 2.0\n", command, KINST_VERSION);
}

}  // namespace kinst::command
