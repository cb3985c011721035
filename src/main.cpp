// The command: everything it does is in the library, so that tests can link it.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "session/command_line.h"
#include "session/session.h"
#include "session/settings.h"

int main(int count, char** values) {
  using namespace kinst::session;  // NOLINT(google-build-using-namespace): main only
  const std::vector<std::string> arguments(values, values + count);
  std::vector<std::string> environment;
  for (char** one = environ; *one != nullptr; ++one) {
    environment.emplace_back(*one);
  }
  Settings settings;
  if (const auto set = set_from_environment(settings, environment); !set) {
    fmt::print(stderr, "kinst: {}\n", set.error().message);
    return 1;
  }
  auto line = parse_command_line(arguments, settings);
  if (!line) {
    const std::string& path = arguments.front();
    const std::string command = path.substr(path.rfind('/') + 1);
    if (!line.error().message.empty()) {
      fmt::print(stderr, "{}: {}\n", command, line.error().message);
    }
    if (line.error().shows_usage) {
      fmt::print(stderr, "{}", usage(command));
    }
    return line.error().exit_status;
  }
  return run(*std::move(line), arguments);
}
