#include "base/text/glob.h"

#include <cstddef>
#include <optional>

namespace kinst {
namespace {

// Whether one element of a pattern matches a character, and where the next element
// begins.
struct Step {
  bool matches = false;
  std::size_t next = 0;
};

// `[...]` at `at`; nothing when it is not closed.
std::optional<Step> match_set(std::string_view pattern, std::size_t at, char letter) {
  std::size_t i = at + 1;
  const bool negated = i < pattern.size() && pattern[i] == '!';
  i += negated ? 1 : 0;
  bool found = false;
  for (const std::size_t first = i; i < pattern.size(); ++i) {
    if (pattern[i] == ']' && i != first) {
      return Step{.matches = found != negated, .next = i + 1};
    }
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      ++i;
    }
    const char low = pattern[i];
    char high = low;
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      i += 2;
      high = pattern[i];
    }
    found = found || (low <= letter && letter <= high);
  }
  return std::nullopt;
}

// The element at `at`, which is no `*`.
Step match_one(std::string_view pattern, std::size_t at, char letter) {
  if (pattern[at] == '?') {
    return {.matches = true, .next = at + 1};
  }
  if (pattern[at] == '[') {
    if (const auto set = match_set(pattern, at, letter)) {
      return *set;
    }
  }
  if (pattern[at] == '\\' && at + 1 < pattern.size()) {
    ++at;
  }
  return {.matches = pattern[at] == letter, .next = at + 1};
}

}  // namespace

// Only the last star ever needs to be tried again, so time is at most the product of
// the two lengths.
bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::optional<std::size_t> star;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_text = t;
      continue;
    }
    const Step step = p < pattern.size() ? match_one(pattern, p, text[t]) : Step{};
    if (step.matches) {
      p = step.next;
      ++t;
    } else if (star) {
      p = *star;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') {
    ++p;
  }
  return p == pattern.size();
}

bool is_glob(std::string_view pattern) {
  return pattern.find_first_of("*?[\\") != std::string_view::npos;
}

}  // namespace kinst
