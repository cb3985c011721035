// Lists the variables of a program and their places, for -S.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/text/diagnostic.h"
#include "codegen/plan/storage.h"
#include "d/typed/typed_program.h"
#include "types/type.h"

namespace kinst::codegen {

/// Makes a table for each clause that uses variables, in DTrace's form, followed by an
/// empty line:
///
///     NAME  ID  OFFSET  KND  SCP  RANGE  FLAG  TYPE
///
/// OFFSET counts bytes from the first variable of the same scope. Dynamic variables
/// begin at 0; built-in variables have no offset. RANGE is the first and the last line
/// of the source that names the variable. FLAG: read, written.
/// line_of: the number of the line in which a span begins.
std::string list_variables(const d::typed::Program& program, const Storage& storage,
                           const types::TypeTable& types,
                           const std::function<std::uint32_t(const Span&)>& line_of);

}  // namespace kinst::codegen
