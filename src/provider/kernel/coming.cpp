// The names of functions that are not loaded yet are written to the kernel as they are,
// in a command (bpf/attach/attach_kprobe_events.h). So they must be real names.
#include "provider/kernel/coming.h"

#include <cctype>
#include <cstddef>
#include <utility>

#include "base/text/glob.h"

namespace kinst::provider {
namespace {

bool is_kernel_name(std::string_view text) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";
  constexpr std::size_t longest = 511;  // KSYM_NAME_LEN, with the byte behind it
  return !text.empty() && text.size() <= longest &&
         text.find_first_not_of(letters) == std::string_view::npos;
}

}  // namespace

bool names_absent_module(const d::Description& description,
                         const kernel::Symbols& symbols) {
  return is_glob(description.module) || (is_kernel_name(description.module) &&
                                         !symbols.has_module(description.module));
}

bool names_function(const d::Description& description) {
  return is_kernel_name(description.module) && is_kernel_name(description.function);
}

Probe coming_probe(std::string_view provider, const d::Description& description,
                   std::string_view name, ComingPlace place) {
  return {.id = 0,
          .provider = std::string(provider),
          .module = description.module,
          .function = description.function,
          .name = std::string(name),
          .site = ComingFunction{.place = place},
          .key = 0};
}

Probe awaited_probe(std::string_view provider, const d::Description& description,
                    std::string_view name, ComingPlace place) {
  Probe probe = coming_probe(provider, description, name, place);
  probe.site = ComingFunction{.place = place, .is_awaited = true};
  return probe;
}

std::string with_clause(std::string reason, std::string_view clause) {
  const bool begins_sentence = reason.ends_with('?');
  reason += begins_sentence ? " " : "; ";
  const std::size_t begin = reason.size();
  reason += clause;
  if (begins_sentence) {
    reason.at(begin) = static_cast<char>(std::toupper(clause.front()));
  }
  return reason;
}

std::string with_waiting_offered(std::string reason) {
  return with_clause(std::move(reason), "with -Z its probes come when it does");
}

}  // namespace kinst::provider
