#include "session/in_guest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>

#include "base/file_descriptor.h"
#include "base/read_file.h"
#include "base/standard_streams.h"
#include "guest/kernel_image.h"
#include "guest/run.h"
#include "listing/annotation_page.h"
#include "session/page_file.h"
#include "session/telling.h"

namespace kinst::session {
namespace {

// The command line without what chooses the guest.
std::vector<std::string> arguments_in_guest(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    if (arguments[at] == "--vm-file") {
      ++at;
    } else if (arguments[at] == "--html") {
      kept.emplace_back("--html-source");
      ++at;
    } else if (arguments[at].starts_with("--html=")) {
      kept.emplace_back("--html-source");
    } else if (arguments[at] != "--vm" && !arguments[at].starts_with("--vm=") &&
               !arguments[at].starts_with("--vm-file=")) {
      kept.push_back(arguments[at]);
    }
  }
  return kept;
}

// What was chosen is told: an example's offsets may be another kernel's.
Result<guest::KernelImage> kernel_of(const CommandLine& line) {
  const guest::KernelPlaces places = guest::this_machines_kernels();
  if (line.guest->image) {
    return guest::named_kernel(places, *line.guest->image);
  }
  auto chosen = KINST_TRY(guest::choose_kernel(places));
  if (!line.settings.quiet && !line.is_verbose) {  // -v tells more of it
    say(line, fmt::format("the guest runs Linux {} (--vm=KERNEL chooses another)",
                          chosen.release));
  }
  return chosen;
}

// Runs `run` with standard output in a file, and returns what it wrote there.
Result<std::string> captured(const std::function<Result<int>()>& run, int& status) {
  const FileDescriptor file(memfd_create("kinst", MFD_CLOEXEC));
  const FileDescriptor before(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  if (!file || !before || dup2(file.get(), STDOUT_FILENO) < 0) {
    return system_error("redirect the output", errno);
  }
  const auto outcome = run();
  dup2(before.get(), STDOUT_FILENO);
  status = KINST_TRY(outcome);
  return read_file(fmt::format("/proc/self/fd/{}", file.get()));
}

// Graphviz need not be in the guest: what is printed there is the page with its graphs
// still to be laid out, behind everything else that is printed.
Result<int> run_for_page(const std::string& path,
                         const std::function<Result<int>()>& run) {
  KINST_CHECK(check_graph_layout());
  int status = 0;
  const std::string output = KINST_TRY(captured(run, status));
  const auto place = listing::find_page(output);
  const std::string_view text = output;
  KINST_CHECK(write_output(text.substr(0, place ? place->begin : text.size())));
  if (place) {
    KINST_CHECK(write_page(path, text.substr(place->begin, place->end - place->begin)));
    KINST_CHECK(write_output(text.substr(place->end)));
  }
  return status;
}

}  // namespace

Result<int> run_in_guest(const CommandLine& line,
                         const std::vector<std::string>& arguments) {
  guest::Machine machine;
  machine.kernel = KINST_TRY(kernel_of(line));
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
  const auto run = [&] {
    return guest::run(machine, command, [&](std::string_view sentence) {
      if (line.is_verbose) {
        say(line, sentence);
      }
    });
  };
  return line.html_path ? run_for_page(*line.html_path, run) : run();
}

}  // namespace kinst::session
