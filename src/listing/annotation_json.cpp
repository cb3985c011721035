#include "listing/annotation_json.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/text/json_writer.h"

namespace kinst::listing {
namespace {

// "NAME":12, with "NAME_derived":true if so; null if it is not known.
void write_count(JsonWriter& json, std::string_view name, const Count& count) {
  json.key(name);
  if (!count.is_known()) {
    json.null();
    return;
  }
  json.value(count.value);
  if (count.certainty == Certainty::Derived) {
    json.member(std::string(name) + "_derived", true);
  }
}

// "NAME":[…]: `write` writes the members of the object that each element becomes.
template <typename List, typename Write>
void write_objects(JsonWriter& json, std::string_view name, const List& list,
                   Write write) {
  json.key(name);
  json.begin_array();
  for (const auto& element : list) {
    json.begin_object();
    write(element);
    json.end_object();
  }
  json.end_array();
}

void write_targets(JsonWriter& json, std::string_view name,
                   const std::vector<TargetCount>& targets) {
  write_objects(json, name, targets, [&](const TargetCount& target) {
    json.member("target", target.name);
    json.member("count", target.count);
  });
}

void write_row(JsonWriter& json, const Annotation& annotation,
               const AnnotatedRow& row) {
  write_members(json, row.row);
  if (row.part != 0) {
    json.member("part", annotation.parts[row.part].function);
  }
  json.member("block", row.block);
  write_count(json, "executed", row.executed);
  if (row.taken.is_known()) {
    json.member("taken", row.taken.value);
    json.member("not_taken",
                row.executed.value - std::min(row.executed.value, row.taken.value));
  }
  if (!row.targets.empty()) {
    write_targets(json, "targets", row.targets);
  }
  if (row.source) {
    json.member("file", row.source->file);
    json.member("line", row.source->line);
  }
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

// target: what the edge leads to, if that is outside of the function.
void write_edge(JsonWriter& json, const Flow& flow, const Edge& edge,
                std::string_view target) {
  json.member("kind", kind_name(edge.kind));
  json.member("from", flow.block_of[edge.from]);
  json.member("to", edge.to ? std::optional(flow.block_of[*edge.to]) : std::nullopt);
  write_count(json, "count", edge.count);
  if (edge.kind != EdgeKind::Return) {
    json.member_unless_empty("target", target);
  }
}

void write_edges(JsonWriter& json, const Annotation& annotation) {
  auto target = annotation.edge_targets.begin();
  write_objects(json, "edges", annotation.flow.edges, [&](const Edge& edge) {
    write_edge(json, annotation.flow, edge, *target++);
  });
}

void write_block(JsonWriter& json, const Flow& flow, const Block& block) {
  json.member("first", block.first);
  json.member("last", block.last);
  write_count(json, "in", flow.executed[block.first]);
  write_count(json, "out", flow.executed[block.last]);
}

void write_sums(JsonWriter& json, const Annotation& annotation) {
  const Flow& flow = annotation.flow;
  json.key("sums");
  json.begin_object();
  write_count(json, "entered", flow.entered);
  json.member("inside_before", flow.came_from_inside);
  write_count(json, "returned", flow.returned);
  write_count(json, "jumped_out", flow.jumped_out);
  json.member("still_inside", flow.kept_inside);
  json.member("adds_up", flow.adds_up());
  json.member("missed_hits", annotation.run.missed);
  write_targets(json, "exits", annotation.exits);
  write_objects(json, "differences", flow.differences,
                [&](const Difference& difference) {
                  json.member("instruction", difference.at);
                  json.member("amount", difference.amount);
                  json.member("explanation", explain(annotation, difference));
                });
  json.end_object();
}

}  // namespace

std::string to_json(const Annotation& annotation) {
  std::string out;
  append_json_line(out, "annotation", [&](JsonWriter& json) {
    write_members(json, annotation.parts.front());
    json.member("process", annotation.run.process);
    json.member_unless_empty("command", annotation.run.command);
    write_objects(json, "instructions", annotation.rows,
                  [&](const AnnotatedRow& row) { write_row(json, annotation, row); });
    write_objects(json, "blocks", annotation.flow.blocks, [&](const Block& block) {
      write_block(json, annotation.flow, block);
    });
    write_edges(json, annotation);
    write_sums(json, annotation);
  });
  return out;
}

}  // namespace kinst::listing
