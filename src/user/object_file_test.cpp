#include "user/object_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/system/temporary_folder_for_tests.h"
#include "user/elf_for_tests.h"

namespace kinst::user {
namespace {

constexpr std::string_view build_id = "\x01\x02\x03\x04";

std::string stripped(std::string_view link) {
  ElfForTests elf;
  elf.add_functions(SHT_DYNSYM, {{"exported", 0x100}});
  elf.add_build_id(build_id);
  elf.add_debug_link(link);
  return elf.image();
}

std::string debug_file(std::string_view id = build_id) {
  ElfForTests elf;
  elf.add_functions(SHT_SYMTAB, {{"internal", 0x200}});
  elf.add_build_id(id);
  return elf.image();
}

ObjectFile read(const std::string& path, const std::string& shown_path,
                const std::string& root) {
  auto file = RegularFile::open(path);
  EXPECT_TRUE(file);
  auto object = read_object(ObjectBytes(*std::move(file), path),
                            {.path = shown_path, .root = root});
  EXPECT_TRUE(object);
  return *std::move(object);
}

std::string name_at(const ObjectFile& object, std::uint64_t address) {
  const ElfSymbol* symbol = object.symbols.at(address);
  return symbol == nullptr ? "" : symbol->name;
}

TEST(ObjectFile, HasTheSymbolsOfTheDebugFileBesideIt) {
  const TemporaryFolder folder;
  const std::string path = folder.write("lib.so", stripped("lib.debug"));
  const std::string debug = folder.write(".debug/lib.debug", debug_file());
  const ObjectFile object = read(path, path, "");
  EXPECT_EQ(object.debug_file, debug);
  EXPECT_EQ(name_at(object, 0x100), "exported");
  EXPECT_EQ(name_at(object, 0x200), "internal");
}

TEST(ObjectFile, TakesNoDebugFileOfAnotherBuild) {
  const TemporaryFolder folder;
  const std::string path = folder.write("lib.so", stripped("lib.debug"));
  ASSERT_NE(folder.write("lib.debug", debug_file("\x09\x09\x09")), "");
  EXPECT_EQ(read(path, path, "").debug_file, "");
}

TEST(ObjectFile, FollowsLinksWithinTheFileSystemOfItsProcess) {
  const TemporaryFolder folder;
  const std::string path = folder.write("root/opt/lib.so", stripped("lib.debug"));
  const std::string root = folder.file("root");
  ASSERT_NE(folder.write("root/store/lib.debug", debug_file()), "");
  std::filesystem::create_symlink("/store/lib.debug", root + "/opt/lib.debug");
  EXPECT_EQ(read(path, "/opt/lib.so", root).debug_file, "/opt/lib.debug");
}

// Paths of a process in a container lead somewhere else in our file system.
TEST(ObjectFile, LooksForDebugFilesOfAContainerInItAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.write("lib.so", stripped("lib.debug"));
  ASSERT_NE(folder.write("lib.debug", debug_file()), "");
  std::filesystem::create_directory(folder.file("root"));
  EXPECT_EQ(read(path, path, folder.file("root")).debug_file, "");
}

// open(2) of the FIFO would wait for ever.
TEST(ObjectFile, IsReadWhereAFifoStandsInPlaceOfItsDebugFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("lib.so", stripped("lib.debug"));
  ASSERT_EQ(mkfifo(folder.file("lib.debug").c_str(), 0600), 0);
  EXPECT_EQ(name_at(read(path, path, ""), 0x100), "exported");
}

}  // namespace
}  // namespace kinst::user
