#include "guest/archive.h"

#include <gtest/gtest.h>

namespace kinst::guest {
namespace {

using namespace std::string_literals;

/// The thirteen numbers of an entry: inode, mode, owner, group, links, time, bytes of
/// content, four device numbers, bytes of the name with its '\0', checksum.
constexpr std::string_view trailer =
    "070701"
    "00000000"
    "00000000"
    "00000000"
    "00000000"
    "00000001"
    "00000000"
    "00000000"
    "00000000"
    "00000000"
    "00000000"
    "00000000"
    "0000000b"
    "00000000"
    "TRAILER!!!";

TEST(Archive, EndsAnEmptyArchiveWithTheTrailer) {
  EXPECT_EQ(Archive{}.bytes(), std::string(trailer) + "\0\0\0\0"s);
}

TEST(Archive, LaysOutAFileBehindItsDirectoryAsTheKernelReadsThem) {
  Archive archive;
  archive.add_file("/bin/sh", "hello", 0755);

  EXPECT_EQ(archive.bytes(),
            "070701"
            "00000001"
            "000041ed"
            "00000000"
            "00000000"
            "00000002"
            "00000000"
            "00000000"
            "00000000"
            "00000000"
            "00000000"
            "00000000"
            "00000004"
            "00000000"
            "bin\0\0\0"
            "070701"
            "00000002"
            "000081ed"
            "00000000"
            "00000000"
            "00000001"
            "00000000"
            "00000005"
            "00000000"
            "00000000"
            "00000000"
            "00000000"
            "00000007"
            "00000000"
            "bin/sh\0\0\0\0"
            "hello\0\0\0"s +
                std::string(trailer) + "\0\0\0\0"s);
}

TEST(Archive, AddsAPathOnlyOnce) {
  Archive once;
  once.add_file("/a/b", "first", 0644);
  Archive twice = once;
  twice.add_directory("/a");
  twice.add_file("/a/b", "second", 0600);

  EXPECT_EQ(once.bytes(), twice.bytes());
}

}  // namespace
}  // namespace kinst::guest
