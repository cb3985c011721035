// What is told beside the output: faults of clauses, and what was lost.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/names.h"
#include "runtime/abi.h"

namespace kinst::consumer {

/// "invalid address" and so on, by DTrace's number of a fault.
std::string_view fault_text(std::uint64_t fault);

/// "error on enabled probe ID 2 (ID 1: dtrace:::BEGIN): invalid address (0x0) in action
/// #1 at DIF offset 4", without the command's name before it. The enabled probe is the
/// clause, counted from 1.
std::string error_message(Names& names, const kinst_error_record& error);

enum class DropKind : std::uint8_t {
  Record,
  Aggregation,
  Dynamic,
  Speculation,
  SpeculationBusy,
  SpeculationUnavailable,
  ErrorInError,
};

/// Something lost since the last time.
struct Drop {
  DropKind kind{};
  std::string_view tag;  ///< "DTRACEDROP_PRINCIPAL"
  std::uint64_t count = 0;
  std::string message;  ///< "3 drops on CPU 1", without the command's name
};

/// A drop of everything but Record and Aggregation is told for all CPUs together.
Drop make_drop(DropKind kind, std::uint64_t count, std::uint32_t cpu);

/// What was lost between two readings of the CPUs' counters, CPU by CPU.
std::vector<Drop> drops_between(std::span<const kinst_counters> before,
                                std::span<const kinst_counters> after);

/// "[DTRACEDROP_PRINCIPAL] 3 drops on CPU 1" under the option droptags.
std::string drop_text(const Drop& drop, bool with_tag);

}  // namespace kinst::consumer
