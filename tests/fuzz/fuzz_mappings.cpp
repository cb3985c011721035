// /proc/PID/maps, in which the paths are any user's.
#include <fmt/format.h>

#include <string>

#include "fuzz/fuzz.h"
#include "user/mappings.h"

using kinst::fuzz::require;

// A mapping as the kernel writes it.
static std::string line_of(const kinst::user::Mapping& mapping) {
  return fmt::format("{:08x}-{:08x} r-{}p {:08x} {} {} {}{}\n", mapping.begin,
                     mapping.end, mapping.is_executable ? 'x' : '-',
                     mapping.file_offset, mapping.device, mapping.inode, mapping.path,
                     mapping.is_deleted ? " (deleted)" : "");
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const auto& mapping :
       kinst::user::parse_mappings(kinst::fuzz::text_of(data, size))) {
    require(mapping.path.find('\n') == std::string::npos);
    // What was understood is understood again.
    const auto again = kinst::user::parse_mappings(line_of(mapping));
    require(again.size() == 1 && again.front() == mapping);
  }
  return 0;
}
