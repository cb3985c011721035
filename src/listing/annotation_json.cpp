#include "listing/annotation_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text/json_text.h"

namespace kinst::listing {
namespace {

// `"NAME":12`, with `"NAME_derived":true` if so; null if it is not known.
std::string count_members(std::string_view name, const Count& count) {
  if (!count.is_known()) {
    return fmt::format("\"{}\":null", name);
  }
  return fmt::format("\"{}\":{}{}", name, count.value,
                     count.certainty == Certainty::Derived
                         ? fmt::format(",\"{}_derived\":true", name)
                         : "");
}

// Elements between brackets, each made by `element`.
template <typename List, typename Element>
std::string array(const List& list, Element element) {
  std::string out = "[";
  for (const auto& one : list) {
    out += out.size() == 1 ? "" : ",";
    out += element(one);
  }
  return out + "]";
}

std::string target_json(const TargetCount& target) {
  return fmt::format(R"({{"target":{},"count":{}}})", json_string(target.name),
                     target.count);
}

std::string row_json(const Annotation& annotation, const AnnotatedRow& row) {
  std::string out = "{" + json_members(row.row);
  if (row.part != 0) {
    out +=
        fmt::format(",\"part\":{}", json_string(annotation.parts[row.part].function));
  }
  out += fmt::format(",\"block\":{},{}", row.block,
                     count_members("executed", row.executed));
  if (row.taken.is_known()) {
    out +=
        fmt::format(R"(,"taken":{},"not_taken":{})", row.taken.value,
                    row.executed.value - std::min(row.executed.value, row.taken.value));
  }
  if (!row.targets.empty()) {
    out += fmt::format(",\"targets\":{}", array(row.targets, target_json));
  }
  if (row.source) {
    out += fmt::format(R"(,"file":{},"line":{})", json_string(row.source->file),
                       row.source->line);
  }
  return out + "}";
}

std::string_view kind_name(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::Next:
      return "next";
    case EdgeKind::Taken:
      return "taken";
    case EdgeKind::Jump:
      return "jump";
    case EdgeKind::Indirect:
      return "indirect";
    case EdgeKind::Return:
      return "return";
  }
  return "";
}

std::string edge_json(const Annotation& annotation, std::size_t number) {
  const Edge& edge = annotation.flow.edges[number];
  const std::string& target = annotation.edge_targets[number];
  const std::vector<std::size_t>& block_of = annotation.flow.block_of;
  std::string out = fmt::format(
      R"({{"kind":"{}","from":{},"to":{},{})", kind_name(edge.kind),
      block_of[edge.from], edge.to ? fmt::format("{}", block_of[*edge.to]) : "null",
      count_members("count", edge.count));
  if (edge.kind != EdgeKind::Return && !target.empty()) {
    out += fmt::format(",\"target\":{}", json_string(target));
  }
  return out + "}";
}

std::string block_json(const Annotation& annotation, const Block& block) {
  const Count& in = annotation.flow.executed[block.first];
  const Count& out = annotation.flow.executed[block.last];
  return fmt::format(R"({{"first":{},"last":{},{},{}}})", block.first, block.last,
                     count_members("in", in), count_members("out", out));
}

std::string difference_json(const Annotation& annotation, const Difference& one) {
  return fmt::format(R"({{"instruction":{},"amount":{},"explanation":{}}})", one.at,
                     one.amount, json_string(explain(annotation, one)));
}

std::string sums_json(const Annotation& annotation) {
  const Flow& flow = annotation.flow;
  return fmt::format(
      "{{{},\"inside_before\":{},{},{},\"still_inside\":{},\"adds_up\":{},"
      "\"missed_hits\":{},\"exits\":{},\"differences\":{}}}",
      count_members("entered", flow.entered), flow.came_from_inside,
      count_members("returned", flow.returned),
      count_members("jumped_out", flow.jumped_out), flow.kept_inside, flow.adds_up(),
      annotation.run.missed, array(annotation.exits, target_json),
      array(flow.differences,
            [&](const Difference& one) { return difference_json(annotation, one); }));
}

}  // namespace

std::string to_json(const Annotation& annotation) {
  const Disassembly& whole = annotation.parts.front();
  std::string out = fmt::format(
      R"({{"type":"annotation","module":{},"function":{},"address":"{:#x}",)"
      R"("size":{})",
      json_string(annotation.module), json_string(annotation.function),
      number(whole.address), whole.size_bytes);
  const RunFacts& run = annotation.run;
  out += fmt::format(",\"process\":{}",
                     run.process ? fmt::format("{}", *run.process) : "null");
  if (!run.command.empty()) {
    out += fmt::format(",\"command\":{}", json_string(run.command));
  }
  std::string edges = "[";
  for (std::size_t i = 0; i < annotation.flow.edges.size(); ++i) {
    edges += (i == 0 ? "" : ",") + edge_json(annotation, i);
  }
  edges += "]";
  out += fmt::format(
      ",\"instructions\":{},\"blocks\":{},\"edges\":{},\"sums\":{}}}\n",
      array(annotation.rows,
            [&](const AnnotatedRow& row) { return row_json(annotation, row); }),
      array(annotation.flow.blocks,
            [&](const Block& block) { return block_json(annotation, block); }),
      edges, sums_json(annotation));
  return out;
}

}  // namespace kinst::listing
