// Functions that DTrace has elsewhere and that have no meaning here. A program that
// calls one gets the reason as an error, after the other errors of the call.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace kinst::d {

struct UnsupportedInfo {
  std::string_view name;
  std::string_view prototype;  ///< as SubroutineInfo::prototype
  std::string_view reason;     ///< behind "there is no NAME() here: "
  bool is_destructive = false;
};

std::optional<UnsupportedInfo> find_unsupported(std::string_view name);
std::span<const UnsupportedInfo> all_unsupported();

}  // namespace kinst::d
