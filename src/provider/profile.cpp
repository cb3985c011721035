// The units are those of the DTrace guide's chapter on the profile provider.
#include "provider/profile.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <string>

#include "base/text/glob.h"

namespace kinst::provider {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t nanoseconds = 0;
};

constexpr std::array units{
    Unit{"ns", 1},
    Unit{"nsec", 1},
    Unit{"us", 1'000},
    Unit{"usec", 1'000},
    Unit{"ms", 1'000'000},
    Unit{"msec", 1'000'000},
    Unit{"s", 1'000'000'000},
    Unit{"sec", 1'000'000'000},
    Unit{"m", 60'000'000'000},
    Unit{"min", 60'000'000'000},
    Unit{"h", 3'600'000'000'000},
    Unit{"hour", 3'600'000'000'000},
    Unit{"d", 86'400'000'000'000},
    Unit{"day", 86'400'000'000'000},
};

// The kernel's clock for sampling is no finer: kernel/events/core.c,
// perf_swevent_init_hrtimer.
constexpr std::chrono::nanoseconds shortest_period{10'000};

// What is there without being named, as in DTrace: for a list, and for patterns.
constexpr std::array ready_made{
    "profile-97",   "profile-199",  "profile-499", "profile-997", "profile-1999",
    "profile-4001", "profile-4999", "tick-1",      "tick-10",     "tick-100",
    "tick-500",     "tick-1000",    "tick-5000"};

std::optional<std::string_view> after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) {
    return std::nullopt;
  }
  return text.substr(prefix.size());
}

}  // namespace

std::optional<std::chrono::nanoseconds> parse_period(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(
      end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (failure != std::errc{} || number == 0) {
    return std::nullopt;
  }
  constexpr std::uint64_t second_ns = 1'000'000'000;
  if (unit.empty() || unit == "hz") {
    return std::chrono::nanoseconds(second_ns / number);
  }
  for (const Unit& known : units) {
    if (known.name == unit) {
      constexpr auto most =
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
      if (number > most / known.nanoseconds) {
        return std::nullopt;
      }
      return std::chrono::nanoseconds(number * known.nanoseconds);
    }
  }
  return std::nullopt;
}

namespace {

Probe make_probe(std::string_view name, std::chrono::nanoseconds period,
                 bool on_every_cpu) {
  return {.id = 0,
          .provider = "profile",
          .module = {},
          .function = {},
          .name = std::string(name),
          .site = Timer{.period_ns = static_cast<std::uint64_t>(period.count()),
                        .on_every_cpu = on_every_cpu},
          .key = 0};
}

Match matching_ready_made(const d::Description& description) {
  Match found;
  for (const std::string_view name : ready_made) {
    if (description.name.empty() || glob_matches(description.name, name)) {
      const std::size_t rate = name.find('-') + 1;
      found.probes.push_back(make_probe(name, *parse_period(name.substr(rate)),
                                        name.starts_with("profile")));
    }
  }
  return found;
}

}  // namespace

Result<Match> ProfileProvider::match(const d::Description& description) {
  if (!description.module.empty() || !description.function.empty()) {
    return Match{};
  }
  if (description.name.empty() || is_glob(description.name)) {
    return matching_ready_made(description);
  }
  Match found;
  const auto profile = after(description.name, "profile-");
  const auto tick = after(description.name, "tick-");
  if (!profile && !tick) {
    if (!description.provider.empty()) {
      found.why_none =
          "its probes are profile-N on every CPU and tick-N on one, N "
          "times a second, or as long apart as N with ms, s, m or h says";
    }
    return found;
  }
  const std::string_view period_text = profile ? *profile : *tick;
  const auto period = parse_period(period_text);
  if (!period) {
    found.why_none = fmt::format(
        "'{}' is no rate: a number is wanted, with hz, ns, us, ms, s, m, h or d behind "
        "it",
        period_text);
  } else if (*period < shortest_period) {
    found.why_none =
        fmt::format("{} is too often: the kernel's clock fires every 10us at most",
                    description.name);
  } else {
    found.probes.push_back(make_probe(description.name, *period, profile.has_value()));
  }
  return found;
}

}  // namespace kinst::provider
