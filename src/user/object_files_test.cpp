#include "user/object_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/system/stop_signals.h"
#include "base/system/temporary_folder_for_tests.h"
#include "user/elf_for_tests.h"

namespace kinst::user {
namespace {

std::string library(std::size_t functions) {
  ElfForTests elf;
  std::vector<std::pair<std::string, std::uint64_t>> names;
  for (std::size_t i = 0; i < functions; ++i) {
    names.emplace_back(fmt::format("function_with_a_long_name_{}", i), 16 * i);
  }
  elf.add_functions(SHT_SYMTAB, names);
  return elf.image();
}

SharedObject get(ObjectFiles& files, const std::string& path) {
  auto file = RegularFile::open(path);
  EXPECT_TRUE(file);
  return files.get(ObjectBytes(*std::move(file), path), {.path = path, .root = ""});
}

TEST(ObjectFiles, ReadAFileOnceUnderAnyOfItsNames) {
  const TemporaryFolder folder;
  const std::string path = folder.write("lib.so", library(3));
  const std::string other = folder.file("other.so");
  std::filesystem::create_hard_link(path, other);
  ObjectFiles files;
  const SharedObject first = get(files, path);
  EXPECT_EQ(get(files, other), first);
  EXPECT_EQ(files.count(), 1);
}

TEST(ObjectFiles, ReadAFileAgainThatWasWrittenTo) {
  const TemporaryFolder folder;
  const std::string path = folder.write("lib.so", library(3));
  ObjectFiles files;
  const SharedObject before = get(files, path);
  ASSERT_EQ(folder.write("lib.so", library(5)), path);
  const SharedObject after = get(files, path);
  EXPECT_EQ((*before)->symbols.all().size(), 3);
  EXPECT_EQ((*after)->symbols.all().size(), 5);
}

TEST(ObjectFiles, DropWhatWasNotAskedForTheLongest) {
  const TemporaryFolder folder;
  ObjectFiles files(std::size_t{1} << 20U);
  const std::string first = folder.write("first.so", library(2000));
  const std::weak_ptr<const Result<ObjectFile>> oldest = get(files, first);
  const std::string second = folder.write("second.so", library(2000));
  const std::weak_ptr<const Result<ObjectFile>> used = get(files, second);
  for (int i = 0; i < 20; ++i) {
    get(files, folder.write(fmt::format("{}.so", i), library(2000)));
    get(files, second);
  }
  EXPECT_TRUE(oldest.expired());
  EXPECT_FALSE(used.expired());
  EXPECT_LT(files.count(), 10);
}

// In a child, as nothing takes the signal back.
TEST(ObjectFiles, ReadNothingMoreWhenTheTimeToEndIsOver) {
  const TemporaryFolder folder;
  const std::string path = folder.write("lib.so", library(3));
  const std::string other = folder.write("other.so", library(3));
  EXPECT_EXIT(
      {
        ObjectFiles files;
        files.limit_reading(std::chrono::milliseconds(0));
        const bool reads_before = get(files, path)->has_value();
        note_stop();
        const bool has_still = get(files, path)->has_value();
        const SharedObject late = get(files, other);
        std::fprintf(stderr, "%d %d %s", reads_before, has_still,
                     *late ? "read" : late->error().message.c_str());
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "1 1 .*was not read, as kinst is ending");
}

TEST(ObjectFiles, ShareCopiesOfTheSameMemory) {
  const std::string image = library(3);
  const auto bytes = std::as_bytes(std::span(image));
  const auto copy = [&] {
    return ObjectBytes(std::vector<std::byte>(bytes.begin(), bytes.end()), "[vdso]");
  };
  ObjectFiles files;
  EXPECT_EQ(files.get(copy(), {}), files.get(copy(), {}));
}

}  // namespace
}  // namespace kinst::user
