// A program that an unprivileged user could write to harm whoever traces it: it calls
// getppid() through a library of its own whose file is not what it should be.
// usage: hostile KIND SECONDS     writes lib.so, and what else KIND needs, into the
//                                 working directory; calls for that long
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>

#include "user/elf_for_tests.h"

namespace {

using kinst::user::ElfForTests;

constexpr const char* library = "lib.so";
constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30U;

// push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret
constexpr std::string_view code("\x55\x48\x89\xe5\xff\xd7\x5d\xc3", 8);

struct Library {
  ElfForTests elf;
  std::string name = "through_library";
  std::uint64_t more_bytes = 0;  // a hole behind the image
};

using Change = std::function<void(Library&)>;

const std::map<std::string, Change> kinds = {
    {"sound", [](Library&) {}},
    {"named", [](Library& made) { made.name = "red\033[31m\x9b\r\n"; }},
    // open(2) of the FIFO would wait for ever.
    {"fifo",
     [](Library& made) {
       mkfifo("fifo", 0666);
       made.elf.add_debug_link("fifo");
     }},
    {"fifo_elsewhere",
     [](Library& made) {
       mkfifo("fifo", 0666);
       std::string folder(4096, '\0');
       made.elf.add_debug_link("../../../../../../../../../../" +
                               std::string(getcwd(folder.data(), folder.size())) +
                               "/fifo");
     }},
    {"no_bytes",
     [](Library& made) {
       made.elf.add_debug_link("lib.debug", SHT_NOBITS);
       made.elf.add(".eh_frame", SHT_NOBITS, "").header.sh_size = gigabyte;
       made.elf.add(".note", SHT_NOBITS, "").header.sh_size = 4096;
     }},
    // All of it a hole, which takes no room on the disk.
    {"sparse",
     [](Library& made) {
       made.more_bytes = 64 * gigabyte;
       for (const char* name : {".eh_frame", ".gnu_debuglink", ".note.gnu.build-id"}) {
         auto& section = made.elf.add(name, SHT_PROGBITS, "");
         section.header.sh_offset = 4096;
         section.header.sh_size = 63 * gigabyte;
       }
       auto& symbols = made.elf.add(".dynsym", SHT_DYNSYM, "");
       symbols.header.sh_offset = 4096;
       symbols.header.sh_size = 63 * gigabyte;
       symbols.header.sh_link = 2;
     }},
    {"cut_off", [](Library& made) { made.more_bytes = std::uint64_t{1} << 20U; }},
};

void write_library(Library& made) {
  auto& text = made.elf.add(".text", SHT_PROGBITS, std::string(code));
  text.header.sh_offset = 0;  // where image() puts it
  // As if it were stripped, so that a debug file is looked for.
  made.elf.add_functions(SHT_DYNSYM, {{made.name, 0}});
  const std::string before = made.elf.image();
  // The symbol says where the code turned out to be.
  const std::uint64_t address = before.find(code);
  for (ElfForTests::Part& part : made.elf.parts) {
    if (part.name == ".dynsym" && !part.bytes.empty()) {
      std::memcpy(part.bytes.data() + sizeof(Elf64_Sym) + offsetof(Elf64_Sym, st_value),
                  &address, sizeof address);
    }
  }
  const std::string image = made.elf.image();
  std::ofstream(library, std::ios::binary) << image;
  if (truncate(library, static_cast<off_t>(image.size() + made.more_bytes)) != 0) {
    std::perror("truncate");
    std::exit(1);
  }
}

void ask() {
  getppid();
}

}  // namespace

int main(int argc, char** argv) {
  const auto kind = argc == 3 ? kinds.find(argv[1]) : kinds.end();
  if (kind == kinds.end()) {
    return 2;
  }
  Library made;
  made.elf.add_build_id("0123456789abcdefghij");
  kind->second(made);
  write_library(made);
  const int file = open(library, O_RDWR);
  constexpr std::size_t page = 4096;
  auto* mapped = static_cast<char*>(
      mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0));
  if (mapped == MAP_FAILED) {
    std::perror("mmap");
    return 1;
  }
  std::string text(mapped, page);
  const auto call = reinterpret_cast<void (*)(void (*)())>(mapped + text.find(code));
  const std::time_t end = std::time(nullptr) + std::atol(argv[2]);
  do {
    call(ask);
    if (kind->first == "cut_off") {  // what is mapped of it stays
      ftruncate(file, page);
      ftruncate(file, page + (std::int64_t{1} << 20U));
    }
    usleep(50000);
  } while (std::time(nullptr) < end);
  return 0;
}
