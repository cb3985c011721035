// Everything else that compiling does takes well under a second, whatever it is given.
#include "compile/interruptible_compile.h"

#include <utility>

#include "base/system/stop_signals.h"
#include "compile/progress_line.h"

namespace kinst::compile {

Result<std::optional<Compilation>> compile_until(Ground& ground,
                                                 Diagnostics& diagnostics,
                                                 const CompileFor& compile_for) {
  bool was_stopped = false;
  ProgressLine line("reading functions");
  ground.reading = [&](std::size_t done, std::size_t all) {
    if (!was_stopped && is_stop_pending()) {
      was_stopped = true;
      note_stop();
    }
    line.show(done, all);
    return was_stopped ? Progress::Stop : Progress::Continue;
  };
  auto made = compile_for(Matched::AllProbes);
  ground.reading = nullptr;
  line.clear();
  if (!was_stopped) {
    return made;
  }
  // These errors may be results of the interruption.
  diagnostics = {};
  made = compile_for(Matched::DtraceProbes);
  if (!made || std::exchange(diagnostics, {}).has_errors()) {
    return std::optional<Compilation>{};
  }
  return made;
}

}  // namespace kinst::compile
