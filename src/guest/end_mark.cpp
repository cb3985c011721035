#include "guest/end_mark.h"

#include <algorithm>

namespace kinst::guest {
namespace {

/// The length of the longest end of `text` that is a proper beginning of `mark`.
std::size_t overlap(std::string_view text, std::string_view mark) {
  for (std::size_t length = std::min(text.size(), mark.size() - 1); length > 0;
       --length) {
    if (text.ends_with(mark.substr(0, length))) {
      return length;
    }
  }
  return 0;
}

}  // namespace

std::string EndMark::take(std::string_view piece) {
  if (seen_) {
    return {};
  }
  std::string text = std::exchange(held_back_, {});
  text += piece;
  const std::size_t found = text.find(mark_);
  seen_ = found != std::string::npos;
  const std::size_t known = seen_ ? found : text.size() - overlap(text, mark_);
  if (!seen_) {
    held_back_ = text.substr(known);
  }
  text.resize(known);
  return text;
}

}  // namespace kinst::guest
