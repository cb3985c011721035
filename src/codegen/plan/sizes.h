// Checks that generated code can hold the sizes of a program's data.
#pragma once

#include "base/result.h"
#include "d/typed/typed_program.h"
#include "record/layout.h"
#include "types/type.h"

namespace kinst::codegen {

/// Checks sizes before anything is laid out. Generated code counts bytes in 32 bits,
/// and a map's value has a limit of its own.
/// Errors: the variables of a scope, a key, the records of a clause, or the buckets of
/// an aggregation are too large.
Result<void> check_sizes(const d::typed::Program& program,
                         const types::TypeTable& types);

/// Whether all CPUs update a common value of the aggregation. So it is for a
/// distribution with more buckets than the kernel has room for in a per-CPU value.
bool is_one_value(const record::Aggregation& layout);

}  // namespace kinst::codegen
