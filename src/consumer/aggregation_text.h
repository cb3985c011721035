// Aggregations as printa() prints them, and as they are printed at the end.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "consumer/aggregations.h"
#include "consumer/symbol_text.h"
#include "record/format.h"

namespace kinst::consumer {

/// What a printa() asks for.
struct Printa {
  std::span<const std::uint32_t> aggregations;
  const record::Format* format = nullptr;  ///< null for columns
};

/// Appends the aggregations, a row for each key, and marks as printed those that have
/// any. Columns begin with a line break.
void append_printa(std::string& out, const Naming& naming, Aggregations& aggregations,
                   const Printa& request, const SortOptions& sort);

/// Appends all aggregations that were never printed.
void append_unprinted(std::string& out, const Naming& naming,
                      const Aggregations& aggregations, const SortOptions& sort);

}  // namespace kinst::consumer
