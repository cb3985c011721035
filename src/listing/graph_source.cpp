// Graphviz wants text in HTML-like labels, where spaces must not collapse. Courier is
// the one monospaced font whose widths it knows without the font.
#include "listing/graph_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "listing/html_text.h"

namespace kinst::listing {
namespace {

// A long block of straight code is cut in the middle; its ends tell enough.
constexpr std::size_t most_lines = 40;

std::string label_text(std::string_view text) {
  std::string out;
  for (const char c : html_text(text)) {
    out += c == ' ' ? "&#160;" : std::string(1, c);
  }
  return out;
}

std::string_view fill_of(Heat heat) {
  switch (heat) {
    case Heat::Never:
      return "#eeeeee";
    case Heat::Usual:
      return "#d6e6f5";
    case Heat::Warm:
      return "#ffdf9e";
    case Heat::Hot:
      return "#ffab91";
    case Heat::Unknown:
      break;
  }
  return "#f6ecff";
}

std::string instruction_line(const Annotation& annotation, std::size_t row,
                             std::string_view colour) {
  const AnnotatedRow& annotated = annotation.rows[row];
  std::string out =
      fmt::format(R"(<FONT COLOR="{}">{}</FONT><BR ALIGN="LEFT"/>)", colour,
                  label_text(fmt::format("{:<7} {}", place_text(annotation, row),
                                         annotated.row.text)));
  for (const TargetCount& target : annotated.targets) {
    out += fmt::format(
        R"(<FONT COLOR="#6a3d9a">{}</FONT><BR ALIGN="LEFT"/>)",
        label_text(fmt::format("{:<9} {} to {}", "", target.count, target.name)));
  }
  return out;
}

std::string source_line(const SourcePlace& source) {
  constexpr std::size_t most_characters = 60;
  const std::string_view file =
      std::string_view(source.file).substr(source.file.rfind('/') + 1);
  return fmt::format(R"(<FONT COLOR="#777777">{}</FONT><BR ALIGN="LEFT"/>)",
                     label_text(fmt::format("{}:{}  {}", file, source.line,
                                            source.text.substr(0, most_characters))));
}

std::string block_lines(const Annotation& annotation, const Block& block) {
  const std::size_t count = block.last - block.first + 1;
  const bool is_long = count > most_lines;
  const std::string_view colour =
      annotation.rows[block.first].heat == Heat::Never ? "#888888" : "#000000";
  std::string out;
  const SourcePlace* before = nullptr;
  for (std::size_t row = block.first; row <= block.last; ++row) {
    const std::size_t place = row - block.first;
    if (is_long && place == most_lines / 2) {
      const std::size_t left_out = count - most_lines;
      out += fmt::format("{}<BR ALIGN=\"LEFT\"/>",
                         label_text(fmt::format("        ... {} more", left_out)));
      row += left_out;
    }
    const AnnotatedRow& annotated = annotation.rows[row];
    if (annotated.source && (before == nullptr || *before != *annotated.source)) {
      out += source_line(*annotated.source);
    }
    before = annotated.source ? &*annotated.source : nullptr;
    out += instruction_line(annotation, row, colour);
  }
  return out;
}

std::string block_heading(const Annotation& annotation, std::size_t number) {
  const Block& block = annotation.flow.blocks[number];
  const std::string in = count_text(annotation.flow.executed[block.first]);
  const std::string out = count_text(annotation.flow.executed[block.last]);
  return in == out ? fmt::format("block {}: {}", number, in)
                   : fmt::format("block {}: {} in, {} out", number, in, out);
}

std::string box(const Annotation& annotation, std::size_t number,
                std::string_view anchor) {
  const Block& block = annotation.flow.blocks[number];
  return fmt::format(
      "  b{0} [id=\"{1}_box_{0}\", URL=\"#{1}_{0}\", label=<<TABLE BORDER=\"0\" "
      "CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"4\"><TR><TD ALIGN=\"LEFT\" "
      "BGCOLOR=\"{2}\"><B>{3}</B></TD></TR><TR><TD ALIGN=\"LEFT\" "
      "BALIGN=\"LEFT\">{4}</TD></TR></TABLE>>];\n",
      number, anchor, fill_of(annotation.rows[block.first].heat),
      label_text(block_heading(annotation, number)), block_lines(annotation, block));
}

std::string_view colour_of(const Edge& edge) {
  if (edge.count.is_known() && edge.count.value == 0) {
    return "#bbbbbb";
  }
  switch (edge.kind) {
    case EdgeKind::Taken:
      return "#2e7d32";
    case EdgeKind::Jump:
      return "#1565c0";
    case EdgeKind::Indirect:
      return "#6a3d9a";
    case EdgeKind::Next:
    case EdgeKind::Return:
      break;
  }
  return "#444444";
}

// Blocks that nothing leads to and that cannot have a probe are fillers that compilers
// put behind returns. They would only be in the way.
std::vector<bool> drawn_blocks(const Annotation& annotation) {
  const Flow& flow = annotation.flow;
  std::vector<bool> out(flow.blocks.size());
  for (std::size_t block = 0; block < out.size(); ++block) {
    const auto first =
        annotation.rows.begin() + static_cast<std::ptrdiff_t>(flow.blocks[block].first);
    const auto end = annotation.rows.begin() +
                     static_cast<std::ptrdiff_t>(flow.blocks[block].last + 1);
    out[block] = block == 0 || std::any_of(first, end, [](const AnnotatedRow& row) {
                   return row.executed.certainty == Certainty::Counted ||
                          row.executed.value != 0;
                 });
  }
  for (const Edge& edge : flow.edges) {
    if (edge.to && (edge.kind != EdgeKind::Next || out[flow.block_of[edge.from]])) {
      out[flow.block_of[*edge.to]] = true;
    }
  }
  return out;
}

// An edge is as thick as its share of the most frequent edge.
std::string edge_attributes(const Edge& edge, std::uint64_t most) {
  const double share =
      most == 0 ? 0 : static_cast<double>(edge.count.value) / static_cast<double>(most);
  const bool is_never = edge.count.is_known() && edge.count.value == 0;
  return fmt::format(
      "label=\" {0} \", color=\"{1}\", fontcolor=\"{1}\", penwidth={2:.2f}, "
      "weight={3:.0f}{4}",
      count_text(edge.count), colour_of(edge), 0.8 + 4.2 * share, 1 + 9 * share,
      is_never ? ", style=dashed, fontcolor=\"#999999\"" : "");
}

// Where control goes when it leaves.
std::string outside(std::size_t number, const std::string& name) {
  return fmt::format("  x{} [label=\"{}\", shape=plaintext];\n", number,
                     name.empty() ? "end of the function" : html_text(name));
}

}  // namespace

std::string graph_source(const Annotation& annotation, std::string_view anchor) {
  const Flow& flow = annotation.flow;
  std::uint64_t most = flow.entered.value;
  for (const Edge& edge : flow.edges) {
    most = std::max(most, edge.count.value);
  }
  std::string out =
      "digraph {\n  graph [ranksep=0.45, nodesep=0.35];\n"
      "  node [shape=box, margin=0, fontname=\"Courier\", fontsize=11];\n"
      "  edge [fontname=\"Courier\", fontsize=11, arrowsize=0.7];\n"
      "  entry [label=\"entry\", shape=plaintext];\n";
  const std::vector<bool> is_drawn = drawn_blocks(annotation);
  for (std::size_t block = 0; block < flow.blocks.size(); ++block) {
    out += is_drawn[block] ? box(annotation, block, anchor) : "";
  }
  out += fmt::format(
      "  entry -> b0 [{}];\n",
      edge_attributes({.kind = EdgeKind::Next, .count = flow.entered}, most));
  for (std::size_t number = 0; number < flow.edges.size(); ++number) {
    const Edge& edge = flow.edges[number];
    if (!is_drawn[flow.block_of[edge.from]]) {
      continue;
    }
    if (!edge.to) {
      out += outside(number, annotation.edge_targets[number]);
    }
    out +=
        fmt::format("  b{} -> {} [id=\"{}_edge_{}\", {}];\n", flow.block_of[edge.from],
                    edge.to ? fmt::format("b{}", flow.block_of[*edge.to])
                            : fmt::format("x{}", number),
                    anchor, number, edge_attributes(edge, most));
  }
  return out + "}\n";
}

}  // namespace kinst::listing
