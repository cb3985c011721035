// Everything else that compiling does takes well under a second, whatever it is given.
#include "compile/interruptible_compile.h"

#include <utility>

#include "base/system/stop_signals.h"
#include "compile/progress_line.h"

namespace kinst::compile {

Result<std::optional<Compilation>> compile_until(Diagnostics& diagnostics,
                                                 const CompileFor& compile_for) {
  bool was_stopped = false;
  ProgressLine line("reading functions");
  const ProgressReport reading = [&](std::size_t done, std::size_t all) {
    if (!was_stopped && is_stop_pending()) {
      was_stopped = true;
      note_stop();
    }
    line.show(done, all);
    return was_stopped ? Progress::Stop : Progress::Continue;
  };
  auto compilation = compile_for(Matched::AllProbes, reading);
  line.clear();
  if (!was_stopped) {
    return compilation;
  }
  // These errors may be results of the interruption.
  diagnostics = {};
  compilation = compile_for(Matched::DtraceProbes, {});
  if (!compilation || std::exchange(diagnostics, {}).has_errors()) {
    return std::optional<Compilation>{};
  }
  return compilation;
}

}  // namespace kinst::compile
