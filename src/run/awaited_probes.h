// Probes in code that was not loaded when the program was compiled, and that may be
// loaded during the run.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "compile/match/match.h"
#include "isa/isa.h"
#include "provider/user/pid.h"
#include "run/enabling.h"
#include "user/evaltime.h"
#include "user/process.h"

namespace kinst::run {

/// Finds awaited probes in the libraries that processes load. It has its own
/// user::Processes, so that one thread can use it while other threads look at the same
/// processes.
class AwaitedProbes {
 public:
  /// known: the processes as they were when the descriptions were matched.
  /// matches: the awaited descriptions are taken from these.
  /// most: as in provider::PidProvider.
  AwaitedProbes(const compile::Matches& matches, user::Processes& known,
                const isa::Isa& isa, std::size_t most);

  /// The processes in which probes are awaited.
  [[nodiscard]] std::set<pid_t> processes() const;
  /// The probes in the objects that the process has loaded since the last call. Probes
  /// that cannot be traced are left out. A program may load libraries without end, so
  /// the number of probes and files is limited; beyond the limit nothing more is found,
  /// and is_full() is true.
  std::vector<LaterProbe> look(pid_t process);
  [[nodiscard]] bool is_full() const { return is_full_; }
  /// As user::linker_place(). The result is valid until the next call.
  std::optional<user::LinkerPlace> linker(pid_t process);

 private:
  struct Description {
    compile::Awaited awaited;
    std::map<std::size_t, provider::UserPlaceKind> kinds;  ///< of its probes
  };

  std::size_t room_;        ///< how many more probes may come
  std::size_t files_left_;  ///< how many more files may come; each takes descriptors
  bool is_full_ = false;
  std::unique_ptr<user::Processes> processes_ = std::make_unique<user::Processes>();
  std::unique_ptr<provider::PidProvider> provider_;
  std::map<pid_t, std::vector<Description>> descriptions_;
  std::map<pid_t, std::set<user::FileKey>> seen_;
};

}  // namespace kinst::run
