// Aggregations as text: by printa(), and at the end of a run.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "consumer/naming.h"
#include "consumer/values/aggregations.h"
#include "record/format.h"

namespace kinst::consumer {

/// The arguments of a printa().
struct Printa {
  std::span<const std::uint32_t> aggregations;
  const record::Format* format = nullptr;  ///< null: print columns
};

/// Appends the aggregations, one row for each key. Marks those that have keys as
/// printed. Columns begin with a line break.
void append_printa(std::string& out, const Naming& naming, Aggregations& aggregations,
                   const Printa& request, const SortOptions& sort);

/// Appends all aggregations that were never printed.
void append_unprinted(std::string& out, const Naming& naming,
                      const Aggregations& aggregations, const SortOptions& sort);

}  // namespace kinst::consumer
