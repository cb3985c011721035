#include "provider/kernel/source_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace kinst::provider {
namespace {

using isa::Instruction;
using isa::InstructionClass;
using kernel::LineRow;

// The function's own file is that of its first row.
bool file_matches(std::span<const LineRow> rows, const LineRow& row,
                  const std::string& file) {
  return file.empty() ? row.file == rows.front().file
                      : kernel::is_end_of_path(file, row.file);
}

bool is_in(const kernel::InlinedCopy& copy, KernelAddress address) {
  return std::ranges::any_of(copy.ranges, [&](const kernel::AddressRange& range) {
    return range.contains(address);
  });
}

bool leaves(const kernel::InlinedCopy& copy, const Instruction& one) {
  if (one.is(InstructionClass::Return)) {
    return true;
  }
  const bool jumps = one.is(InstructionClass::Jump) || one.is(InstructionClass::Branch);
  const bool jumps_out = jumps && (one.branch.target != isa::TargetKind::Direct ||
                                   !is_in(copy, one.branch.address));
  const bool goes_on = !one.is(InstructionClass::Jump);
  return jumps_out ||
         (goes_on && !is_in(copy, one.address + FunctionOffset{one.length}));
}

}  // namespace

std::vector<KernelAddress> addresses_of_line(std::span<const LineRow> rows,
                                             const OfSourceLine& wanted) {
  std::vector<KernelAddress> statements;
  std::vector<KernelAddress> all;
  const LineRow* before = nullptr;
  for (const LineRow& row : rows) {
    const bool continues =
        before != nullptr && before->line == row.line && before->file == row.file;
    before = &row;
    if (row.line != wanted.line || continues || !file_matches(rows, row, wanted.file)) {
      continue;
    }
    all.push_back(row.address);
    if (row.begins_statement) {
      statements.push_back(row.address);
    }
  }
  std::vector<KernelAddress>& out = statements.empty() ? all : statements;
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::string why_no_line(std::span<const LineRow> rows, const OfSourceLine& wanted) {
  std::optional<std::uint32_t> below;
  std::optional<std::uint32_t> above;
  bool has_file = false;
  for (const LineRow& row : rows) {
    if (row.line == 0 || !file_matches(rows, row, wanted.file)) {
      continue;
    }
    has_file = true;
    if (row.line < wanted.line) {
      below = std::max(below.value_or(0), row.line);
    } else {
      above = std::min(above.value_or(row.line), row.line);
    }
  }
  if (!has_file) {
    return wanted.file.empty()
               ? "it has no lines in debug information"
               : fmt::format("none of its code is from a file '{}'", wanted.file);
  }
  if (below && above) {
    return fmt::format("it has no code of line {}; lines {} and {} have some",
                       wanted.line, *below, *above);
  }
  return fmt::format("it has no code of line {}; line {} has some", wanted.line,
                     below ? *below : *above);
}

std::vector<KernelAddress> entry_of_copy(const kernel::InlinedCopy& copy,
                                         const kernel::ExaminedFunction& examined,
                                         const kernel::ProbeRules& rules,
                                         const isa::Isa& isa) {
  for (const Instruction& one : examined.function.instructions) {
    if (one.address >= copy.entry && is_in(copy, one.address) &&
        !examined.refusal(one, rules, isa)) {
      return {one.address};
    }
  }
  return {};
}

std::vector<KernelAddress> exits_of_copy(const kernel::InlinedCopy& copy,
                                         const kernel::Function& function) {
  std::vector<KernelAddress> out;
  for (const Instruction& one : function.instructions) {
    if (is_in(copy, one.address) && leaves(copy, one)) {
      out.push_back(one.address);
    }
  }
  return out;
}

}  // namespace kinst::provider
