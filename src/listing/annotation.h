// What `kinst --annotate` shows: a function's instructions, how often each was
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
#include "kernel/code/function.h"
#include "kernel/symbols/symbols.h"
#include "listing/disassembly.h"
#include "listing/flow.h"

namespace kinst::listing {

/// The place in the source from which an instruction was compiled.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
  std::string text;  ///< the line itself; empty if the file is not at hand

  bool operator==(const SourcePlace&) const = default;
};
using FindSource = std::function<std::optional<SourcePlace>(KernelAddress)>;

/// A function, or a part of one, in which probes were placed.
struct CountedPart {
  const kernel::Function* function = nullptr;
  Disassembly listing;
  /// Whether each instruction had a probe.
  std::vector<bool> is_counted;
};

struct TargetCount {
  std::string name;
  std::uint64_t count = 0;

  bool operator==(const TargetCount&) const = default;
};

/// How often an instruction was executed, compared with the others of its function.
enum class Heat : std::uint8_t { Unknown, Never, Usual, Warm, Hot };

struct AnnotatedRow {
  std::size_t part = 0;   ///< index of Annotation::parts
  std::size_t block = 0;  ///< index of Flow::blocks
  Row row;
  Count executed;
  Count taken;                       ///< known only for a conditional jump
  std::vector<TargetCount> targets;  ///< of an indirect jump or call, by frequency
  std::optional<SourcePlace> source;
  Heat heat = Heat::Unknown;
};

/// Facts about a run that are shown beside its counts.
struct RunFacts {
  /// The process that was counted, with its children; nothing if all processes were.
  std::optional<std::int64_t> process;
  bool without_children = false;  ///< the process alone was counted
  std::string command;  ///< the command that it ran; empty for a process of -p
  /// Hits that were not counted, because the kernel runs no probe within another, or
  /// because maps were full. For all functions of the run together.
  std::uint64_t missed = 0;
};

struct Annotation {
  std::string module;
  std::string function;
  std::vector<Disassembly> parts;  ///< without rows; the function itself is first
  std::vector<AnnotatedRow> rows;  ///< one part after the other
  Flow flow;
  /// For each edge of the flow that leaves the function, its target; empty for other
  /// edges.
  std::vector<std::string> edge_targets;
  /// How often the function was left by each way: "return", or the name of a target.
  std::vector<TargetCount> exits;
  RunFacts run;
};

/// Combines counts and code.
/// parts: the function first, then its split-off parts.
Annotation annotate(std::span<const CountedPart> parts, const Counts& counts,
                    const kernel::Symbols& symbols, const FindSource& find_source,
                    RunFacts run);

/// "+0x12", or ".cold+0x12" in another part than the function itself.
std::string place_text(const Annotation& annotation, std::size_t row);

/// Explains a difference in words.
std::string explain(const Annotation& annotation, const Difference& difference);

/// "1000"; "(1000)" if the count is derived; "?" if it is not known.
std::string count_text(const Count& count);

}  // namespace kinst::listing
