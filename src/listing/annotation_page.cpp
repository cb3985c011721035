#include "listing/annotation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "listing/annotation_text.h"
#include "listing/graph_source.h"
#include "listing/html_text.h"

namespace kinst::listing {
namespace {

constexpr std::string_view page_begin =
    "<!DOCTYPE html>\n<!-- made by kinst --annotate -->\n";
constexpr std::string_view page_end = "</body>\n</html>\n";
constexpr std::string_view graph_begin = "<script type=\"text/vnd.graphviz\">";
constexpr std::string_view graph_end = "</script>";

constexpr std::string_view style = R"(
body { font: 15px/1.45 system-ui, sans-serif; color: #222; background: #fff;
  margin: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; }
table + h1 { margin-top: 3rem; }
h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
p, ul { margin: .2rem 0; }
.sums { list-style: none; padding: 0; }
.sums .why { padding-left: 1.5rem; color: #555; }
.graph { overflow: auto; border: 1px solid #ccc; padding: .5rem; max-height: 90vh; }
.graph svg { display: block; margin: 0 auto; }
.graph svg text { font-family: Courier, "Courier New", "Liberation Mono", monospace; }
.graph a:hover polygon { stroke: #d32f2f; stroke-width: 2; }
.fit:checked ~ .graph svg { width: 100%; height: auto; }
.key span { margin-right: 1.2rem; white-space: nowrap; }
.key i { display: inline-block; width: 1.6rem; height: .8rem; margin-right: .35rem;
  vertical-align: middle; }
table { border-collapse: collapse; font: 13px/1.35 "Liberation Mono", Menlo, Consolas,
  monospace; }
td { padding: 0 .8rem 0 0; white-space: pre; vertical-align: top; }
td.count, td.number { text-align: right; }
td.bar { width: 7rem; padding: 0 .6rem 0 0; }
td.bar i { display: block; height: .75rem; margin-top: .2rem; background: #7aa6d1; }
tr.first td { border-top: 1px solid #ddd; }
tr.never td { color: #999; }
tr.warm td.count { background: #ffdf9e; }
tr.hot td.count { background: #ffab91; font-weight: bold; }
tr.warm i { background: #f0b64a; }
tr.hot i { background: #e8704f; }
tr.source td { color: #00695c; padding-top: .3rem; }
tr:target td { outline: 2px solid #d32f2f; }
.note { color: #666; }
)";

std::string_view heat_class(Heat heat) {
  switch (heat) {
    case Heat::Never:
      return "never";
    case Heat::Warm:
      return "warm";
    case Heat::Hot:
      return "hot";
    case Heat::Usual:
    case Heat::Unknown:
      break;
  }
  return "usual";
}

// What became of the instruction, a line each.
std::string notes(const AnnotatedRow& row) {
  std::vector<std::string> out;
  if (row.taken.is_known() && row.executed.value != 0) {
    out.push_back(fmt::format(
        "taken {}, not {}", row.taken.value,
        row.executed.value - std::min(row.executed.value, row.taken.value)));
  }
  for (const TargetCount& target : row.targets) {
    out.push_back(html_text(fmt::format("{} to {}", target.count, target.name)));
  }
  if (!row.row.refused.empty()) {
    out.push_back(html_text("no probe: " + row.row.refused));
  }
  return fmt::format("{}", fmt::join(out, "<br>"));
}

// One instruction. The first of a block is where the graph's box leads.
std::string row_html(const Annotation& annotation, std::size_t number,
                     std::uint64_t most, std::string_view anchor) {
  const AnnotatedRow& row = annotation.rows[number];
  const bool is_first = annotation.flow.blocks[row.block].first == number;
  const double percent = most == 0 ? 0
                                   : 100.0 * static_cast<double>(row.executed.value) /
                                         static_cast<double>(most);
  return fmt::format(
      "<tr{} class=\"{}{}\"><td class=\"count\">{}</td><td class=\"bar\">"
      "<i style=\"width:{:.0f}%\"></i></td><td class=\"number\">{}</td><td>{}</td>"
      "<td>{}</td><td class=\"note\">{}</td></tr>\n",
      is_first ? fmt::format(" id=\"{}_{}\"", anchor, row.block) : "",
      heat_class(row.heat), is_first ? " first" : "", count_text(row.executed), percent,
      kinst::number(row.row.offset), html_text(place_text(annotation, number)),
      html_text(row.row.text), notes(row));
}

std::string source_html(const SourcePlace& source) {
  const std::string_view file =
      std::string_view(source.file).substr(source.file.rfind('/') + 1);
  return fmt::format(
      "<tr class=\"source\"><td colspan=\"4\"></td><td colspan=\"2\" title=\"{}\">"
      "{}:{}  {}</td></tr>\n",
      html_text(source.file), html_text(file), source.line, html_text(source.text));
}

std::string listing_html(const Annotation& annotation, std::string_view anchor) {
  std::uint64_t most = 0;
  for (const AnnotatedRow& row : annotation.rows) {
    most = std::max(most, row.executed.value);
  }
  std::string out = "<table>\n";
  std::optional<SourcePlace> source;
  for (std::size_t number = 0; number < annotation.rows.size(); ++number) {
    const AnnotatedRow& row = annotation.rows[number];
    if (row.source && row.source != source) {
      out += source_html(*row.source);
    }
    source = row.source;
    out += row_html(annotation, number, most, anchor);
  }
  return out + "</table>\n";
}

std::string sums_html(const Annotation& annotation) {
  std::string out = "<ul class=\"sums\">\n";
  for (const std::string& sum : sums_of(annotation)) {
    out += fmt::format("<li{}>{}</li>\n", sum.starts_with(' ') ? " class=\"why\"" : "",
                       html_text(sum));
  }
  return out + "</ul>\n";
}

constexpr std::string_view key = R"(<p class="key">
<span><i style="background:#d6e6f5"></i>as often as the mean</span>
<span><i style="background:#ffdf9e"></i>1.5 times as often</span>
<span><i style="background:#ffab91"></i>4 times as often</span>
<span><i style="background:#eeeeee"></i>never</span>
<span><i style="background:#2e7d32;height:3px"></i>jump taken</span>
<span><i style="background:#444;height:3px"></i>not taken, or next</span>
<span><i style="background:#1565c0;height:3px"></i>jump</span>
<span><i style="background:#6a3d9a;height:3px"></i>indirect jump</span>
</p>
)";

std::string function_html(const Annotation& annotation, std::string_view anchor) {
  return fmt::format(
      "<h1>{}:{}</h1>\n<p>{}; {}</p>\n{}<h2>Control flow</h2>\n{}"
      "<input type=\"checkbox\" class=\"fit\" id=\"{}_fit\">"
      "<label for=\"{}_fit\"> fit to the window</label>\n"
      "<div class=\"graph\">\n{}{}{}\n</div>\n<h2>Instructions</h2>\n{}",
      html_text(annotation.module), html_text(annotation.function),
      fmt::format("{} instructions", annotation.rows.size()),
      html_text(counted_where(annotation.run)), sums_html(annotation), key, anchor,
      anchor, graph_begin, graph_source(annotation, anchor), graph_end,
      listing_html(annotation, anchor));
}

// The picture alone, as HTML takes it in: without the XML around it and without names
// of namespaces, which a browser knows, and which look like references to the outside.
std::string inline_svg(std::string_view document) {
  std::string out(document.substr(std::min(document.find("<svg"), document.size())));
  for (const std::string_view name : {" xmlns=\"", " xmlns:xlink=\""}) {
    const std::size_t begin = out.find(name);
    if (begin != std::string::npos) {
      out.erase(begin, out.find('"', begin + name.size()) + 1 - begin);
    }
  }
  return out;
}

}  // namespace

std::string page_source(std::span<const Annotation> annotations) {
  std::string names;
  for (const Annotation& annotation : annotations) {
    names += (names.empty() ? "" : ", ") + annotation.function;
  }
  std::string out = fmt::format(
      "{}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
      page_begin, html_text(names), style);
  for (std::size_t i = 0; i < annotations.size(); ++i) {
    out += function_html(annotations[i], fmt::format("f{}", i));
  }
  return out + std::string(page_end);
}

Result<std::string> lay_out_page(std::string_view source, const LayOut& lay_out) {
  std::string out;
  while (true) {
    const std::size_t begin = source.find(graph_begin);
    const std::size_t end = source.find(graph_end);
    if (begin == std::string_view::npos || end == std::string_view::npos) {
      return out.append(source);
    }
    const std::size_t graph = begin + graph_begin.size();
    out += source.substr(0, begin);
    out += inline_svg(KINST_TRY(lay_out(source.substr(graph, end - graph))));
    source.remove_prefix(end + graph_end.size());
  }
}

std::optional<PagePlace> find_page(std::string_view text) {
  const std::size_t begin = text.find(page_begin);
  const std::size_t end = text.find(page_end, std::min(begin, text.size()));
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    return std::nullopt;
  }
  return PagePlace{.begin = begin, .end = end + page_end.size()};
}

}  // namespace kinst::listing
