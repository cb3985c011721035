#include "base/text/printable.h"

#include <gtest/gtest.h>

namespace kinst {
namespace {

TEST(Printable, LeavesNamesOfAllLanguagesAsTheyAre) {
  for (const char* name : {"vfs_read", "operator\\", "caf\xc3\xa9", "\xe6\xbc\xa2",
                           "\xf0\x9f\x90\xa7", ""}) {
    EXPECT_EQ(printable(name), name);
    EXPECT_TRUE(is_printable(name));
  }
}

TEST(Printable, ShowsControlCharactersInOctal) {
  EXPECT_EQ(printable("a\033[31mb\x7f\r\n"), "a\\033[31mb\\177\\015\\012");
  EXPECT_EQ(printable(std::string_view("\0x", 2)), "\\000x");
  EXPECT_FALSE(is_printable("\033"));
}

// U+009B begins a control sequence, as ESC [ does.
TEST(Printable, ShowsTheControlCharactersBehindAsciiToo) {
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\302\\23331m");
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\23331m");
  EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0");
}

TEST(Printable, KeepsLinesWhereTextHasThem) {
  EXPECT_EQ(printable("a\tb\n\033\r", KeptControls::Lines), "a\tb\n\\033\\015");
}

}  // namespace
}  // namespace kinst
