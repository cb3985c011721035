// From an image to programs and maps in the kernel.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/system/file_descriptor.h"
#include "bpf/code/link.h"
#include "bpf/load/map.h"

namespace kinst::bpf {

/// A program that the kernel has verified; nothing runs it yet.
struct LoadedProgram {
  std::string name;
  ProgramType type = ProgramType::RawTracepoint;
  std::uint32_t expected_attach_type = 0;
  FileDescriptor descriptor;
};

/// Owns what was loaded for one run. Indexed as the ObjectSpecification was: a MapId is
/// an index of `maps`.
struct Object {
  std::vector<Map> maps;
  std::vector<LoadedProgram> programs;
  /// The verifier's log of the programs, if one was requested.
  std::string verifier_log;

  [[nodiscard]] const Map& map(MapId id) const {
    return maps.at(static_cast<std::size_t>(id));
  }
  [[nodiscard]] Map& map(MapId id) { return maps.at(static_cast<std::size_t>(id)); }
  /// The map of that name, null if there is none.
  [[nodiscard]] const Map* find_map(std::string_view name) const;
};

/// Why an image could not be loaded: one sentence, and what the verifier had to say,
/// which is for developers (-v).
struct LoadError : Error {
  // NOLINTNEXTLINE(google-explicit-constructor): KINST_TRY makes it of an Error
  LoadError(Error sentence, std::string log = {})
      : Error(std::move(sentence)), verifier_log(std::move(log)) {}

  std::string verifier_log;
};

/// Creates the maps, then loads the programs with them.
/// Errors: missing privileges and kernel features by name; a program that is too large
/// or too complex; any other rejection by the verifier is a bug of the code generator
/// and says so.
/// log_bytes: how much the verifier may write of each program; 0 asks for nothing, as
/// writing makes it several times slower. A log that needs more is an error.
tl::expected<Object, LoadError> load(const Image& image, std::uint32_t log_bytes = 0);

/// Whether this kernel takes a program of this type that calls a helper, found out by
/// trying. For helpers that only some kernels or program types have.
bool helper_available(ProgramType type, Helper helper);

/// How often the kernel skipped the program because this program, or for most types any
/// other program, was running on the CPU. Kernels before 6.7 do not count this for
/// kprobes and for tracepoints with a record; the result is then 0.
std::uint64_t recursion_misses(const LoadedProgram& program);

/// Runs a RawTracepoint program once, here and now: in this thread, on its CPU, with
/// `arguments` (at most 12) as its context. Returns what the program returned.
/// Source: bpf_prog_test_run_raw_tp, since 5.10.
Result<std::uint32_t> run_once(const LoadedProgram& program,
                               std::span<const std::uint64_t> arguments = {});

}  // namespace kinst::bpf
