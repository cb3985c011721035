#include "base/system/regular_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <vector>

#include "base/system/temporary_folder_for_tests.h"

namespace kinst {
namespace {

std::string reason(const Result<RegularFile>& file) {
  return file ? "it was opened" : file.error().message;
}

std::string text_of(const RegularFile& file) {
  std::string text(file.size_bytes(), '\0');
  EXPECT_TRUE(file.read(0, std::as_writable_bytes(std::span(text))));
  return text;
}

TEST(RegularFile, IsReadFromAnyPlaceOn) {
  const TemporaryFolder folder;
  const auto file = RegularFile::open(folder.write("file", "0123456789"));
  ASSERT_TRUE(file) << reason(file);
  EXPECT_EQ(file->size_bytes(), 10);
  std::string part(4, '\0');
  EXPECT_TRUE(file->read(3, std::as_writable_bytes(std::span(part))));
  EXPECT_EQ(part, "3456");
  EXPECT_FALSE(file->read(7, std::as_writable_bytes(std::span(part))));
}

// open(2) would wait for somebody who writes.
TEST(RegularFile, IsNeverAFifoNotEvenByALink) {
  const TemporaryFolder folder;
  const std::string fifo = folder.file("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::filesystem::create_symlink(fifo, folder.file("link"));
  EXPECT_EQ(reason(RegularFile::open(fifo)),
            "cannot read " + fifo + ": it is not a regular file");
  EXPECT_EQ(reason(RegularFile::open(folder.file("link"))),
            "cannot read " + folder.file("link") + ": it is not a regular file");
}

TEST(RegularFile, IsNeitherADeviceNorAFolderNorAnAnswerOfTheKernel) {
  EXPECT_EQ(reason(RegularFile::open("/dev/null")),
            "cannot read /dev/null: it is not a regular file");
  EXPECT_EQ(reason(RegularFile::open("/")), "cannot read /: it is not a regular file");
  EXPECT_EQ(reason(RegularFile::open("/proc/version")),
            "cannot read /proc/version: it is on a file system that stores no files");
}

// A lease would let open(2) wait for as long as /proc/sys/fs/lease-break-time says.
TEST(RegularFile, IsAnErrorWhileItsOwnerHoldsALease) {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "text");
  const FileDescriptor owner(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  // The kernel tells the owner by a signal that is not to end the test.
  if (fcntl(owner.get(), F_SETSIG, SIGWINCH) != 0 ||
      fcntl(owner.get(), F_SETLEASE, F_WRLCK) != 0) {
    GTEST_SKIP() << "the file system of " << path << " has no leases";
  }
  EXPECT_EQ(reason(RegularFile::open(path)),
            "cannot read " + path + ": Resource temporarily unavailable");
}

TEST(RegularFile, EndsEarlyWhenItIsCutOffAndIsAnotherThen) {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", std::string(100000, 'x'));
  const auto file = RegularFile::open(path);
  ASSERT_TRUE(file);
  std::filesystem::resize_file(path, 10);
  std::vector<std::byte> bytes(100);
  EXPECT_FALSE(file->read(50000, bytes));
  EXPECT_NE(RegularFile::open(path)->identity(), file->identity());
}

TEST(RegularFile, BelowARootCannotBeLedOutOfIt) {
  const TemporaryFolder folder;
  const std::string root = folder.file("root");
  ASSERT_EQ(folder.write("root/etc/name", "inside"), root + "/etc/name");
  ASSERT_EQ(folder.write("outside", "outside"), folder.file("outside"));
  std::filesystem::create_symlink("/etc/name", root + "/absolute");
  std::filesystem::create_symlink("../outside", root + "/upwards");
  std::filesystem::create_symlink(folder.file("outside"), root + "/away");
  std::filesystem::create_symlink("/proc/self/exe", root + "/magic");
  const auto absolute = RegularFile::open_below(root, "/absolute");
  ASSERT_TRUE(absolute) << reason(absolute);
  EXPECT_EQ(text_of(*absolute), "inside");
  for (const char* path : {"/upwards", "/away", "/../outside", "/magic"}) {
    EXPECT_EQ(reason(RegularFile::open_below(root, path)),
              "cannot read " + root + path + ": No such file or directory");
  }
}

}  // namespace
}  // namespace kinst
