// Annotated functions as a page for a browser: for each the sums, the control-flow
// graph and the listing. Nothing in it refers to anything outside of it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "listing/annotation.h"

namespace kinst::listing {

/// The page with its graphs in Graphviz's language, still to be laid out.
std::string page_source(std::span<const Annotation> annotations);

/// Makes an SVG document of a graph.
using LayOut = std::function<Result<std::string>(std::string_view graph)>;

/// The page with its graphs laid out. Errors: those of `lay_out`.
Result<std::string> lay_out_page(std::string_view source, const LayOut& lay_out);

/// Where a page of page_source() stands in a longer text.
struct PagePlace {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< behind its last byte
};
/// Nothing if there is none.
std::optional<PagePlace> find_page(std::string_view text);

}  // namespace kinst::listing
