// Probes that were not there when the program was compiled, and may come.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "isa/isa.h"
#include "provider/pid.h"
#include "session/match.h"
#include "session/running.h"
#include "user/process.h"
#include "user/stop_place.h"

namespace kinst::session {

/// Finds them in what processes load. It has its own knowledge of processes, so that a
/// thread may ask it while others ask about the same ones.
class AwaitedProbes {
 public:
  /// known: processes as they were when the descriptions were matched. matches: its
  /// awaited descriptions. most: as in provider::PidProvider.
  AwaitedProbes(const Matches& matches, user::Processes& known, const isa::Isa& isa,
                std::size_t most);

  /// The processes of which something is awaited.
  [[nodiscard]] std::set<pid_t> processes() const;
  /// The probes in what the process has loaded since the last time. Those that cannot
  /// be had are left out, and so are all behind as many probes and files as a program
  /// that loads without end may have: is_full() is true from then on.
  std::vector<LaterProbe> look(pid_t process);
  [[nodiscard]] bool is_full() const { return is_full_; }
  /// As user::linker_place(); valid until the next call.
  std::optional<user::LinkerPlace> linker(pid_t process);

 private:
  struct Description {
    Awaited awaited;
    std::map<std::size_t, provider::UserPlaceKind> kinds;  ///< of its probes
  };

  std::size_t room_;        ///< for probes
  std::size_t files_left_;  ///< each takes descriptors
  bool is_full_ = false;
  std::unique_ptr<user::Processes> processes_ = std::make_unique<user::Processes>();
  std::unique_ptr<provider::PidProvider> provider_;
  std::map<pid_t, std::vector<Description>> descriptions_;
  std::map<pid_t, std::set<user::FileKey>> seen_;
};

}  // namespace kinst::session
