// Whether the kernel's verifier takes what the compiler takes: programs are run by the
// real command, which loads them and ends at once.
//
// usage: verifier_check KINST tables [--kinds=KIND,…]
//        verifier_check KINST random [--seed=N] [--count=N | --seconds=N] [--kinds=…]
//
// tables: every row of D's tables of subroutines, actions, built-in variables and
// aggregating functions, as a statement, in a predicate, as a key and in a speculation,
// for each kind of probe and in ERROR's clauses.
// random: programs by chance. Those that are refused are left in the working directory.
// Kinds that need kprobes are tried only if they are named. 77 where BPF is refused.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "d/tables/action.h"
#include "d/tables/builtin.h"
#include "d/tables/prototype.h"
#include "d/tables/subroutine.h"
#include "record/aggregating_function.h"
#include "verifier/random_program.h"

namespace kinst::verifier {
namespace {

using Kinds = std::vector<const ProbeKind*>;

struct Request {
  std::string kinst;
  std::string what;
  std::uint64_t seed = 0;
  std::uint64_t count = 200;
  std::uint64_t seconds = 0;
  Kinds kinds;
};

enum class Verdict : std::uint8_t { Accepted, NotCompiled, Refused };

struct Outcome {
  Verdict verdict{};
  std::string words;  ///< all that the command has printed
};

// The last lines, where the reason is.
std::string end_of(const std::string& words) {
  constexpr std::size_t most = 600;
  return words.size() > most ? "…" + words.substr(words.size() - most) : words;
}

Outcome run(const std::string& text, const Request& request) {
  const std::string file = fmt::format("program-{}.d", getpid());
  std::ofstream(file) << text;
  const std::string command =
      fmt::format("timeout -k 5 120 '{}' -Zwq -s {} -c /bin/true 2>&1 < /dev/null",
                  request.kinst, file);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return {.verdict = Verdict::Refused, .words = "cannot run the command"};
  }
  Outcome outcome;
  std::array<char, 4096> buffer{};
  std::size_t read = 0;
  while ((read = fread(buffer.data(), 1, buffer.size(), pipe)) != 0) {
    outcome.words.append(buffer.data(), read);
  }
  const int status = pclose(pipe);
  std::remove(file.c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    outcome.verdict = Verdict::Accepted;
  } else if (outcome.words.find("failed to compile") != std::string::npos ||
             outcome.words.find("which this kernel does not allow there") !=
                 std::string::npos) {
    // The second is said of helpers that the kernel lacks.
    outcome.verdict = Verdict::NotCompiled;
  } else {
    outcome.verdict = Verdict::Refused;
    outcome.words += fmt::format("\n(wait status {})", status);
  }
  return outcome;
}

// ---------------------------------------------------------------- random

int try_random(const Request& request) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::uint64_t tried = 0;
  std::uint64_t refused = 0;
  std::uint64_t not_compiled = 0;
  const auto goes_on = [&] {
    return request.seconds != 0
               ? Clock::now() - begin < std::chrono::seconds(request.seconds)
               : tried < request.count;
  };
  for (; goes_on(); ++tried) {
    const std::uint64_t seed = request.seed + tried;
    const std::string text = random_program(seed, request.kinds);
    const Outcome outcome = run(text, request);
    not_compiled += outcome.verdict == Verdict::NotCompiled ? 1 : 0;
    if (outcome.verdict != Verdict::Accepted) {
      fmt::print("seed {}: {}: {}\n", seed,
                 outcome.verdict == Verdict::Refused ? "REFUSED" : "not compiled",
                 end_of(outcome.words));
      std::fflush(stdout);
    }
    if (outcome.verdict == Verdict::Refused) {
      ++refused;
      std::ofstream(fmt::format("refused-{}.d", seed)) << text;
    }
  }
  fmt::print("seeds {} to {}: {} programs, {} refused, {} not compiled\n", request.seed,
             request.seed + tried - 1, tried, refused, not_compiled);
  // What does not compile tests nothing: expressions too complex are rare.
  constexpr std::uint64_t most_percent = 10;
  if (not_compiled * 100 > tried * most_percent) {
    fmt::print("too many are not compiled: the generator is wrong about D\n");
    return 1;
  }
  return refused == 0 ? 0 : 1;
}

// ---------------------------------------------------------------- tables

/// One row of a table as D text.
struct Row {
  std::string name;
  std::string statements;
  std::string value;  ///< empty where it has none
};

std::string sample_argument(const d::PrototypeParameter& parameter) {
  if (parameter.type == "string" || parameter.type == "const char *") {
    return "strjoin(execname, text)";
  }
  if (parameter.type.find('*') != std::string_view::npos) {
    return fmt::format("(({})place)", parameter.type);
  }
  // Constants where they are optional: one of them must be.
  return parameter.is_optional        ? "1"
         : parameter.type == "size_t" ? "(number & 31)"
                                      : "(number + pid)";
}

// With all the parameters that it can have.
std::string sample_call(std::string_view name, const d::Prototype& prototype) {
  std::string arguments;
  for (const d::PrototypeParameter& parameter : prototype.parameters) {
    arguments += (arguments.empty() ? "" : ", ") + sample_argument(parameter);
  }
  return fmt::format("{}({})", name, arguments);
}

Row subroutine_row(const d::SubroutineInfo& info) {
  const d::Prototype prototype = d::parse_prototype(info.prototype);
  const std::string call = sample_call(info.name, prototype);
  return {.name = std::string(info.name),
          .statements = call + ";",
          .value = prototype.result == "void" ? "" : call};
}

Row builtin_row(const d::BuiltinInfo& info) {
  const std::string value =
      fmt::format("{}{}", info.name, info.is_array() ? "[0]" : "");
  return {
      .name = value, .statements = fmt::format("trace({});", value), .value = value};
}

/// Actions whose arguments their prototypes do not tell.
const std::map<std::string_view, std::string_view> sample_statements = {
    {"clear", "@rows = count(); clear(@rows);"},
    {"denormalize", "@rows = count(); denormalize(@rows);"},
    {"freopen", "freopen(\"%s\", execname);"},
    {"normalize", "@rows = count(); normalize(@rows, 3);"},
    {"print", "print(*place);"},
    {"printa", "@rows = count(); printa(@rows);"},
    {"printf", "printf(\"%d %s %x\", number, strjoin(text, execname), pid);"},
    {"printm", "printm(8, memref(place, number));"},
    {"setopt", "setopt(\"quiet\", \"1\");"},
    {"speculate", "speculate(number); trace(strjoin(text, execname));"},
    {"system", "system(\"true %s\", execname);"},
    {"trace", "trace(strjoin(text, execname));"},
    {"tracemem", "tracemem(place, 64, number);"},
    {"trunc", "@rows = count(); trunc(@rows, 5);"}};

std::optional<Row> action_row(const d::ActionInfo& info) {
  const auto sample = sample_statements.find(info.name);
  if (sample != sample_statements.end()) {
    return Row{.name = std::string(info.name),
               .statements = std::string(sample->second),
               .value = {}};
  }
  if (info.prototype.find('@') != std::string_view::npos) {
    return std::nullopt;
  }
  return Row{
      .name = std::string(info.name),
      .statements = sample_call(info.name, d::parse_prototype(info.prototype)) + ";",
      .value = {}};
}

Row aggregating_row(std::string_view name) {
  const std::string_view arguments = name == "count"        ? ""
                                     : name == "lquantize"  ? "number, 0, 100, 5"
                                     : name == "llquantize" ? "number, 10, 0, 4, 20"
                                                            : "number";
  return {
      .name = std::string(name),
      .statements = fmt::format("@one = {0}({1}); @keyed[execname, number, stack(3)] "
                                "= {0}({1});",
                                name, arguments),
      .value = {}};
}

// The row wherever it can stand in clauses of one probe. Nothing of it is executed but
// by those who set `wanted`.
std::string clauses_of(std::string_view probe, const Row& row) {
  std::string text = fmt::format("{}\n/wanted/\n{{\n\t{}\n}}\n", probe, row.statements);
  if (!row.value.empty()) {
    text += fmt::format(
        "{0}\n/wanted && (int64_t)({1}) != 0/\n{{\n\ttrace(1);\n}}\n"
        "{0}\n/wanted/\n{{\n\t@of_row[{1}, strjoin(execname, text)] = count();\n}}\n"
        "{0}\n/wanted/\n{{\n\tspeculate(number);\n\ttrace({1});\n}}\n",
        probe, row.value);
  }
  return text;
}

constexpr std::string_view rows_begin =
    "struct outer { int a; char text[20]; };\n"
    "int wanted; int64_t number; string text; struct outer *place;\n";
// Each program has a clause that fails, so that ERROR's clauses are in it.
std::string clauses_of_kind(const ProbeKind& kind, const Row& row) {
  std::string text;
  for (const std::string_view probe : kind.probes) {
    text += fmt::format("{}\n/wanted/\n{{\n\tnumber = *(int *)number;\n}}\n", probe) +
            clauses_of(probe, row);
  }
  return text;
}

constexpr std::string_view rows_end = "BEGIN\n{\n\texit(0);\n}\n";

struct Tally {
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;
  std::vector<std::string> nowhere;  ///< rows that no kind here takes
};

void report_refused(const Row& row, std::string_view where, const Outcome& outcome,
                    Tally& tally) {
  ++tally.refused;
  fmt::print("{} {}: REFUSED: {}\n", row.name, where, end_of(outcome.words));
  std::fflush(stdout);
}

// Everywhere at once; where the compiler does not take that, each by itself.
void try_row(const Row& row, const Request& request, Tally& tally) {
  const std::string error = clauses_of("ERROR", row);
  std::string everywhere;
  for (const ProbeKind* kind : request.kinds) {
    everywhere += clauses_of_kind(*kind, row);
  }
  const auto load = [&](const std::string& clauses) {
    return run(std::string(rows_begin) + clauses + std::string(rows_end), request);
  };
  const Outcome all = load(everywhere + error);
  if (all.verdict == Verdict::Accepted) {
    ++tally.accepted;
    return;
  }
  if (all.verdict == Verdict::Refused) {
    report_refused(row, "everywhere", all, tally);
    return;
  }
  bool is_somewhere = false;
  std::string reason;
  const auto try_one = [&](std::string_view where, const std::string& clauses) {
    const Outcome outcome = load(clauses);
    if (outcome.verdict == Verdict::Refused) {
      report_refused(row, where, outcome, tally);
    }
    is_somewhere = is_somewhere || outcome.verdict != Verdict::NotCompiled;
    reason = outcome.words;
  };
  // Values that have no place in keys or predicates have one in statements.
  const Row statement{.name = row.name, .statements = row.statements, .value = {}};
  const std::string failing = "BEGIN\n/wanted/\n{\n\tnumber = *(int *)number;\n}\n";
  for (const Row* form : {&row, &statement}) {
    for (const ProbeKind* kind : request.kinds) {
      try_one(kind->name, clauses_of_kind(*kind, *form));
    }
    try_one("ERROR", failing + clauses_of("ERROR", *form));
  }
  if (is_somewhere) {
    ++tally.accepted;
  } else {
    tally.nowhere.push_back(row.name);
  }
}

int try_tables(const Request& request) {
  std::vector<Row> rows;
  int missing = 0;
  for (const d::SubroutineInfo& info : d::all_subroutines()) {
    rows.push_back(subroutine_row(info));
  }
  for (const d::BuiltinInfo& info : d::all_builtins()) {
    rows.push_back(builtin_row(info));
  }
  for (const auto& function : record::all_aggregating_functions()) {
    rows.push_back(aggregating_row(function.name));
  }
  for (const d::ActionInfo& info : d::all_actions()) {
    if (auto row = action_row(info)) {
      rows.push_back(*std::move(row));
    } else {
      fmt::print("action {} has no sample in sample_statements\n", info.name);
      ++missing;
    }
  }
  Tally tally;
  for (const Row& row : rows) {
    try_row(row, request, tally);
  }
  fmt::print("{} rows: {} accepted, {} refused; {} are of no probe here: {}\n",
             rows.size(), tally.accepted, tally.refused, tally.nowhere.size(),
             fmt::join(tally.nowhere, ", "));
  return tally.refused == 0 && missing == 0 ? 0 : 1;
}

// ---------------------------------------------------------------- the command line

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size()
             ? std::optional(value)
             : std::nullopt;
}

Kinds kinds_named(std::string_view names) {
  Kinds kinds;
  for (const ProbeKind& kind : probe_kinds()) {
    const bool is_named =
        ("," + std::string(names) + ",").find(fmt::format(",{},", kind.name)) !=
        std::string::npos;
    if (names.empty() ? !kind.needs_kprobes : is_named) {
      kinds.push_back(&kind);
    }
  }
  return kinds;
}

std::optional<Request> read_request(const std::vector<std::string_view>& words) {
  if (words.size() < 3 || (words[2] != "tables" && words[2] != "random")) {
    return std::nullopt;
  }
  Request request{.kinst = std::string(words[1]), .what = std::string(words[2])};
  std::string_view kinds;
  for (std::size_t i = 3; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const std::string_view option = words[i].substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? "" : words[i].substr(equals + 1);
    const auto count = number(value);
    if (option == "--kinds") {
      kinds = value;
    } else if (option == "--seed" && count) {
      request.seed = *count;
    } else if (option == "--count" && count) {
      request.count = *count;
    } else if (option == "--seconds" && count) {
      request.seconds = *count;
    } else {
      return std::nullopt;
    }
  }
  request.kinds = kinds_named(kinds);
  return request.kinds.empty() ? std::nullopt : std::optional(request);
}

int check(const std::vector<std::string_view>& words) {
  const auto request = read_request(words);
  if (!request) {
    fmt::print(stderr,
               "usage: verifier_check KINST tables|random [--kinds=KIND,...] "
               "[--seed=N] [--count=N] [--seconds=N]\n");
    return 2;
  }
  const Outcome allowed = run("BEGIN { exit(0); }\n", *request);
  if (allowed.verdict != Verdict::Accepted) {
    fmt::print("BPF cannot be used here: {}\n", allowed.words);
    return 77;
  }
  return request->what == "tables" ? try_tables(*request) : try_random(*request);
}

}  // namespace
}  // namespace kinst::verifier

int main(int argc, char** argv) {
  return kinst::verifier::check({argv, argv + argc});
}
