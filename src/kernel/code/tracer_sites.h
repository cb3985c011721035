// Where the kernel says that its function tracer can be called. A function's text shows
// that as well, and faster, but only in known forms (isa::Isa::tracer_call). The kernel
// is asked if the text has none of these forms.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "kernel/symbols/symbols.h"
#include "kernel/symbols/traceable_functions.h"

namespace kinst::kernel {

class TracerSites {
 public:
  /// The kernel's list; a list that cannot be read knows nothing.
  static TracerSites read();
  /// The functions of a list, whose texts need not live on.
  explicit TracerSites(const TraceableFunctions& functions);

  enum class Answer : std::uint8_t { Traceable, NotTraceable, Unknown };
  struct Found {
    Answer answer = Answer::Unknown;
    /// Of the tracer's call; nothing where the kernel lists names only (before 6.5).
    std::optional<FunctionOffset> site;

    bool operator==(const Found&) const = default;
  };

  /// What the kernel says of the function that begins at this symbol.
  [[nodiscard]] Found find(const Symbol& symbol) const;

 private:
  TracerSites() = default;

  bool is_known_ = false;
  std::vector<KernelAddress> sites_;                     ///< ascending
  std::set<std::pair<std::string, std::string>> names_;  ///< module, function
};

}  // namespace kinst::kernel
