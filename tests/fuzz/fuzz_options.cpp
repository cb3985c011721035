// Command lines: the input's lines are the arguments.
#include <string>
#include <vector>

#include "command/options/command_line.h"
#include "command/options/parse_command_line.h"
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = kinst::fuzz::text_of(data, size);
  std::vector<std::string> arguments = {"kinst"};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    arguments.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const auto line = kinst::command::parse_command_line(arguments, {});
  kinst::fuzz::require(line || line.error().exit_status != 0);
  return 0;
}
