// Runs any command in the throwaway guest, for tests and by hand: see
// scripts/guest-run.
#include <fmt/core.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

#include "guest/run.h"

namespace {

namespace guest = kinst::guest;

int usage() {
  fmt::print(stderr,
             "usage: guest_run [-v] [--kernel IMAGE] [--file PATH]... -- COMMAND "
             "[ARGUMENT...]\n");
  return 2;
}

/// A program given by its path comes along without being named again.
void add_program(guest::Machine& machine, const std::string& program) {
  if (program.find('/') != std::string::npos && std::filesystem::exists(program)) {
    machine.files.push_back(guest::same_path(program));
  }
}

}  // namespace

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  guest::Machine machine;
  guest::Command command{.arguments = {}, .directory = std::filesystem::current_path()};
  std::string image;
  bool verbose = false;
  std::size_t next = 0;
  for (; next < arguments.size() && arguments[next] != "--"; ++next) {
    const bool has_value = next + 1 < arguments.size();
    if (arguments[next] == "-v") {
      verbose = true;
    } else if (arguments[next] == "--kernel" && has_value) {
      image = arguments[++next];
    } else if (arguments[next] == "--file" && has_value) {
      machine.files.push_back(guest::same_path(arguments[++next]));
    } else {
      return usage();
    }
  }
  for (++next; next < arguments.size(); ++next) {
    command.arguments.push_back(arguments[next]);
  }
  if (command.arguments.empty()) {
    return usage();
  }
  add_program(machine, command.arguments.front());

  auto kernel = image.empty() ? guest::choose_kernel(guest::this_machines_kernels())
                              : guest::open_kernel(image);
  const auto tell = [verbose](std::string_view sentence) {
    if (verbose) {
      fmt::print(stderr, "guest_run: {}\n", sentence);
    }
  };
  const auto status = kernel.and_then([&](const guest::KernelImage& chosen) {
    machine.kernel = chosen;
    return guest::run(machine, command, tell);
  });
  if (!status) {
    fmt::print(stderr, "guest_run: {}\n", status.error().message);
    return 1;
  }
  return *status;
}
