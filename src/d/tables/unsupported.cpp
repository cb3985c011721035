#include "d/tables/unsupported.h"

#include <algorithm>
#include <array>

namespace kinst::d {
namespace {

constexpr std::string_view no_streams = "Linux has no STREAMS messages";

constexpr auto unsupported = std::to_array<UnsupportedInfo>({
    {"breakpoint", "void()", "BPF cannot stop the kernel in its debugger", true},
    {"d_path", "string(void *)", "BPF may call it from a few functions only"},
    {"ddi_pathname", "string(void *, int64_t)", "Linux has no DDI device tree"},
    {"getf", "void *(int)", "its result would be illumos' file_t"},
    {"msgdsize", "size_t(void *)", no_streams},
    {"msgsize", "size_t(void *)", no_streams},
    {"panic", "void()", "a BPF program cannot end the kernel", true},
    {"pcap", "void(void *, int)", "it belongs to Oracle's command"},
});

}  // namespace

std::optional<UnsupportedInfo> find_unsupported(std::string_view name) {
  const auto* const found =
      std::ranges::find(unsupported, name, &UnsupportedInfo::name);
  return found == unsupported.end() ? std::nullopt : std::optional(*found);
}

std::span<const UnsupportedInfo> all_unsupported() {
  return unsupported;
}

}  // namespace kinst::d
