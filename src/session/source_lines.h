// The source lines of the kernel's code, with their text where the files are at hand.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "isa/isa.h"
#include "kernel/address_range.h"
#include "kernel/debug_information.h"
#include "kernel/symbols.h"
#include "listing/annotation.h"

namespace kinst::session {

/// Of one module: "vmlinux" or a module's name. What it is made from must outlive it.
class SourceLines {
 public:
  SourceLines(const std::string& module, const kernel::Symbols& symbols,
              const isa::Isa& isa)
      : debug_(kernel::DebugInformation::open(module, symbols, isa)) {}

  /// Reads the lines of a range, which find() then knows.
  void read(kernel::AddressRange range);
  /// The line at an address; nothing if that is not known.
  std::optional<listing::SourcePlace> find(KernelAddress address);

 private:
  const std::string& line_text(const std::string& file, std::uint32_t line);

  Result<std::unique_ptr<kernel::DebugInformation>> debug_;
  std::vector<kernel::LineRow> rows_;
  std::map<std::string, std::vector<std::string>, std::less<>> files_;
};

}  // namespace kinst::session
