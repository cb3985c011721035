// The section .eh_frame, which any user may write.
#include <algorithm>

#include "fuzz/fuzz.h"
#include "unwind/call_frames.h"
#include "user/exception_handlers.h"

using kinst::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = kinst::fuzz::bytes_of(data, size);
  const auto rows = kinst::user::read_call_frames(
      {.address = 0x1000, .bytes = {bytes.begin(), bytes.end()}},
      {.stack_pointer = 7, .frame_pointer = 6});
  for (std::size_t i = 1; i < rows.size(); ++i) {
    require(rows[i - 1].address < rows[i].address);
    require(rows[i - 1].rule != rows[i].rule);
  }
  const auto ranges = kinst::user::code_with_handlers(bytes, 0x1000);
  require(std::ranges::is_sorted(ranges, {}, &kinst::user::CodeRange::begin));
  return 0;
}
