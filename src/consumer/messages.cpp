#include "consumer/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kinst::consumer {
namespace {

struct DropWords {
  DropKind kind{};
  std::string_view tag;
  std::string_view what;  // takes an 's' when there are several
  std::string_view rest;
  bool is_per_cpu = false;
};

constexpr std::array drop_words{
    DropWords{DropKind::Record, "DTRACEDROP_PRINCIPAL", "drop", "", true},
    DropWords{DropKind::Aggregation, "DTRACEDROP_AGGREGATION", "aggregation drop", "",
              true},
    DropWords{DropKind::Dynamic, "DTRACEDROP_DYNAMIC", "dynamic variable drop", ""},
    DropWords{DropKind::Speculation, "DTRACEDROP_SPEC", "speculative drop", ""},
    DropWords{DropKind::SpeculationBusy, "DTRACEDROP_SPECBUSY", "failed speculation",
              " (available buffer(s) still busy)"},
    DropWords{DropKind::SpeculationUnavailable, "DTRACEDROP_SPECUNAVAIL",
              "failed speculation", " (no speculative buffer available)"},
    DropWords{DropKind::ErrorInError, "DTRACEDROP_DBLERROR", "error",
              " in ERROR probe enabling"},
};

const DropWords& words_of(DropKind kind) {
  return *std::ranges::find(drop_words, kind, &DropWords::kind);
}

// The address or index that the fault is about, if it has one.
std::string fault_details(const kinst_error_record& error) {
  switch (error.fault) {
    case KINST_FAULT_BADADDR:
    case KINST_FAULT_BADALIGN:
    case KINST_FAULT_BADSTACK:
    case KINST_FAULT_BADSIZE:
      return fmt::format(" ({:#x})", error.address);
    case KINST_FAULT_BADINDEX:
      return fmt::format(" ({})", static_cast<std::int64_t>(error.address));
    default:
      return "";
  }
}

}  // namespace

std::string_view fault_text(std::uint64_t fault) {
  switch (fault) {
    case KINST_FAULT_BADADDR:
      return "invalid address";
    case KINST_FAULT_BADALIGN:
      return "invalid alignment";
    case KINST_FAULT_ILLOP:
      return "illegal operation";
    case KINST_FAULT_DIVZERO:
      return "divide-by-zero";
    case KINST_FAULT_NOSCRATCH:
      return "out of scratch space";
    case KINST_FAULT_KPRIV:
      return "invalid kernel access";
    case KINST_FAULT_UPRIV:
      return "invalid user access";
    case KINST_FAULT_TUPOFLOW:
      return "tuple stack overflow";
    case KINST_FAULT_BADSTACK:
      return "bad stack";
    case KINST_FAULT_BADSIZE:
      return "invalid size";
    case KINST_FAULT_BADINDEX:
      return "index out of bounds";
    default:
      return "unknown fault";
  }
}

std::string error_message(Symbolizer& names, const kinst_error_record& error) {
  const provider::Probe* probe = names.probe(error.header.probe);
  const std::string where =
      probe == nullptr ? "unknown probe"
                       : fmt::format("ID {}: {}", probe->id, full_name(*probe));
  return fmt::format(
      "error on enabled probe ID {} ({}): {}{} in action #{} at DIF offset {}",
      error.clause + 1, where, fault_text(error.fault), fault_details(error),
      error.action, error.place);
}

Drop make_drop(DropKind kind, std::uint64_t count, std::uint32_t cpu) {
  const DropWords& words = words_of(kind);
  std::string message =
      fmt::format("{} {}{}{}", count, words.what, count > 1 ? "s" : "", words.rest);
  if (words.is_per_cpu) {
    message += fmt::format(" on CPU {}", cpu);
  }
  return Drop{
      .kind = kind, .tag = words.tag, .count = count, .message = std::move(message)};
}

std::vector<Drop> drops_between(std::span<const kinst_counters> before,
                                std::span<const kinst_counters> after) {
  std::vector<Drop> drops;
  const auto add = [&](DropKind kind, std::uint64_t count, std::uint32_t cpu) {
    if (count != 0) {
      drops.push_back(make_drop(kind, count, cpu));
    }
  };
  std::uint64_t dynamic = 0;
  std::uint64_t speculation = 0;
  std::uint64_t unavailable = 0;
  for (std::uint32_t cpu = 0; cpu < after.size(); ++cpu) {
    const kinst_counters& now = after[cpu];
    const kinst_counters then = cpu < before.size() ? before[cpu] : kinst_counters{};
    add(DropKind::Record, now.record_drops - then.record_drops, cpu);
    add(DropKind::Aggregation, now.aggregation_drops - then.aggregation_drops, cpu);
    dynamic += now.dynamic_drops - then.dynamic_drops;
    speculation += now.speculation_drops - then.speculation_drops;
    unavailable += now.speculation_busy - then.speculation_busy;
  }
  add(DropKind::Dynamic, dynamic, 0);
  add(DropKind::Speculation, speculation, 0);
  add(DropKind::SpeculationUnavailable, unavailable, 0);
  return drops;
}

std::string drop_text(const Drop& drop, bool with_tag) {
  return with_tag ? fmt::format("[{}] {}", drop.tag, drop.message) : drop.message;
}

}  // namespace kinst::consumer
