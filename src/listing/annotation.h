// What `kinst --annotate` shows: a function's instructions with how often each was
// executed, where its jumps and calls went, and sums that check the counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/address.h"
#include "kernel/function.h"
#include "kernel/symbols.h"
#include "listing/disassembly.h"
#include "listing/flow.h"

namespace kinst::listing {

/// Where code comes from.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
  std::string text;  ///< the line itself; empty if the file is not at hand

  bool operator==(const SourcePlace&) const = default;
};
using FindSource = std::function<std::optional<SourcePlace>(KernelAddress)>;

/// A function, or a part of one, that probes were placed in.
struct CountedPart {
  const kernel::Function* function = nullptr;
  Disassembly listing;
  /// By instruction: whether there was a probe.
  std::vector<bool> is_counted;
};

struct TargetCount {
  std::string name;
  std::uint64_t count = 0;

  bool operator==(const TargetCount&) const = default;
};

/// How often an instruction is executed beside the others of its function.
enum class Heat : std::uint8_t { Unknown, Never, Usual, Warm, Hot };

struct AnnotatedRow {
  std::size_t part = 0;   ///< index of Annotation::parts
  std::size_t block = 0;  ///< index of Flow::blocks
  Row row;
  Count executed;
  Count taken;                       ///< unknown unless it is a conditional jump
  std::vector<TargetCount> targets;  ///< of indirect ones, the most frequent first
  std::optional<SourcePlace> source;
  Heat heat = Heat::Unknown;
};

/// What is said beside a run's counts.
struct RunFacts {
  /// The process that was counted, with its children; nothing: everything.
  std::optional<std::int64_t> process;
  bool without_children = false;  ///< the process alone was counted
  std::string command;            ///< that it ran; empty if it ran already
  /// Hits that were not counted: the kernel runs no probe within another, and maps can
  /// be full. Of all functions of the run together.
  std::uint64_t missed = 0;
};

struct Annotation {
  std::string module;
  std::string function;
  std::vector<Disassembly> parts;  ///< without their rows; the function itself first
  std::vector<AnnotatedRow> rows;  ///< one part after the other
  Flow flow;
  /// By edge of the flow that leaves the function: where it goes; empty for others.
  std::vector<std::string> edge_targets;
  /// What leaves the function, and how often: "return", names of targets.
  std::vector<TargetCount> exits;
  RunFacts run;
};

/// Puts counts and code together.
/// parts: the function first, then what it jumps to and back from.
Annotation annotate(std::span<const CountedPart> parts, const Counts& counts,
                    const kernel::Symbols& symbols, const FindSource& find_source,
                    RunFacts run);

/// "+0x12", or ".cold+0x12" in another part than the function itself.
std::string place_text(const Annotation& annotation, std::size_t row);

/// What a difference means, in words.
std::string explain(const Annotation& annotation, const Difference& difference);

/// "1000", "(1000)" if it is derived, "?" if it is not known.
std::string count_text(const Count& count);

}  // namespace kinst::listing
