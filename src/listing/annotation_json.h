// An annotated function as data, for programs. docs/output.schema.json describes it.
#pragma once

#include <string>

#include "listing/annotation.h"

namespace kinst::listing {

/// One JSON object, on a line.
std::string to_json(const Annotation& annotation);

}  // namespace kinst::listing
