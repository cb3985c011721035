// Optimal string alignment distance, and the few names that are nearest by it.
#include "base/text/near_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace kinst {

std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before_previous(right.size() + 1);
  std::vector<std::size_t> previous(right.size() + 1);
  std::vector<std::size_t> current(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) {
    previous[j] = j;
  }
  for (std::size_t i = 1; i <= left.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
      current[j] =
          std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + change});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] &&
          left[i - 2] == right[j - 1]) {
        current[j] = std::min(current[j], before_previous[j - 2] + 1);
      }
    }
    std::swap(before_previous, previous);
    std::swap(previous, current);
  }
  return previous[right.size()];
}

namespace {

bool differs_by_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](unsigned char letter, unsigned char other) {
    return std::tolower(letter) == std::tolower(other);
  });
}

}  // namespace

void NearNames::offer(std::string_view name) {
  const std::size_t limit = std::max<std::size_t>(1, wanted_.size() / 3);
  const std::size_t difference = name.size() > wanted_.size()
                                     ? name.size() - wanted_.size()
                                     : wanted_.size() - name.size();
  if (difference > limit) {
    return;
  }
  const std::size_t distance =
      differs_by_case(wanted_, name) ? 1 : edit_distance(wanted_, name);
  if (distance > limit || std::ranges::any_of(near_, [&](const Near& known) {
        return known.name == name;
      })) {
    return;
  }
  const auto place = std::ranges::upper_bound(near_, distance, {}, &Near::distance);
  near_.insert(place, Near{.distance = distance, .name = std::string(name)});
  if (near_.size() > most_) {
    near_.pop_back();
  }
}

std::vector<std::string> NearNames::names() const {
  std::vector<std::string> out;
  for (const Near& near : near_) {
    out.push_back(near.name);
  }
  return out;
}

std::string NearNames::question() const {
  if (near_.empty()) {
    return {};
  }
  std::string list;
  for (std::size_t i = 0; i < near_.size(); ++i) {
    const char* separator = i == 0 ? "" : i + 1 == near_.size() ? " or " : ", ";
    list += fmt::format("{}'{}'", separator, near_[i].name);
  }
  return fmt::format("did you mean {}?", list);
}

}  // namespace kinst
