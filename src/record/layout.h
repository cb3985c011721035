// What the code generator writes and the consumer reads: the treaty between the two.
//
// A record in the ring buffer, written by one execution of a clause:
//
//     0         4         8             12        16        24
//     +---------+---------+-------------+---------+---------+-----------------------+
//     | clause  | cpu     | speculation | tid     | probe   | fields, as Layout says |
//     +---------+---------+-------------+---------+---------+-----------------------+
//     (struct kinst_record_header of runtime/abi.h)
//
// A record has room for every action of the clause, those under an `if` too; an action
// that may not have run has a guard byte that says whether it has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/aggregating_function.h"
#include "record/meaning.h"
#include "types/type.h"

namespace kinst::record {

/// Stands in place of the process id of a user stack, in front of a kernel stack. No
/// process has this id.
inline constexpr std::uint64_t kernel_stack_mark = ~std::uint64_t{0};

/// A piece of data at a fixed place of a record or of an aggregation's key.
struct Field {
  std::uint32_t offset = 0;  ///< from the record's or the key's first byte
  std::uint32_t size_bytes = 0;
  types::TypeId type{};
  Meaning meaning = Meaning::Value;

  bool operator==(const Field&) const = default;
};

/// What a record asks the consumer to do. Not D's actions: a record knows no syntax.
enum class ActionKind : std::uint8_t {
  Trace,      ///< one field, printed by its type's default format (stack(), sym() too)
  Tracemem,   ///< a field of bytes; with a second, integer field: how many are valid
  Print,      ///< one field with its type's members spelled out
  Printf,     ///< fields for the format's conversions
  Printa,     ///< aggregations, by the format if there is one
  Clear,      ///< an aggregation's values become 0
  Trunc,      ///< field: how many to keep (0: none); negative keeps the smallest
  Normalize,  ///< field: the divisor
  Denormalize,
  System,   ///< a command made by the format
  Freopen,  ///< a file name made by the format
  Ftruncate,
  Setopt,  ///< "name=value" or "name" made by the format
  Exit,    ///< field: the status
  Commit,  ///< field: a speculation's number
  Discard,
};

struct Action {
  ActionKind kind{};
  std::vector<Field> fields;
  /// Offset of a byte that is 1 if the action ran; nothing if it always runs.
  std::optional<std::uint32_t> guard_offset;
  std::string format;
  /// Indices into Layouts::aggregations.
  std::vector<std::uint32_t> aggregations;
};

/// The record of one clause.
struct Layout {
  std::uint32_t clause = 0;      ///< kinst_record_header::clause
  std::uint32_t size_bytes = 0;  ///< with the header
  std::vector<Action> actions;   ///< in the order in which they are to be done
  /// The clause records into the speculation that the header names.
  bool is_speculative = false;
  /// No actions of its own: prints the probe, nothing else.
  bool is_default = false;
};

// An aggregation's value on one CPU, or over all CPUs, as 64-bit words. The first word
// counts the updates: it distinguishes a CPU that never updated the aggregation from a
// CPU whose values are 0.
//
//     count                 | updates |
//     sum, min, max         | updates | value |
//     avg                   | updates | total |
//     stddev                | updates | total | sum of squares, low | high |
//     quantize              | updates | 127 buckets |
//     lquantize             | updates | below low | levels | high and above |
//     llquantize            | updates | -high | negative buckets | below low magnitude
//     |
//                           |         | positive buckets | +high |
//
// llquantize has (high - low + 1) * (steps - steps / factor) buckets on either side, in
// ascending order of the values they hold.
inline constexpr std::uint32_t quantize_buckets = 127;
inline constexpr std::uint32_t quantize_zero_bucket = 63;

/// How an aggregation lies in its map.
struct Aggregation {
  std::string name;  ///< without '@'
  AggregatingFunction function{};
  /// lquantize: low, high, step; llquantize: factor, low, high, steps.
  std::vector<std::int64_t> parameters;
  std::vector<Field> keys;
  std::uint32_t key_size_bytes = 0;  ///< 0 when there are none
  std::uint32_t value_words = 0;
  bool is_signed = true;
};

/// 64-bit words of one CPU's value of an aggregation, the update count included.
std::uint32_t value_words(AggregatingFunction function,
                          const std::vector<std::int64_t>& parameters);

/// The layouts of all records and aggregations of one program.
struct Layouts {
  std::vector<Layout> clauses;  ///< by Layout::clause
  std::vector<Aggregation> aggregations;
};

}  // namespace kinst::record
