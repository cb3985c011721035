// The command: everything it does is in the library, so that tests can link it.
#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/system/inherited_state.h"
#include "base/system/standard_streams.h"
#include "command/command.h"
#include "command/options/command_line.h"
#include "command/options/parse_command_line.h"
#include "command/options/set_option.h"
#include "command/options/settings.h"
#include "command/options/usage.h"

int main(int count, char** values) {
  using namespace kinst::command;  // NOLINT(google-build-using-namespace): main only
  kinst::note_inherited_state();
  kinst::hold_standard_descriptors();
  const std::vector<std::string> arguments(values, values + count);
  std::vector<std::string> environment;
  for (char** one = environ; *one != nullptr; ++one) {
    environment.emplace_back(*one);
  }
  Settings settings;
  if (const auto set = set_from_environment(settings, environment); !set) {
    kinst::write_error(fmt::format("kinst: {}\n", set.error().message));
    return 1;
  }
  auto line = parse_command_line(arguments, settings);
  if (!line) {
    const std::string& path = arguments.front();
    const std::string command = path.substr(path.rfind('/') + 1);
    if (line.error().message.empty()) {
      kinst::write_error(usage(command));
    } else {
      kinst::write_error(fmt::format("{}: {}\n", command, line.error().message));
    }
    if (line.error().names_help) {
      kinst::write_error(fmt::format("{0}: {0} -h tells the options\n", command));
    }
    return line.error().exit_status;
  }
  return run(*std::move(line));
}
