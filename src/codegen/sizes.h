// Whether a program's data is of sizes that generated code can hold.
#pragma once

#include "base/result.h"
#include "d/typed_program.h"
#include "record/layout.h"
#include "types/type.h"

namespace kinst::codegen {

/// Generated code counts bytes in 32 bits, and a map's value has its own limit. To be
/// asked before anything is laid out.
/// Errors: the variables of a scope, a key, the records of a clause, or the buckets of
/// an aggregation have more bytes than can be.
Result<void> check_sizes(const d::typed::Program& program,
                         const types::TypeTable& types);

/// Whether all CPUs update one value of the aggregation: a distribution of more buckets
/// than the kernel has room for in a value of each CPU's own.
bool is_one_value(const record::Aggregation& layout);

}  // namespace kinst::codegen
