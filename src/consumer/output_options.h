// The options of the output.
#pragma once

#include <chrono>
#include <cstdint>

#include "consumer/histogram.h"
#include "consumer/values/aggregation.h"

namespace kinst::consumer {

/// The option oformat. consumer/output_format.cpp has a row for each.
enum class OutputFormat : std::uint8_t { Text, Json };

/// What the output is and how it looks. setopt() may change most of it between records.
struct OutputOptions {
  OutputFormat format = OutputFormat::Text;  ///< oformat, -O
  bool quiet = false;                        ///< -q
  bool flow_indent = false;                  ///< flowindent, -F
  bool raw_bytes = false;                    ///< rawbytes
  bool drop_tags = false;                    ///< droptags
  /// Leaves out the columns CPU and ID, which vary from run to run.
  bool hides_cpu_and_id = false;
  /// Shows control characters in strings instead of sending them, because output goes
  /// to a terminal.
  bool escapes_controls = false;
  std::uint32_t stack_indent = 14;   ///< stackindent
  std::uint64_t print_bytes = 8192;  ///< printsize: how much print() shows of a value
  SortOptions sort;
  DrawingOptions drawing;
  /// aggrate: how long a snapshot of the aggregations is used. With 0, each record that
  /// needs the aggregations takes a new one.
  std::chrono::nanoseconds aggregation_interval{0};

  bool operator==(const OutputOptions&) const = default;
};

}  // namespace kinst::consumer
