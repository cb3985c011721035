#include "bpf/attach/watcher.h"

#include <chrono>
#include <string>
#include <thread>

#include "base/system/tracefs.h"
#include "bpf/attach/borrowed_setting.h"
#include "bpf/attach/kprobe_group.h"

namespace kinst::bpf {
namespace {

/// Repeats a step until it has worked. Several tries are needed, because the dead
/// process's probes are in use until the kernel has closed all its descriptors.
template <typename Step>
void insist(const Step& step) {
  constexpr int tries = 100;
  constexpr std::chrono::milliseconds pause(50);
  for (int i = 0; i < tries && !step(); ++i) {
    std::this_thread::sleep_for(pause);
  }
}

void remove_probes(const std::string& group) {
  if (const auto tracefs = Tracefs::open()) {
    insist([&] { return remove_group(*tracefs, group).has_value(); });
  }
}

}  // namespace

Result<Survivor> start_watcher() {
  const std::string group = group_name(KINST_TRY(this_process()));
  return Survivor::start("watcher", [group](Ending ending) {
    if (ending == Ending::Killed) {
      remove_probes(group);
    }
    // Done after an orderly end as well, as giving back the settings may have failed.
    // If it did not fail, there is no note.
    insist(restore_abandoned_settings);
  });
}

}  // namespace kinst::bpf
