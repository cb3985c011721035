#include <cctype>
#include <string>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

using Letters = NativeRuntime;

TEST_F(Letters, ChangesAsciiLettersOnly) {
  std::string all;
  std::string lower;
  std::string upper;
  for (int byte = 1; byte < 256; ++byte) {
    all.push_back(static_cast<char>(byte));
    lower.push_back(static_cast<char>(byte < 128 ? std::tolower(byte) : byte));
    upper.push_back(static_cast<char>(byte < 128 ? std::toupper(byte) : byte));
  }
  EXPECT_EQ(text_at(kinst_tolower(address_of(all))), lower);
  EXPECT_EQ(text_at(kinst_toupper(address_of(all))), upper);
}

TEST_F(Letters, ChangesTheWholeOfALongString) {
  reset(KINST_STRING_MAX);
  const std::string text(KINST_STRING_MAX - 1, 'x');
  EXPECT_EQ(text_at(kinst_toupper(address_of(text))),
            std::string(KINST_STRING_MAX - 1, 'X'));
}

TEST_F(Letters, LeavesTheOriginalAlone) {
  const std::string text = "Text";
  kinst_toupper(address_of(text));
  EXPECT_EQ(text, "Text");
  EXPECT_EQ(text_at(kinst_toupper(address_of(std::string()))), "");
}

TEST_F(Letters, FailsForNoString) {
  EXPECT_EQ(kinst_tolower(0), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

}  // namespace
}  // namespace kinst::runtime
