// The record of a clause: which actions it carries and where their data lies.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "d/typed_program.h"
#include "record/layout.h"
#include "types/type.h"

namespace kinst::codegen {

/// The layout of clause number `clause`. Its actions are the clause's recording actions
/// in source order, those of both branches of an `if` included: code generation walks
/// the statements in the same order and so knows which is which.
record::Layout lay_out_record(const d::typed::Clause& clause, std::uint32_t number,
                              const types::TypeTable& types);

/// The layout of aggregation number `number`, from all its uses. A key that some uses
/// give as a probe's name and others as another string is a string.
record::Aggregation lay_out_aggregation(const d::typed::Program& program,
                                        std::uint32_t number,
                                        const types::TypeTable& types);

/// A clause of nothing but aggregations leaves no record, as in DTrace.
bool makes_record(const d::typed::Clause& clause);

/// How an action is carried in a record; nothing if it leaves nothing there.
std::optional<record::ActionKind> recorded_as(d::Action action);

/// A probe's names and number are recorded as the probe's key, when a value is nothing
/// else: the consumer knows the rest.
record::Meaning meaning_of(const d::typed::Expression& expression);

/// Bytes a value takes in records and keys: integers at their own size.
std::uint32_t recorded_bytes(const d::typed::Expression& expression,
                             const types::TypeTable& types);

}  // namespace kinst::codegen
