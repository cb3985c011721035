// `--html`: lays graphs out with Graphviz and writes the page to its file.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace kinst::command {

/// Makes an SVG document of a graph in Graphviz's language.
/// Errors: Graphviz is not installed (the message names the package); Graphviz failed.
Result<std::string> lay_out_graph(std::string_view graph);

/// Checks that graphs can be laid out; to be called before a long run. Errors: those of
/// lay_out_graph().
Result<void> check_graph_layout();

/// Writes a page of listing::page_source() to a file, with its graphs laid out.
/// Errors: those of lay_out_graph(); the file cannot be written.
Result<void> write_page(const std::string& path, std::string_view source);

}  // namespace kinst::command
