// What each mode of the command does.
#include "command/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <vector>

#include "base/system/standard_streams.h"
#include "command/in_format.h"
#include "command/in_guest.h"
#include "command/list_probes.h"
#include "command/list_types.h"
#include "command/options/usage.h"
#include "command/pager.h"
#include "command/report.h"
#include "command/run_annotation.h"
#include "command/run_program.h"
#include "compile/match/providers.h"
#include "compile/match/system.h"
#include "kernel/debug/debug_information_text.h"
#include "listing/disassembly.h"

namespace kinst::command {
namespace {

Result<int> list_all(const CommandLine& line, compile::KernelCode& code) {
  compile::System system(code);
  const compile::Providers providers = compile::make_providers(
      system, provider::Purpose::Listing, line.settings.compilation.most_probes);
  std::vector<std::string> absent;
  const provider::ProbeList probes = all_probes(providers, absent);
  for (const std::string& reason : absent) {
    say(line, reason);
  }
  std::vector<const provider::Probe*> all;
  for (const provider::Probe& probe : probes.all()) {
    all.push_back(&probe);
  }
  KINST_CHECK(write_output(in_format(line.settings.output.format, all, providers,
                                     system.types, line.is_verbose)));
  return 0;
}

Result<int> disassemble(const CommandLine& line, compile::KernelCode& code) {
  const auto& symbols = code.symbols.get();
  if (!symbols) {
    return tl::unexpected(symbols.error());
  }
  const isa::Isa& isa = code.isa;
  const auto image = kernel::ImageText::open(*symbols);
  if (!image && line.is_verbose) {
    say(line,
        fmt::format("not compared with what is on disk: {}", image.error().message));
  }
  std::vector<listing::Disassembly> functions;
  for (const kernel::ExaminedFunction& one :
       KINST_TRY(listing::examine(line.functions, *symbols, code.functions))) {
    functions.push_back(
        listing::disassemble(one, *symbols, code.functions.rules(), isa, line.syntax));
    const kernel::Function& function = one.function;
    const auto on_disk = image && function.module == kernel::kernel_module
                             ? image->bytes(function.address, function.size_bytes)
                             : Result<std::vector<std::byte>>();
    if (on_disk) {
      listing::note_differences(
          functions.back(), function,
          {.bytes = *on_disk, .displacement = image->displacement()},
          {.isa = isa, .syntax = line.syntax, .symbolize = [&](KernelAddress address) {
             return kernel::symbol_text(*symbols, address);
           }});
    }
  }
  const auto colour =
      isatty(STDOUT_FILENO) != 0 ? listing::Colour::Yes : listing::Colour::No;
  KINST_CHECK(show(in_format(line.settings.output.format, functions, colour)));
  return 0;
}

Result<int> run_here(CommandLine& line) {
  compile::KernelCode code;
  switch (line.mode) {
    case Mode::Version:
      KINST_CHECK(write_output(version(line.command)));
      return 0;
    case Mode::Help:
      KINST_CHECK(write_output(usage(line.command)));
      return 0;
    case Mode::Disassemble:
      return disassemble(line, code);
    case Mode::Annotate:
      return run_annotation(line, code);
    case Mode::List:
      if (!line.programs.empty()) {
        return run_program(line, code, {});
      }
      return line.arguments.empty() ? list_all(line, code) : list_types(line, code);
    case Mode::Trace:
      return run_program(line, code, {});
  }
  return 0;
}

// What the command says of itself it need not say in a virtual machine.
Result<int> run_mode(CommandLine& line) {
  const bool needs_guest =
      line.guest && line.mode != Mode::Version && line.mode != Mode::Help;
  return needs_guest ? run_in_guest(line) : run_here(line);
}

}  // namespace

int run(CommandLine line) {
  if (line.output_descriptor) {
    // It is for this process alone.
    fcntl(*line.output_descriptor, F_SETFD, FD_CLOEXEC);
  }
  const auto status = run_mode(line);
  if (!status) {
    say(line, status.error().message);
    return status_given_up;
  }
  return *status;
}

}  // namespace kinst::command
