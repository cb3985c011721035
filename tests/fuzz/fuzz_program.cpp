// D texts, up to the typed program.
#include <string>

#include "d/check/checker_fixture.h"
#include "fuzz/fuzz.h"

using kinst::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = kinst::fuzz::text_of(data, size);
  const kinst::d::testing::Checked checked =
      kinst::d::testing::check_text(text, kinst::d::testing::instruction_probe());
  require(!checked.text.empty() || !checked.diagnostics.empty() || text.size() < 2);
  return 0;
}
