#include "provider/user/nop_probes.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "bpf/attach/attach_uprobes.h"
#include "user/mappings.h"

namespace kinst::provider {

bool nops_stay_when_probed(const isa::Isa& isa) {
  const isa::NopExperiment experiment = isa.nop_experiment();
  if (experiment.keep == nullptr) {
    return true;
  }
  const auto mappings = user::read_mappings(getpid());
  if (!mappings) {
    return false;
  }
  const auto mapping = std::ranges::find_if(*mappings, [&](const user::Mapping& one) {
    return experiment.nop >= one.begin && experiment.nop < one.end;
  });
  if (mapping == mappings->end()) {
    return false;
  }
  const auto probe =
      bpf::attach_idle_uprobe({.path = "/proc/self/exe", .process = getpid()},
                              experiment.nop - mapping->begin + mapping->file_offset);
  if (!probe) {
    return false;
  }
  // The kernel replaces a nop after the first hit.
  constexpr int hits = 3;
  constexpr std::uint64_t number = 0x1234'5678'9abc'def0;
  for (int hit = 0; hit < hits; ++hit) {
    if (experiment.keep(number) != number) {
      return false;
    }
  }
  return true;
}

}  // namespace kinst::provider
