// vfs_read
// virtqueue_add_inbuf [virtio_ring]
#include "kernel/traceable_functions.h"

#include "base/read_file.h"
#include "kernel/symbols.h"
#include "kernel/tracepoints.h"

namespace kinst::kernel {

Result<TraceableFunctions> TraceableFunctions::read() {
  const std::string tracefs = KINST_TRY(find_tracefs());
  auto text = read_file(tracefs + "/available_filter_functions");
  if (!text) {
    return tl::unexpected(
        in_context("cannot list the functions that fbt can trace", text.error()));
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
    const std::size_t blank = line.find_first_of(" \t");
    const std::string_view name = line.substr(0, blank);
    // Weak functions that were overridden leave their ftrace sites behind.
    if (name.empty() || name.starts_with("__ftrace_invalid_address__")) {
      continue;
    }
    TraceableFunction function{.name = name, .module = kernel_module};
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
