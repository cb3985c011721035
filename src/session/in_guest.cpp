#include "session/in_guest.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "guest/run.h"

namespace kinst::session {
namespace {

// The command line without what chooses the guest.
std::vector<std::string> arguments_in_guest(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    if (arguments[at] == "--vm-file") {
      ++at;
    } else if (arguments[at] != "--vm" && !arguments[at].starts_with("--vm=") &&
               !arguments[at].starts_with("--vm-file=")) {
      kept.push_back(arguments[at]);
    }
  }
  return kept;
}

}  // namespace

Result<int> run_in_guest(const CommandLine& line,
                         const std::vector<std::string>& arguments) {
  guest::Machine machine;
  machine.kernel =
      line.guest->image
          ? KINST_TRY(guest::open_kernel(*line.guest->image))
          : KINST_TRY(guest::choose_kernel(guest::this_machines_kernels()));
  std::error_code failure;
  const std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", failure);
  if (failure) {
    return error("cannot find this program: {}", failure.message());
  }
  machine.files.push_back({.source = self, .destination = "/usr/sbin/kinst"});
  for (const ProgramArgument& program : line.programs) {
    if (program.is_file) {
      machine.files.push_back(guest::same_path(program.text));
    }
  }
  for (const std::string& folder : line.settings.library_folders) {
    machine.files.push_back(guest::same_path(folder));
  }
  for (const std::string& file : line.guest_files) {
    machine.files.push_back(guest::same_path(file));
  }
  guest::Command command{.arguments = arguments_in_guest(arguments),
                         .directory = std::filesystem::current_path()};
  command.arguments.front() = "/usr/sbin/kinst";
  return guest::run(machine, command, [&](std::string_view sentence) {
    if (line.is_verbose) {
      fmt::print(stderr, "{}: {}\n", line.command, sentence);
    }
  });
}

}  // namespace kinst::session
