// Lays out the record of a clause: its actions, and the places of their data.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "d/typed/typed_program.h"
#include "record/layout.h"
#include "types/type.h"

namespace kinst::codegen {

/// The layout of clause number `number`. Its actions are the clause's recording actions
/// in source order, including those of both branches of an `if`. Code generation walks
/// the statements in the same order, so it finds each action's place by counting.
record::Layout lay_out_record(const d::typed::Clause& clause, std::uint32_t number,
                              const types::TypeTable& types);

/// The layout of aggregation number `number`, from all its uses. If some uses have a
/// probe's name at a place of the key and others have another string, the key has a
/// string there.
record::Aggregation lay_out_aggregation(const d::typed::Program& program,
                                        std::uint32_t number,
                                        const types::TypeTable& types);

/// Whether the clause makes a record. A clause with nothing but aggregations does not,
/// as in DTrace.
bool makes_record(const d::typed::Clause& clause);

/// Whether no clause but END's runs behind the action.
bool ends_run(const d::typed::ActionCall& call);

/// How an action is recorded; nothing if it is not.
std::optional<record::ActionKind> recorded_as(d::Action action);

/// How a value is recorded. A value that is just a probe's name or number is recorded
/// as the probe's key, from which the consumer finds the rest.
record::Meaning meaning_of(const d::typed::Expression& expression);

/// The size of a value in records and keys, in bytes; integers have their own size.
std::uint32_t recorded_bytes(const d::typed::Expression& expression,
                             const types::TypeTable& types);

}  // namespace kinst::codegen
