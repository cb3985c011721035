#include "user/mappings.h"

#include <gtest/gtest.h>

namespace kinst::user {
namespace {

TEST(Mappings, AreWhatTheLinesSay) {
  const auto mappings = parse_mappings(
      "55d0c4c00000-55d0c4c05000 r-xp 00002000 fe:00 1234    /usr/bin/my cat "
      "(deleted)\n"
      "7ffd1000-7ffd2000 rw-p 00000000 00:00 0 \n"
      "nonsense\n"
      "7ffd8000-7ffda000 r-xp 00000000 00:00 0      [vdso]\n");
  const std::vector<Mapping> expected = {{.begin = 0x55d0c4c00000,
                                          .end = 0x55d0c4c05000,
                                          .file_offset = 0x2000,
                                          .is_executable = true,
                                          .device = "fe:00",
                                          .inode = 1234,
                                          .path = "/usr/bin/my cat",
                                          .is_deleted = true},
                                         {.begin = 0x7ffd1000,
                                          .end = 0x7ffd2000,
                                          .file_offset = 0,
                                          .is_executable = false,
                                          .device = "00:00",
                                          .inode = 0,
                                          .path = "",
                                          .is_deleted = false},
                                         {.begin = 0x7ffd8000,
                                          .end = 0x7ffda000,
                                          .file_offset = 0,
                                          .is_executable = true,
                                          .device = "00:00",
                                          .inode = 0,
                                          .path = "[vdso]",
                                          .is_deleted = false}};
  EXPECT_EQ(mappings, expected);
}

}  // namespace
}  // namespace kinst::user
