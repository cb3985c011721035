// The source lines of kernel code, with their text if the source files are at hand.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "kernel/debug/debug_information.h"
#include "kernel/memory/address_range.h"
#include "listing/annotation.h"

namespace kinst::compile {

/// The source lines of one module, from its debug information, which must outlive this.
/// Without debug information no line is found.
class SourceLines {
 public:
  explicit SourceLines(Result<const kernel::DebugInformation*> debug)
      : debug_(std::move(debug)) {}

  /// Reads the lines of an address range; find() then knows them.
  void read(kernel::AddressRange range);
  /// The line at an address; nothing if it is not known.
  std::optional<listing::SourcePlace> find(KernelAddress address);

 private:
  const std::string& line_text(const std::string& file, std::uint32_t line);

  Result<const kernel::DebugInformation*> debug_;
  std::vector<kernel::LineRow> rows_;
  std::map<std::string, std::vector<std::string>, std::less<>> files_;
};

}  // namespace kinst::compile
