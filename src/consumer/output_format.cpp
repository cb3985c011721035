#include "consumer/output_format.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "consumer/json_presentation.h"
#include "consumer/text_presentation.h"

namespace kinst::consumer {
namespace {

template <typename Presents>
std::unique_ptr<Presentation> make_as(Symbolizer& names, const types::TypeTable& types,
                                      const OutputOptions& options) {
  return std::make_unique<Presents>(names, types, options);
}

constexpr std::array format_table = {
    OutputFormatInfo{.value = OutputFormat::Text,
                     .name = "text",
                     .is_for_people = true,
                     .make_presentation = make_as<TextPresentation>},
    OutputFormatInfo{.value = OutputFormat::Json,
                     .name = "json",
                     .is_for_people = false,
                     .make_presentation = make_as<JsonPresentation>},
};

}  // namespace

std::span<const OutputFormatInfo> output_formats() {
  return format_table;
}

const OutputFormatInfo& output_format_info(OutputFormat format) {
  const auto* row = std::ranges::find(format_table, format, &OutputFormatInfo::value);
  assert(row != format_table.end());
  return *row;
}

}  // namespace kinst::consumer
