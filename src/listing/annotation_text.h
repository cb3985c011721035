// An annotated function as text, for people.
#pragma once

#include <string>

#include "listing/annotation.h"

namespace kinst::listing {

/// The function's head, a row for each instruction under its source line, and the sums.
/// In colour what was never executed is dim, what was executed much more often than the
/// mean stands out.
std::string to_text(const Annotation& annotation, Colour colour);

/// The sums alone, a line each, without their ends: what came in and went out, what the
/// comparison of blocks found, what was missed.
std::vector<std::string> sums_of(const Annotation& annotation);

/// "counted in process 12 (dd if=/dev/zero) and its children", "counted in all
/// processes".
std::string counted_where(const RunFacts& run);

}  // namespace kinst::listing
