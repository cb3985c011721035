#include "base/system/find_program.h"

#include <unistd.h>

#include <cstdlib>

namespace kinst {

std::optional<std::filesystem::path> find_program(std::string_view name) {
  // Nothing changes the environment while kinst runs.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/usr/sbin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    std::filesystem::path path = rest.substr(0, colon);
    path /= name;
    if (::access(path.c_str(), X_OK) == 0) {
      return path;
    }
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return std::nullopt;
}

}  // namespace kinst
