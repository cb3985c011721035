#include "command/in_guest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>

#include "base/system/file_descriptor.h"
#include "base/system/open_output.h"
#include "base/system/read_file.h"
#include "base/system/standard_streams.h"
#include "command/guest_checks.h"
#include "command/options/set_option.h"
#include "command/options/settings.h"
#include "command/page_file.h"
#include "command/program_texts.h"
#include "command/report.h"
#include "command/run_program.h"
#include "guest/init_script.h"
#include "guest/kernel_image.h"
#include "guest/run.h"
#include "listing/annotation_page.h"

namespace kinst::command {
namespace {

// Where a script stands in the guest: in its own place, unless the guest's own devices
// are there. What was given by a pipe is a file there.
std::string script_path(const std::string& path, std::size_t number) {
  const std::string absolute =
      std::filesystem::absolute(path).lexically_normal().native();
  for (const std::string_view taken : {"/dev/", "/proc/", "/sys/"}) {
    if (path == "-" || absolute.starts_with(taken)) {
      return fmt::format("/kinst/script{}.d", number);
    }
  }
  return absolute;
}

// Programs are read here, and preprocessed where that is asked for: the guest has
// neither the preprocessor nor what is included.
// Returns the values that their options have in the guest.
std::vector<std::string> bring_programs(const CommandLine& line,
                                        const std::vector<compile::ProgramText>& texts,
                                        guest::Machine& machine) {
  std::vector<std::string> values;
  for (std::size_t number = 0; number < texts.size(); ++number) {
    const ProgramArgument& argument = line.programs[number];
    const std::string& text = texts[number].source.text;
    if (!argument.is_file) {
      values.push_back(text);
      continue;
    }
    const std::string path = script_path(argument.text, number);
    machine.contents.push_back({.destination = path, .text = text});
    values.push_back(path.starts_with("/kinst/") ? path : argument.text);
  }
  return values;
}

// Options can be set by the environment, which the guest else has none of.
std::vector<std::string> environment_in_guest() {
  std::vector<std::string> kept;
  for (char** one = environ; *one != nullptr; ++one) {
    if (is_for_guest(*one)) {
      kept.emplace_back(*one);
    }
  }
  if (isatty(STDERR_FILENO) == 1) {
    kept.emplace_back("KINST_TERMINAL=1");
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
  if (!line.settings.output.quiet && !line.is_verbose) {  // -v tells more of it
    say(line, fmt::format("the guest runs Linux {} (--vm=KERNEL chooses another)",
                          chosen.release));
  }
  return chosen;
}

std::vector<std::string> arguments_in_guest(const CommandLine& line,
                                            const std::vector<std::string>& programs) {
  std::vector<std::string> words = environment_in_guest();
  if (!words.empty()) {
    words.insert(words.begin(), "env");
  }
  words.emplace_back("/usr/sbin/kinst");
  if (line.output_path || line.output_descriptor) {
    words.push_back(fmt::format("--output-descriptor={}", guest::file_descriptor));
  }
  for (const GuestWord& word : line.guest_words) {
    words.push_back(word.text);
    if (word.program) {
      words.push_back(programs[*word.program]);
    }
  }
  return words;
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

// The machine with everything but the programs.
Result<guest::Machine> make_machine(const CommandLine& line) {
  guest::Machine machine;
  machine.kernel = KINST_TRY(kernel_of(line));
  std::error_code failure;
  const std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", failure);
  if (failure) {
    return error("cannot find this program: {}", failure.message());
  }
  machine.files.push_back({.source = self, .destination = "/usr/sbin/kinst"});
  for (const std::string& folder : folders_for_guest(line.settings)) {
    machine.files.push_back(guest::same_path(folder));
  }
  for (const std::string& file : line.guest_files) {
    machine.files.push_back(guest::same_path(file));
  }
  return machine;
}

// Nothing if the output goes to standard output, as the guest's does.
Result<FileDescriptor> open_output_file(const CommandLine& line) {
  if (line.output_path) {
    return open_to_append(*line.output_path);
  }
  return FileDescriptor(
      line.output_descriptor ? fcntl(*line.output_descriptor, F_DUPFD_CLOEXEC, 0) : -1);
}

}  // namespace

Result<int> run_in_guest(const CommandLine& line) {
  guest::Machine machine = KINST_TRY(make_machine(line));
  const std::vector<compile::ProgramText> texts =
      KINST_TRY(prepared_texts(line, machine.kernel.release));
  if (!check_syntax(line, texts)) {
    return status_given_up;
  }
  const std::vector<std::string> programs = bring_programs(line, texts, machine);
  KINST_CHECK(check_guest_command(line, machine.files));
  const FileDescriptor output = KINST_TRY(open_output_file(line));
  const guest::Command command{.arguments = arguments_in_guest(line, programs),
                               .directory = std::filesystem::current_path(),
                               .file = output.get()};
  const auto run = [&] {
    return guest::run(machine, command, [&](std::string_view sentence) {
      if (line.is_verbose) {
        say(line, sentence);
      }
    });
  };
  return line.html_path ? run_for_page(*line.html_path, run) : run();
}

}  // namespace kinst::command
