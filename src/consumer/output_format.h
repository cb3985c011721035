// The formats of the output.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "consumer/output_options.h"
#include "consumer/presentation.h"
#include "types/type.h"

namespace kinst::consumer {

/// A format, and how records are shown in it.
struct OutputFormatInfo {
  OutputFormat value;
  std::string_view name;  ///< as -O has it
  /// Whether people read it, so that hints may stand beside it.
  bool is_for_people;
  /// All arguments must outlive the presentation.
  std::unique_ptr<Presentation> (*make_presentation)(Symbolizer& names,
                                                     const types::TypeTable& types,
                                                     const OutputOptions& options);
};

/// All formats, in the order in which messages name them.
std::span<const OutputFormatInfo> output_formats();

const OutputFormatInfo& output_format_info(OutputFormat format);

}  // namespace kinst::consumer
