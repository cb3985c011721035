// What elfutils and binutils make of the same sections is compared in tests/user.
#include "user/elf_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "user/elf_for_tests.h"

namespace kinst::user {
namespace {

Result<ElfFile> read(const std::string& image) {
  const auto bytes = std::as_bytes(std::span(image));
  return read_elf(
      ObjectBytes(std::vector<std::byte>(bytes.begin(), bytes.end()), "a test"));
}

std::vector<std::string> names_of(const Result<ElfFile>& file) {
  std::vector<std::string> names;
  for (const ElfSymbol& symbol : file->symbols) {
    names.push_back(symbol.name);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(ElfFile, HasTheFunctionsOfBothTablesOnce) {
  ElfForTests elf;
  elf.add_functions(SHT_DYNSYM, {{"second@@V1", 0x200}, {"first", 0x100}});
  elf.add_functions(SHT_SYMTAB, {{"first", 0x100}, {"third", 0x300}});
  const auto file = read(elf.image());
  ASSERT_TRUE(file);
  EXPECT_EQ(names_of(file), (Names{"first", "second", "third"}));
  EXPECT_TRUE(file->has_full_symbols);
}

TEST(ElfFile, HasABuildIdADebugLinkAndAPlaceOfCallFrames) {
  ElfForTests elf;
  elf.add_build_id("\x01\xab\xff");
  elf.add_debug_link("lib.debug");
  elf.add(".eh_frame", SHT_PROGBITS, "abcd").header.sh_addr = 0x4000;
  const auto file = read(elf.image());
  ASSERT_TRUE(file);
  EXPECT_EQ(file->build_id, "01abff");
  EXPECT_EQ(file->debug_link, "lib.debug");
  EXPECT_EQ(file->call_frames.address, 0x4000);
  EXPECT_EQ(file->call_frames.size_bytes, 4);
  EXPECT_EQ(elf.image().substr(file->call_frames.file_offset, 4), "abcd");
}

TEST(ElfFile, TakesNoDebugLinkThatLeadsToAnotherFolder) {
  for (const char* link : {"../../tmp/fifo", "/dev/watchdog", "a/b", ".", "..", ""}) {
    ElfForTests elf;
    elf.add_debug_link(link);
    const auto file = read(elf.image());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->debug_link, "") << link;
  }
}

// A file with each kind of section that is read.
ElfForTests with_all_sections() {
  ElfForTests elf;
  elf.add_functions(SHT_SYMTAB, {{"first", 0x100}});
  elf.add_debug_link("lib.debug");
  elf.add(".eh_frame", SHT_PROGBITS, "abcd");
  elf.add_build_id("\x01\x02\x03");
  return elf;
}

void expect_nothing_read(ElfForTests& elf) {
  const auto file = read(elf.image());
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->symbols.empty());
  EXPECT_EQ(file->debug_link, "");
  EXPECT_EQ(file->build_id, "");
  EXPECT_EQ(file->call_frames, ElfSectionPlace());
}

// libelf gives such sections a size and no bytes.
TEST(ElfFile, ReadsNothingOfSectionsThatHaveNoBytesInTheFile) {
  for (const std::uint32_t type : {SHT_NOBITS, SHT_NULL}) {
    ElfForTests elf = with_all_sections();
    for (ElfForTests::Part& part : elf.parts) {
      part.header.sh_type = type;
    }
    expect_nothing_read(elf);
  }
}

TEST(ElfFile, LeavesOutSectionsThatReachBeyondTheFile) {
  for (const std::uint64_t size :
       {std::uint64_t{1} << 20U, std::uint64_t{1} << 40U, UINT64_MAX - 8, UINT64_MAX}) {
    ElfForTests elf = with_all_sections();
    for (ElfForTests::Part& part : elf.parts) {
      part.header.sh_size = size;
    }
    expect_nothing_read(elf);
  }
}

TEST(ElfFile, LeavesOutNamesThatAreNotInTheTableOfNames) {
  ElfForTests elf;
  elf.add_functions(SHT_SYMTAB, {{"first", 0x100}, {"second", 0x200}});
  ElfForTests::Part& strings = elf.parts.back();
  strings.bytes.resize(strings.bytes.size() - 3);  // "seco"
  strings.header.sh_size = strings.bytes.size();
  const auto file = read(elf.image());
  ASSERT_TRUE(file);
  EXPECT_EQ(names_of(file), Names{"first"});
}

TEST(ElfFile, TakesNoTableOfNamesFromAnotherKindOfSection) {
  for (const std::uint32_t link : {0U, 1U, 77U, UINT32_MAX}) {
    ElfForTests elf;
    elf.add_functions(SHT_SYMTAB, {{"first", 0x100}});
    elf.parts[1].header.sh_link = link;
    const auto file = read(elf.image());
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->symbols.empty());
  }
}

// Symbols may share a name of 50 kB, so a file of 120 kB could ask for 150 MB.
TEST(ElfFile, StopsAtTheMostBytesOfNames) {
  constexpr std::uint64_t name_bytes = 50000;
  ElfForTests elf;
  elf.add_functions(SHT_SYMTAB, std::vector<std::pair<std::string, std::uint64_t>>(
                                    3000, {"f", 0x100}));
  for (std::uint64_t i = 1; i <= 3000; ++i) {
    Elf64_Sym symbol{};
    char* place = elf.parts[1].bytes.data() + i * sizeof symbol;
    std::memcpy(&symbol, place, sizeof symbol);
    symbol.st_name = 1;
    symbol.st_value = i;  // so that they are no doubles
    std::memcpy(place, &symbol, sizeof symbol);
  }
  elf.parts[2].bytes = std::string(1, '\0') + std::string(name_bytes, 'f') + '\0';
  elf.parts[2].header.sh_size = elf.parts[2].bytes.size();
  EXPECT_EQ(read(elf.image())->symbols.size(), ElfLimits::name_bytes / name_bytes);
}

TEST(ElfFile, SurvivesBeingCutOffAnywhere) {
  ElfForTests elf;
  elf.add_functions(SHT_SYMTAB, {{"first", 0x100}});
  elf.add_build_id("\x01\x02\x03");
  elf.add_debug_link("lib.debug");
  const std::string image = elf.image();
  for (std::size_t size = 0; size < image.size(); ++size) {
    const auto file = read(image.substr(0, size));
    if (size < sizeof(Elf64_Ehdr)) {
      EXPECT_FALSE(file);
    } else {
      ASSERT_TRUE(file);
      EXPECT_TRUE(file->symbols.empty());  // the sections' headers are at the end
    }
  }
}

TEST(ElfFile, IsForOneMachineOf64Bits) {
  ElfForTests elf;
  elf.header.e_machine = EM_AARCH64;
  auto file = read(elf.image());
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->is_for(EM_AARCH64));
  EXPECT_FALSE(file->is_for(EM_X86_64));
  // A program of x86-64 with addresses of 32 bits.
  elf.header.e_machine = EM_X86_64;
  elf.header.e_ident[EI_CLASS] = ELFCLASS32;
  file = read(elf.image());
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->is_for(EM_X86_64));
}

TEST(ElfFile, SaysWhatIsNoElfFileOfThisMachine) {
  EXPECT_EQ(read("#!/bin/sh\necho something longer than a mark\n").error().message,
            "cannot read the symbols of a test: it is not an ELF file");
  ElfForTests elf;
  elf.header.e_ident[EI_DATA] = ELFDATA2MSB;
  EXPECT_EQ(read(elf.image()).error().message,
            "cannot read the symbols of a test: its byte order is not this machine's");
}

}  // namespace
}  // namespace kinst::user
