// What the modes of the command print besides records, in the format of the output.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "command/list_probes.h"
#include "consumer/output_options.h"
#include "listing/annotation.h"
#include "listing/disassembly.h"

namespace kinst::command {

/// The probes that -l lists. with_arguments: adds the types of their arguments.
std::string in_format(consumer::OutputFormat format,
                      const std::vector<const provider::Probe*>& probes,
                      const compile::Providers& providers,
                      const types::TypeTable& types, bool with_arguments);

/// The functions of --disas.
std::string in_format(consumer::OutputFormat format,
                      std::span<const listing::Disassembly> functions,
                      listing::Colour colour);

/// The functions of --annotate.
std::string in_format(consumer::OutputFormat format,
                      std::span<const listing::Annotation> functions,
                      listing::Colour colour);

}  // namespace kinst::command
