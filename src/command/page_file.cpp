#include "command/page_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/system/file_descriptor.h"
#include "base/system/run_filter.h"
#include "base/system/write_all.h"
#include "listing/annotation_page.h"

namespace kinst::command {

Result<std::string> lay_out_graph(std::string_view graph) {
  auto out = run_filter("dot", {"dot", "-Tsvg"}, graph);
  if (!out) {
    return tl::unexpected(in_context(
        "--html needs Graphviz, which lays graphs out (Debian's package graphviz)",
        out.error()));
  }
  if (out->exit_status != 0) {
    return error("Graphviz's dot failed to lay a graph out");
  }
  return std::move(out->output);
}

Result<void> check_graph_layout() {
  KINST_CHECK(lay_out_graph("digraph {}"));
  return {};
}

Result<void> write_page(const std::string& path, std::string_view source) {
  const std::string page = KINST_TRY(listing::lay_out_page(source, lay_out_graph));
  const FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file) {
    return system_error(fmt::format("open {}", path), errno);
  }
  if (const int problem = write_all(file.get(), page); problem != 0) {
    return system_error(fmt::format("write {}", path), problem);
  }
  return {};
}

}  // namespace kinst::command
