// Writes what the fuzzers begin with: a few sound inputs for each target, so that they
// need not find out by chance what an ELF file is.
// usage: make_seeds FOLDER     writes FOLDER/TARGET/NUMBER
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "user/elf_for_tests.h"

namespace {

using kinst::user::ElfForTests;
using Seeds = std::vector<std::string>;

// A CIE and two functions as gcc writes them: one with a frame pointer, one that
// remembers its state and has a frame by an expression.
std::string call_frames() {
  static constexpr unsigned char bytes[] = {
      0x14, 0,    0,    0,    0,    0,    0,    0,    1,    'z',  'R',  0,    1,
      0x78, 16,   1,    0x1b, 0x0c, 7,    8,    0x90, 1,    0,    0,  // CIE
      0x1c, 0,    0,    0,    0x1c, 0,    0,    0,    0xe0, 0xf0, 0xff, 0xff, 0x20,
      0,    0,    0,    0,    0x41, 0x0e, 16,   0x86, 2,    0x43, 0x0d, 6,    0x50,
      0xc6, 0x0c, 7,    8,    0,    0,    0x24, 0,    0,    0,    0x3c, 0,    0,
      0,    0x00, 0xf1, 0xff, 0xff, 0x20, 0,    0,    0,    0,    0x44, 0x0e, 24,
      0x0a, 0x44, 0x0e, 8,    0x41, 0x0b, 0x41, 0x0f, 3,    0x76, 0x78, 0x06, 0x41,
      0x10, 6,    2,    0x76, 0,    0,    0,    0,    0,    0,    0,    0};
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

Seeds elf_files() {
  ElfForTests whole;
  whole.add_functions(SHT_DYNSYM, {{"exported@@V1", 0x10}, {"other", 0x40}});
  whole.add_functions(SHT_SYMTAB, {{"main", 0x80}, {"_start", 0x20}});
  whole.add_build_id("0123456789abcdefghij");
  whole.add_debug_link("lib.so.debug");
  whole.add(".eh_frame", SHT_PROGBITS, call_frames()).header.sh_addr = 0x1000;
  ElfForTests stripped;
  stripped.add_functions(SHT_DYNSYM, {{"exported", 0x10}});
  stripped.add_debug_link("a", SHT_NOBITS);
  return {whole.image(), stripped.image(), ElfForTests().image()};
}

Seeds mappings() {
  return {
      "55d0c4c00000-55d0c4c05000 r-xp 00002000 fe:00 1234   /usr/bin/cat\n"
      "7ffd1000-7ffd3000 r-xp 00000000 00:00 0      [vdso]\n",
      "7f00-7f10 r--p 00000000 00:01 7  /memfd:a b (deleted)\n7f10-7f20 rw-p 0 00:00 "
      "0\n",
  };
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    return 2;
  }
  const std::map<std::string, Seeds> all = {
      {"elf", elf_files()},
      {"call_frames", {call_frames()}},
      {"mappings", mappings()},
      {"printable", {"a\033[31mb\x7f\r\n", "caf\xc3\xa9 \xc2\x9b", "\xf0\x9f\x90\xa7"}},
  };
  for (const auto& [target, seeds] : all) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / target;
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      std::ofstream(folder / std::to_string(i), std::ios::binary) << seeds[i];
    }
  }
  return 0;
}
