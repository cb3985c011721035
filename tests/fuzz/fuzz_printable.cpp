// Names and strings that any user chose, on their way to a terminal.
#include <algorithm>
#include <string>

#include "base/text/json_writer.h"
#include "base/text/printable.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"

using kinst::KeptControls;
using kinst::fuzz::require;

static bool has_controls(std::string_view text, KeptControls kept) {
  return std::ranges::any_of(text,
                             [&](char c) {
                               const bool is_kept = kept == KeptControls::Lines &&
                                                    (c == '\n' || c == '\t');
                               const auto byte = static_cast<unsigned char>(c);
                               return !is_kept && (byte < 0x20U || byte == 0x7fU);
                             }) ||
         [&] {
           for (std::size_t i = 0; i + 1 < text.size(); ++i) {
             if (text[i] == '\xc2' && static_cast<unsigned char>(text[i + 1]) < 0xa0U) {
               return true;
             }
           }
           return false;
         }();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = kinst::fuzz::text_of(data, size);
  for (const KeptControls kept : {KeptControls::None, KeptControls::Lines}) {
    const std::string shown = kinst::printable(text, kept);
    require(kinst::is_utf8(shown) && !has_controls(shown, kept));
    require(kinst::is_printable(text, kept) == (shown == text));
    require(kinst::printable(shown, kept) == shown);
  }
  std::string json;
  kinst::JsonWriter(json).value(text);
  require(kinst::is_utf8(json) && !has_controls(json, KeptControls::None));
  return 0;
}
