// The control-flow graph of an annotated function in Graphviz's language.
#pragma once

#include <string>
#include <string_view>

#include "listing/annotation.h"

namespace kinst::listing {

/// A box for each block, with its instructions and its count, coloured by heat; an edge
/// for each way between them, with its count, as thick as that. What leaves the
/// function goes to a place of its own. Fillers that nothing leads to are left out.
/// anchor: begins what the page names rows and nodes: block 3's box has the id
/// "ANCHOR_box_3" and leads to "#ANCHOR_3", edges have "ANCHOR_edge_0" and so on.
std::string graph_source(const Annotation& annotation, std::string_view anchor);

}  // namespace kinst::listing
