// The variables of a program and where they lie, as -S shows them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/diagnostic.h"
#include "codegen/storage.h"
#include "d/typed_program.h"
#include "types/type.h"

namespace kinst::codegen {

/// A table for each clause that uses variables, in DTrace's form, an empty line behind
/// each:
///
///     NAME  ID  OFFSET  KND  SCP  RANGE  FLAG  TYPE
///
/// OFFSET counts from the first variable of the same scope, in bytes; dynamic variables
/// begin at 0, built-in ones have none. RANGE are the first and the last line of the
/// source that name it. FLAG: read, written.
/// line_of: the number of the line in which a span begins.
std::string list_variables(const d::typed::Program& program, const Storage& storage,
                           const types::TypeTable& types,
                           const std::function<std::uint32_t(const Span&)>& line_of);

}  // namespace kinst::codegen
