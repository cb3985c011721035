// What a guest writes: its output up to the mark at its end, in pieces, and its
// console. The input's first byte says how large the pieces are.
#include <string>

#include "fuzz/fuzz.h"
#include "guest/crash_report.h"
#include "guest/end_mark.h"

using kinst::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::size_t piece = 1 + data[0] % 16U;
  std::string_view text = kinst::fuzz::text_of(data + 1, size - 1);
  const std::string_view all = text;
  constexpr std::string_view mark = "aabaaa";
  kinst::guest::EndMark end{std::string(mark)};
  std::string out;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    out += end.take(text.substr(0, piece));
  }
  require(end.seen() == (all.find(mark) != std::string_view::npos));
  if (!end.seen()) {
    out += end.rest();
  }
  require(out == all.substr(0, all.find(mark)));
  kinst::guest::crash_report(all, all);
  return 0;
}
