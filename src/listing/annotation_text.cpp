//     count  offset            instruction           what became of jumps and calls
//      1000       5     +0x5  push %r15
//      1000      35    +0x23  je +0x2f8              taken 3, not 997
//                               997 → vfs_read ...
#include "listing/annotation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kinst::listing {
namespace {

constexpr std::string_view plain = "\x1b[0m";

std::string_view colour_of(Heat heat) {
  switch (heat) {
    case Heat::Never:
      return "\x1b[2m";
    case Heat::Warm:
      return "\x1b[33m";
    case Heat::Hot:
      return "\x1b[1;31m";
    case Heat::Usual:
    case Heat::Unknown:
      break;
  }
  return {};
}

std::string coloured(std::string_view text, std::string_view with, Colour colour) {
  return colour == Colour::No || with.empty()
             ? std::string(text)
             : fmt::format("{}{}{}", with, text, plain);
}

std::string note_of(const AnnotatedRow& row) {
  if (row.taken.is_known()) {
    const std::uint64_t not_taken =
        row.executed.value - std::min(row.executed.value, row.taken.value);
    return row.executed.value == 0
               ? std::string()
               : fmt::format("taken {}, not {}", row.taken.value, not_taken);
  }
  return row.row.refused.empty() ? std::string()
                                 : fmt::format("no probe: {}", row.row.refused);
}

std::string row_text(const AnnotatedRow& row, Colour colour) {
  std::string out =
      fmt::format("{:>12} {:>6} {:>7}  {:<44}  {}", count_text(row.executed),
                  number(row.row.offset), fmt::format("+{:#x}", number(row.row.offset)),
                  row.row.text, note_of(row));
  out.erase(out.find_last_not_of(' ') + 1);
  out = coloured(out, colour_of(row.heat), colour) + "\n";
  for (const TargetCount& target : row.targets) {
    out += fmt::format("{:>41} to {}\n", target.count, target.name);
  }
  return out;
}

// Paths are long and mostly the same; -O json has them whole.
std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string source_text(const SourcePlace& source, Colour colour) {
  return coloured(
             fmt::format("{:>14}{}:{}{}{}", "", file_name(source.file), source.line,
                         source.text.empty() ? "" : "  ", source.text),
             "\x1b[36m", colour) +
         "\n";
}

bool is_same_line(const std::optional<SourcePlace>& left,
                  const std::optional<SourcePlace>& right) {
  return left == right;
}

std::string plural(std::uint64_t count, std::string_view singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

std::string exits_text(const Annotation& annotation) {
  std::string out;
  for (const TargetCount& exit : annotation.exits) {
    out += out.empty() ? " (" : ", ";
    out += exit.name == "return" ? plural(exit.count, "return")
                                 : fmt::format("{} to {}", exit.count, exit.name);
  }
  return out.empty() ? out : out + ")";
}

std::string balance_text(const Annotation& annotation) {
  const Flow& flow = annotation.flow;
  const bool is_known = flow.returned.is_known() && flow.jumped_out.is_known();
  std::string out = fmt::format("entered {}", count_text(flow.entered));
  if (flow.came_from_inside != 0) {
    out += fmt::format(" + {} inside before", flow.came_from_inside);
  }
  out += fmt::format(
      " {} left {}{}", flow.adds_up() ? "=" : "≠",
      is_known ? fmt::format("{}", flow.returned.value + flow.jumped_out.value) : "?",
      exits_text(annotation));
  out += fmt::format(" + {} still inside", flow.kept_inside);
  return out;
}

}  // namespace

std::string counted_where(const RunFacts& run) {
  if (!run.process) {
    return "counted in all processes";
  }
  return fmt::format("counted in process {}{}{}", *run.process,
                     run.command.empty() ? "" : fmt::format(" ({})", run.command),
                     run.without_children ? " alone" : " and its children");
}

std::vector<std::string> sums_of(const Annotation& annotation) {
  const Flow& flow = annotation.flow;
  std::vector<std::string> out{balance_text(annotation)};
  const auto unknown = static_cast<std::uint64_t>(std::ranges::count_if(
      flow.executed, [](const Count& count) { return !count.is_known(); }));
  const auto derived = static_cast<std::uint64_t>(
      std::ranges::count(flow.executed, Certainty::Derived, &Count::certainty));
  const std::uint64_t probes = flow.executed.size() - unknown - derived;
  out.push_back(fmt::format(
      "{} of {} with a probe{}{}", probes, plural(flow.executed.size(), "instruction"),
      derived == 0 ? "" : fmt::format(", {} derived: (count)", derived),
      unknown == 0 ? "" : fmt::format(", {} not known: ?", unknown)));
  out.push_back(fmt::format("{}: what comes in goes out{}",
                            plural(flow.blocks.size(), "block"),
                            flow.differences.empty() ? " in every one" : ", but for:"));
  for (const Difference& difference : flow.differences) {
    out.push_back("  " + explain(annotation, difference));
  }
  if (annotation.run.missed != 0) {
    out.push_back(fmt::format("{} not counted: the kernel runs no probe within another",
                              plural(annotation.run.missed, "hit")));
  }
  return out;
}

std::string to_text(const Annotation& annotation, Colour colour) {
  const Disassembly& whole = annotation.parts.front();
  std::string out = fmt::format(
      "{} at {:#x}: {} bytes, {}\n{}\n\n",
      coloured(fmt::format("{}:{}", annotation.module, annotation.function), "\x1b[1m",
               colour),
      number(whole.address), whole.size_bytes,
      plural(annotation.rows.size(), "instruction"), counted_where(annotation.run));
  std::optional<SourcePlace> source;
  std::size_t part = 0;
  for (const AnnotatedRow& row : annotation.rows) {
    if (row.part != part) {
      part = row.part;
      out += fmt::format("\n{}\n", annotation.parts[part].function);
    }
    if (row.source && !is_same_line(row.source, source)) {
      out += source_text(*row.source, colour);
    }
    source = row.source;
    out += row_text(row, colour);
  }
  out += "\n";
  for (const std::string& sum : sums_of(annotation)) {
    out += sum + "\n";
  }
  return out;
}

}  // namespace kinst::listing
