#include "command/macro_values.h"

#include <unistd.h>

namespace kinst::command {

d::MacroValues macro_values(const CommandLine& line) {
  d::MacroValues values;
  const bool has_script = !line.programs.empty() && line.programs.front().is_file;
  values.arguments.push_back(has_script ? line.programs.front().text : line.path);
  values.arguments.insert(values.arguments.end(), line.arguments.begin(),
                          line.arguments.end());
  values.default_arguments = line.settings.default_arguments;
  // Linux has neither projects nor tasks; DTrace for it gives 0.
  values.variables = {{"pid", getpid()},  {"ppid", getppid()}, {"pgid", getpgrp()},
                      {"sid", getsid(0)}, {"uid", getuid()},   {"euid", geteuid()},
                      {"gid", getgid()},  {"egid", getegid()}, {"projid", 0},
                      {"taskid", 0}};
  // The process's number is put in when it is known.
  const bool has_target = !line.target_commands.empty() || !line.processes.empty();
  if (has_target || line.only_compiles || line.mode == Mode::List) {
    values.variables["target"] = 0;
  }
  return values;
}

}  // namespace kinst::command
