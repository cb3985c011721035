// Draws aggregations with their keys beside them: the options agghist and aggpack.
#pragma once

#include <span>
#include <string>

#include "consumer/histogram.h"
#include "consumer/naming.h"
#include "consumer/values/aggregation.h"

namespace kinst::consumer {

/// Whether the options have this aggregation drawn beside its keys.
bool is_drawn_by_key(const record::Aggregation& aggregation,
                     const DrawingOptions& drawing);

/// Appends a heading and a line for each key. All lines share one scale: that of the
/// bars, or the range of buckets.
/// normal: the divisor of counts.
/// Source of the format: libdtrace of illumos and FreeBSD.
void append_by_key(std::string& out, const Naming& naming,
                   const record::Aggregation& aggregation,
                   std::span<const Instance* const> instances, std::int64_t normal);

}  // namespace kinst::consumer
