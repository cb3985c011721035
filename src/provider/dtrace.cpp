// dtrace:::BEGIN, dtrace:::END, dtrace:::ERROR. Their module and function are empty.
#include "provider/dtrace.h"

namespace kinst::provider {

std::array<Probe, 3> DtraceProvider::probes() {
  const auto probe = [](const char* name, DtraceProbe which) {
    return Probe{.id = 0,
                 .provider = "dtrace",
                 .module = {},
                 .function = {},
                 .name = name,
                 .site = which,
                 .key = 0};
  };
  return {probe("BEGIN", DtraceProbe::Begin), probe("END", DtraceProbe::End),
          probe("ERROR", DtraceProbe::Error)};
}

Result<Match> DtraceProvider::match(const d::Description& description) {
  Match found;
  for (Probe& probe : probes()) {
    if (covers(description, probe)) {
      found.probes.push_back(std::move(probe));
    }
  }
  if (found.probes.empty() && !description.provider.empty()) {
    found.why_none = "dtrace's probes are BEGIN, END and ERROR";
  }
  return found;
}

}  // namespace kinst::provider
