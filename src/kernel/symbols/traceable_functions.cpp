// vfs_read
// virtqueue_add_inbuf [virtio_ring]
// and, in the newer file, ffffffff8137e7b4 vfs_read
#include "kernel/symbols/traceable_functions.h"

#include <charconv>

#include "base/system/lockdown.h"
#include "base/system/tracefs.h"
#include "kernel/symbols/symbols.h"

namespace kinst::kernel {

Result<TraceableFunctions> TraceableFunctions::read(Sites sites) {
  constexpr const char* act = "cannot list the functions that fbt can trace";
  const auto tracefs = Tracefs::open();
  if (!tracefs) {
    return tl::unexpected(in_context(act, tracefs.error()));
  }
  const std::string path = "available_filter_functions";
  // The file with addresses is not in every kernel.
  auto text = tracefs->read(sites == Sites::Wanted ? path + "_addrs" : path);
  if (!text && sites == Sites::Wanted) {
    text = tracefs->read(path);
  }
  if (!text) {
    const std::string lockdown = explain_lockdown();
    return error("{}: {}", act,
                 lockdown.empty()
                     ? text.error().message + "; --vm traces the kernel of a guest"
                     : lockdown);
  }
  return parse(*std::move(text));
}

TraceableFunctions TraceableFunctions::parse(std::string text) {
  TraceableFunctions result;
  result.text_.assign(text.begin(), text.end());
  std::string_view rest(result.text_.data(), result.text_.size());
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    std::uint64_t site = 0;
    if (const auto [end_of_site, failure] =
            std::from_chars(line.data(), line.data() + line.size(), site, 16);
        failure == std::errc() && end_of_site != line.data() + line.size() &&
        *end_of_site == ' ') {
      line.remove_prefix(static_cast<std::size_t>(end_of_site - line.data()) + 1);
    } else {
      site = 0;
    }
    const std::size_t blank = line.find_first_of(" \t");
    const std::string_view name = line.substr(0, blank);
    // Weak functions that were overridden leave their ftrace sites behind.
    if (name.empty() || name.starts_with("__ftrace_invalid_address__")) {
      continue;
    }
    TraceableFunction function{.name = name, .module = kernel_module, .site = site};
    const std::size_t open = line.find('[');
    const std::size_t close = line.find(']');
    if (open != std::string_view::npos && close != std::string_view::npos) {
      function.module = line.substr(open + 1, close - open - 1);
    }
    result.functions_.push_back(function);
  }
  return result;
}

}  // namespace kinst::kernel
