// As git(1) does it: less keeps colours, ends at once if all fits on the screen, and
// leaves the text there.
#include "command/pager.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/system/run_filter.h"
#include "base/system/standard_streams.h"

namespace kinst::command {
namespace {

constexpr int not_found = 127;  // the shell's status

std::string pager() {
  const char* name = std::getenv("PAGER");
  return name == nullptr ? "less" : name;
}

}  // namespace

Result<void> show(std::string_view text) {
  const std::string program = isatty(STDOUT_FILENO) != 0 ? pager() : "";
  if (!program.empty() && program != "cat") {
    setenv("LESS", "FRX", 0);
    const int status =
        KINST_TRY(run_reader("sh", {"sh", "-c", program + " 2> /dev/null"}, text));
    if (status != not_found) {
      return {};
    }
  }
  return write_output(text);
}

}  // namespace kinst::command
