#include "command/in_format.h"

#include "listing/annotation_json.h"
#include "listing/annotation_text.h"

namespace kinst::command {

using consumer::OutputFormat;

std::string in_format(OutputFormat format,
                      const std::vector<const provider::Probe*>& probes,
                      const compile::Providers& providers,
                      const types::TypeTable& types, bool with_arguments) {
  switch (format) {
    case OutputFormat::Text:
      return probe_table(probes, providers, types, with_arguments);
    case OutputFormat::Json:
      return probe_lines(probes, providers, types, with_arguments);
  }
  return {};
}

std::string in_format(OutputFormat format,
                      std::span<const listing::Disassembly> functions,
                      listing::Colour colour) {
  switch (format) {
    case OutputFormat::Text:
      return listing::to_text(functions, colour);
    case OutputFormat::Json:
      return listing::to_json(functions);
  }
  return {};
}

std::string in_format(OutputFormat format,
                      std::span<const listing::Annotation> functions,
                      listing::Colour colour) {
  std::string out;
  for (const listing::Annotation& one : functions) {
    switch (format) {
      case OutputFormat::Text:
        out += (out.empty() ? "" : "\n") + listing::to_text(one, colour);
        break;
      case OutputFormat::Json:
        out += listing::to_json(one);
        break;
    }
  }
  return out;
}

}  // namespace kinst::command
