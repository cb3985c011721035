// An annotated function as text, for people.
#pragma once

#include <string>

#include "listing/annotation.h"

namespace kinst::listing {

/// The function's heading, a row for each instruction below its source line, and the
/// sums. In colour, instructions that were never executed are dim, and those executed
/// much more often than the mean stand out.
std::string to_text(const Annotation& annotation, Colour colour);

/// The sums, as lines without newlines: what entered and left the function, what the
/// comparison of blocks found, what was missed.
std::vector<std::string> sums_of(const Annotation& annotation);

/// "counted in process 12 (dd if=/dev/zero) and its children", "counted in all
/// processes".
std::string counted_where(const RunFacts& run);

}  // namespace kinst::listing
