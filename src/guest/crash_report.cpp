#include "guest/crash_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace kinst::guest {
namespace {

// A kernel's report of its fault: some thirty lines of registers and a stack.
constexpr std::ptrdiff_t most_lines = 40;

/// The lines of `text`, without empty ones and the carriage returns of a serial line.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char letter : text) {
    if (letter == '\n') {
      lines.emplace_back();
    } else if (letter != '\r') {
      lines.back().push_back(letter);
    }
  }
  std::erase(lines, "");
  return lines;
}

bool begins_fault(const std::string& line) {
  constexpr std::array<std::string_view, 4> signs = {
      "BUG: ", "Oops: ", "general protection fault", "Kernel panic"};
  return std::ranges::any_of(signs, [&line](std::string_view sign) {
    return line.find(sign) != std::string::npos;
  });
}

}  // namespace

std::string crash_report(std::string_view console, std::string_view complaints) {
  const std::vector<std::string> lines = lines_of(console);
  if (lines.empty()) {
    return complaints.empty()
               ? "the guest ended without a word"
               : fmt::format("QEMU ended: {}", fmt::join(lines_of(complaints), "; "));
  }
  auto begin = std::ranges::find_if(lines, begins_fault);
  const bool fault = begin != lines.end();
  if (!fault) {
    begin = lines.end() - std::min(most_lines, std::ssize(lines));
  }
  const auto end = begin + std::min(most_lines, lines.end() - begin);
  return fmt::format(
      "{}; its console:\n{}",
      fault ? "the guest's kernel failed" : "the guest ended before the command did",
      fmt::join(begin, end, "\n"));
}

}  // namespace kinst::guest
