// Annotated functions as an HTML page: for each function the sums, the control-flow
// graph and the listing. The page refers to nothing outside itself.
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

/// The page, with its graphs in Graphviz's language; lay_out_page() lays them out.
std::string page_source(std::span<const Annotation> annotations);

/// Makes an SVG document of a graph.
using LayOut = std::function<Result<std::string>(std::string_view graph)>;

/// The page with its graphs laid out. Errors: those of `lay_out`.
Result<std::string> lay_out_page(std::string_view source, const LayOut& lay_out);

/// The place of a page of page_source() in a longer text.
struct PagePlace {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< behind its last byte
};
/// Finds the page in `text`; nothing if there is no page.
std::optional<PagePlace> find_page(std::string_view text);

}  // namespace kinst::listing
