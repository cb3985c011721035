// `--html`: graphs laid out by Graphviz, and the page in its file.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace kinst::session {

/// Makes an SVG document of a graph in Graphviz's language.
/// Errors: Graphviz is not installed, which package it is in; it failed.
Result<std::string> lay_out_graph(std::string_view graph);

/// That graphs can be laid out at all: to be asked before a long run. Errors: those of
/// lay_out_graph().
Result<void> check_graph_layout();

/// Writes a page of listing::page_source() to a file with its graphs laid out.
/// Errors: those of lay_out_graph(); the file cannot be written.
Result<void> write_page(const std::string& path, std::string_view source);

}  // namespace kinst::session
