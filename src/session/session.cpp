// The table of contents: parse, match, check, generate, load, attach, trace, print.
#include "session/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <utility>

#include "bpf/program.h"
#include "consumer/consumer.h"
#include "consumer/messages.h"
#include "consumer/text_presentation.h"
#include "session/kernel_aggregations.h"
#include "session/run_names.h"
#include "session/running.h"
#include "session/signals.h"
#include "session/target.h"
#include "session/trace.h"

namespace kinst::session {
namespace {

void say(const Request& request, std::string_view message) {
  fmt::print(stderr, "{}: {}\n", request.command, message);
}

std::vector<Source> sources_of(const Request& request) {
  std::vector<Source> sources;
  for (const ProgramText& text : request.texts) {
    sources.push_back(text.source);
  }
  return sources;
}

// Prints what is wrong with the program. True if it cannot be run.
bool tell(const Diagnostics& diagnostics, const Request& request) {
  const std::vector<Source> sources = sources_of(request);
  for (const Diagnostic& one : diagnostics.all()) {
    fmt::print(stderr, "{}: {}", request.command, render(one, sources, request.tags));
  }
  return diagnostics.has_errors();
}

// Placed, skipped and why, for -v.
void tell_matches(const Compilation& made, const Request& request) {
  for (const provider::Skipped& skipped : made.matches.skipped) {
    say(request, fmt::format("skipped {}: {}", skipped.probe, skipped.reason));
  }
  fmt::print(stderr, "{}", codegen::to_text(made.plan, made.matches.probes.all()));
}

std::size_t count_matched(const Compilation& made) {
  std::size_t count = 0;
  for (const auto& probes : made.matches.of_description) {
    count += probes.size();
  }
  return count;
}

// As dtrace(1) says what it is about to trace.
void tell_description(const Compilation& made, const Request& request) {
  if (request.output.quiet) {
    return;
  }
  const std::size_t count = count_matched(made);
  const ProgramText& last = request.texts.back();
  say(request, fmt::format("{} matched {} probe{}", last.source.name, count,
                           count == 1 ? "" : "s"));
}

void print_code(const Compilation& made) {
  for (const bpf::Program& program : made.generated.object.programs) {
    fmt::print("{}\n", bpf::dump(program, made.generated.object.maps));
  }
}

// Everything that turns records into output, tied together.
class Printing {
 public:
  Printing(const Compilation& made, Ground& ground, Running& running, Request& request,
           int descriptor)
      : request_(&request),
        names_(made.matches.probes.all(), ground.symbols, ground.processes, ground.isa),
        maps_(running.object(), made.generated.storage),
        aggregations_(ground.types, made.generated.layouts, maps_, names_),
        presentation_(std::make_unique<consumer::TextPresentation>(names_, ground.types,
                                                                   request.output)),
        output_(descriptor),
        before_(running.counters()) {}

  Result<void> open(const Compilation& made, Ground& ground) {
    consumer_.emplace(KINST_TRY(consumer::Consumer::make(
        {.table = ground.types,
         .layouts = made.generated.layouts,
         .names = names_,
         .aggregations = aggregations_,
         .presentation = *presentation_,
         .output = output_,
         .host = {
             .set_option = [](std::string_view name, std::string_view) -> Result<void> {
               return error("option {} cannot be changed while tracing", name);
             },
             .free_speculation = [](std::uint32_t) {},
             .report = [this](std::string_view message) { say(*request_, message); }}},
        request_->speculation_bytes)));
    return {};
  }

  void take(std::span<const std::byte> record) {
    const auto consumed = consumer_->consume(record);
    if (!consumed && !failure_) {
      failure_ = consumed.error();
    }
  }

  // False if nobody reads the output any more.
  bool flush(const Running& running) {
    tell_drops(running);
    const auto written = output_.flush();
    if (!written && !failure_) {
      failure_ = written.error();
    }
    return !failure_.has_value();
  }

  void finish(const Running& running) {
    const auto finished = consumer_->finish();
    if (!finished && !failure_) {
      failure_ = finished.error();
    }
    flush(running);
    const std::uint64_t missed = running.missed();
    if (missed != 0) {
      say(*request_,
          fmt::format("{} hits missed: the kernel runs no probe within another",
                      missed));
    }
  }

  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  [[nodiscard]] std::optional<std::int32_t> exit_status() const {
    return consumer_->exit_status();
  }

 private:
  void tell_drops(const Running& running) {
    auto now = running.counters();
    for (const consumer::Drop& drop : consumer::drops_between(before_, now)) {
      consumer_->report(drop);
    }
    before_ = std::move(now);
  }

  Request* request_;
  RunNames names_;
  KernelAggregations maps_;
  consumer::Aggregations aggregations_;
  std::unique_ptr<consumer::Presentation> presentation_;
  consumer::Output output_;
  std::vector<kinst_counters> before_;
  std::optional<consumer::Consumer> consumer_;
  std::optional<Error> failure_;
};

Result<FileDescriptor> open_output(const Request& request) {
  if (!request.output_path) {
    return FileDescriptor(dup(STDOUT_FILENO));
  }
  FileDescriptor file(::open(request.output_path->c_str(),
                             O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file) {
    return system_error(fmt::format("open {}", *request.output_path), errno);
  }
  return file;
}

// Told of probes that the kernel did not take after all.
Result<void> tell_refused(const std::vector<provider::RefusedProbe>& refused,
                          const std::vector<provider::Probe>& probes,
                          const Request& request) {
  if (request.is_verbose) {
    for (const provider::RefusedProbe& one : refused) {
      const provider::Probe& probe = probes[one.probe];
      say(request, fmt::format("skipped {}:{}:{}:{}: {}", probe.provider, probe.module,
                               probe.function, probe.name, one.reason));
    }
  } else if (!refused.empty()) {
    say(request, fmt::format("{} probe{} could not be attached (-v lists them)",
                             refused.size(), refused.size() == 1 ? "" : "s"));
  }
  return {};
}

Result<int> load_and_trace(const Compilation& made, Ground& ground,
                           StopSignals& signals, Target* target, Request& request) {
  auto loaded = Running::load(made);
  if (!loaded) {
    if (request.is_verbose) {
      fmt::print(stderr, "{}", loaded.error().verifier_log);
    }
    return tl::unexpected(Error{loaded.error().message});
  }
  Running& running = *loaded;
  const FileDescriptor output = KINST_TRY(open_output(request));
  Printing printing(made, ground, running, request, output.get());
  KINST_CHECK(printing.open(made, ground));
  tell_description(made, request);

  const RecordSink sink{
      .record = [&](std::span<const std::byte> record) { printing.take(record); },
      .refused =
          [&](const std::vector<provider::RefusedProbe>& refused) {
            return tell_refused(refused, made.matches.probes.all(), request);
          },
      .pause = [&] { return printing.flush(running); },
      .interval = std::chrono::duration_cast<std::chrono::milliseconds>(
          request.switch_interval)};
  KINST_CHECK(trace(
      running, signals, target,
      [](std::size_t, std::size_t) { return bpf::Progress::Continue; }, sink));
  printing.finish(running);
  running.detach();
  if (printing.failure()) {
    return tl::unexpected(*printing.failure());
  }
  return printing.exit_status().value_or(0);
}

Result<int> run_or_fail(Request& request) {
  StopSignals signals = KINST_TRY(StopSignals::block());
  std::optional<Target> target;
  if (request.target_command) {
    target.emplace(KINST_TRY(Target::start(*request.target_command)));
    request.macros.variables["target"] = target->pid();
  }
  Ground ground(request.compile.storage.string_size);
  Diagnostics diagnostics;
  const std::vector<d::Program> programs =
      parse(request.texts, request.macros, ground, diagnostics);
  if (tell(diagnostics, request)) {
    return 1;
  }
  const Providers providers =
      make_providers(ground, provider::Purpose::Tracing, request.most_probes);
  const auto made = KINST_TRY(compile(programs, request.texts, providers,
                                      request.compile, ground, diagnostics));
  if (tell(diagnostics, request)) {
    return 1;
  }
  if (request.is_verbose) {
    tell_matches(*made, request);
  }
  if (request.shows_code) {
    print_code(*made);
  }
  if (request.only_compiles) {
    return 0;
  }
  return load_and_trace(*made, ground, signals, target ? &*target : nullptr, request);
}

}  // namespace

int run(Request request) {
  const auto status = run_or_fail(request);
  if (!status) {
    say(request, status.error().message);
    return 1;
  }
  return *status;
}

}  // namespace kinst::session
