// The control-flow graph of an annotated function in Graphviz's language.
#pragma once

#include <string>
#include <string_view>

#include "listing/annotation.h"

namespace kinst::listing {

/// Draws a box for each block, with its instructions and its count, coloured by heat;
/// and an edge for each way between blocks, with its count, which decides its
/// thickness. Edges that leave the function go to a place of their own. Fillers to
/// which nothing leads are left out.
/// anchor: the prefix of the page's names for rows and nodes. Block 3's box has the id
/// "ANCHOR_box_3" and links to "#ANCHOR_3"; edges have "ANCHOR_edge_0" and so on.
std::string graph_source(const Annotation& annotation, std::string_view anchor);

}  // namespace kinst::listing
