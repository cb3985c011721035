#include "compile/source_lines.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/system/read_file.h"

namespace kinst::compile {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> out;
  const auto text = read_file(path);
  if (!text) {
    return out;
  }
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    out.emplace_back(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

}  // namespace

void SourceLines::read(kernel::AddressRange range) {
  if (debug_) {
    std::ranges::move((*debug_)->lines(range), std::back_inserter(rows_));
    std::ranges::stable_sort(rows_, {}, &kernel::LineRow::address);
  }
}

const std::string& SourceLines::line_text(const std::string& file, std::uint32_t line) {
  static const std::string nothing;
  auto found = files_.find(file);
  if (found == files_.end()) {
    found = files_.emplace(file, lines_of(file)).first;
  }
  return line == 0 || line > found->second.size() ? nothing : found->second[line - 1];
}

std::optional<listing::SourcePlace> SourceLines::find(KernelAddress address) {
  const kernel::LineRow* row = kernel::line_at(rows_, address);
  if (row == nullptr || row->line == 0) {
    return std::nullopt;
  }
  return listing::SourcePlace{
      .file = row->file, .line = row->line, .text = line_text(row->file, row->line)};
}

}  // namespace kinst::compile
