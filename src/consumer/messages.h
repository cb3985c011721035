// Messages beside the output: faults of clauses, and drops.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/values/symbolizer.h"
#include "runtime/abi.h"

namespace kinst::consumer {

/// "invalid address" and so on, by DTrace's number of the fault.
std::string_view fault_text(std::uint64_t fault);

/// DTrace's message about a fault, without the command's name: "error on enabled probe
/// ID 2 (ID 1: dtrace:::BEGIN): invalid address (0x0) in action #1 at DIF offset 4".
/// The enabled probe is the number of the clause, from 1.
std::string error_message(Symbolizer& names, const kinst_error_record& error);

enum class DropKind : std::uint8_t {
  Record,
  Aggregation,
  Dynamic,
  Speculation,
  SpeculationBusy,
  SpeculationUnavailable,
  ErrorInError,
};

/// Something that was lost since the last report.
struct Drop {
  DropKind kind{};
  std::string_view tag;  ///< "DTRACEDROP_PRINCIPAL"
  std::uint64_t count = 0;
  std::string message;  ///< "3 drops on CPU 1", without the command's name
};

/// Makes a drop with its message. Only the messages of Record and Aggregation name the
/// CPU; other drops are reported for all CPUs together.
Drop make_drop(DropKind kind, std::uint64_t count, std::uint32_t cpu);

/// The drops between two readings of the CPUs' counters, CPU by CPU.
std::vector<Drop> drops_between(std::span<const kinst_counters> before,
                                std::span<const kinst_counters> after);

/// The drop's message; with the option droptags, "[DTRACEDROP_PRINCIPAL] 3 drops on CPU
/// 1".
std::string drop_text(const Drop& drop, bool with_tag);

}  // namespace kinst::consumer
