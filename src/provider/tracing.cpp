#include "provider/tracing.h"

#include <linux/bpf.h>

#include <algorithm>

#include "base/overloaded.h"
#include "bpf/attach/attach_functions.h"
#include "bpf/attach/attach_uprobes.h"

namespace kinst::provider {
namespace {

bool is_in_user_code(const Site& site) {
  return std::holds_alternative<UserInstruction>(site);
}

bool is_entry(const Site& site) {
  const auto* function = std::get_if<KernelFunction>(&site);
  return function != nullptr && function->edge == Edge::Entry;
}

}  // namespace

std::uint32_t attach_type_of(const Site& site, const TracingMethod& tracing) {
  return std::visit(
      Overloaded{[](const ByEvents&) -> std::uint32_t { return 0; },
                 [&](const AtOnce&) -> std::uint32_t {
                   return is_in_user_code(site) ? bpf::uprobe_multi_attach_type
                                                : bpf::kprobe_multi_attach_type;
                 },
                 [&](const ByFentry&) -> std::uint32_t {
                   return is_entry(site) ? BPF_TRACE_FENTRY : BPF_TRACE_FEXIT;
                 },
                 [](const ByBreakpoints&) -> std::uint32_t { return 0; }},
      tracing);
}

bool has_results(const Site& site, const TracingMethod& tracing) {
  if (const auto* by = std::get_if<ByBreakpoints>(&tracing)) {
    return std::ranges::all_of(by->breakpoints, &FunctionBreakpoint::has_result);
  }
  const auto* user = std::get_if<UserInstruction>(&site);
  return user == nullptr || std::ranges::all_of(user->exits, &UserExit::has_result);
}

}  // namespace kinst::provider
