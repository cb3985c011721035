// Small ELF files made by hand, sound or not.
#pragma once

#include <elf.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinst::user {

/// A 64-bit shared object with one executable segment that covers all of it. Members
/// may be changed between the calls; image() puts the parts together.
class ElfForTests {
 public:
  struct Part {
    std::string name;
    Elf64_Shdr header{};
    std::string bytes;
  };

  ElfForTests() { parts.push_back({}); }

  Part& add(std::string name, std::uint32_t type, std::string bytes) {
    Part part{.name = std::move(name), .bytes = std::move(bytes)};
    part.header.sh_type = type;
    part.header.sh_size = part.bytes.size();
    parts.push_back(std::move(part));
    return parts.back();
  }

  /// A table of functions, each of 16 bytes, and their names behind it.
  void add_functions(std::uint32_t type,
                     const std::vector<std::pair<std::string, std::uint64_t>>& names) {
    std::string strings(1, '\0');
    std::string symbols(sizeof(Elf64_Sym), '\0');
    for (const auto& [name, address] : names) {
      Elf64_Sym symbol{};
      symbol.st_name = static_cast<std::uint32_t>(strings.size());
      symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
      symbol.st_shndx = 1;
      symbol.st_value = address;
      symbol.st_size = 16;
      strings += name;
      strings += '\0';
      append(symbols, symbol);
    }
    Part& table = add(type == SHT_SYMTAB ? ".symtab" : ".dynsym", type, symbols);
    table.header.sh_link = static_cast<std::uint32_t>(parts.size());
    table.header.sh_entsize = sizeof(Elf64_Sym);
    add(type == SHT_SYMTAB ? ".strtab" : ".dynstr", SHT_STRTAB, strings);
  }

  void add_build_id(std::string_view id) {
    Elf64_Nhdr note{};
    note.n_namesz = 4;
    note.n_descsz = static_cast<std::uint32_t>(id.size());
    note.n_type = NT_GNU_BUILD_ID;
    std::string bytes;
    append(bytes, note);
    bytes += std::string_view("GNU\0", 4);
    bytes += id;
    add(".note.gnu.build-id", SHT_NOTE, bytes);
  }

  /// As linkers write it: the name, filled up, and a checksum.
  Part& add_debug_link(std::string_view name, std::uint32_t type = SHT_PROGBITS) {
    std::string bytes(name);
    bytes.append(8 - name.size() % 4, '\0');
    return add(".gnu_debuglink", type, bytes);
  }

  [[nodiscard]] std::string image() const {
    std::vector<Part> all = parts;
    Part names{.name = ".shstrtab", .bytes = std::string(1, '\0')};
    names.header.sh_type = SHT_STRTAB;
    all.push_back(names);
    for (Part& part : all) {
      part.header.sh_name = static_cast<std::uint32_t>(all.back().bytes.size());
      all.back().bytes += part.name + '\0';
    }
    all.back().header.sh_size = all.back().bytes.size();
    std::string out(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), '\0');
    for (Part& part : all) {
      if (part.header.sh_offset == 0) {
        part.header.sh_offset = out.size();
      }
      out += part.bytes;
      out.append(8 - out.size() % 8, '\0');
    }
    Elf64_Ehdr first = header;
    first.e_shoff = out.size();
    first.e_shnum = static_cast<std::uint16_t>(all.size());
    first.e_shstrndx = static_cast<std::uint16_t>(all.size() - 1);
    for (const Part& part : all) {
      append(out, part.header);
    }
    Elf64_Phdr segment{};
    segment.p_type = PT_LOAD;
    segment.p_flags = PF_R | PF_X;
    segment.p_filesz = out.size();
    segment.p_memsz = out.size();
    std::memcpy(out.data(), &first, sizeof first);
    std::memcpy(out.data() + sizeof first, &segment, sizeof segment);
    return out;
  }

  Elf64_Ehdr header = sound_header();
  std::vector<Part> parts;  ///< the first is the empty one that each file has

 private:
  static Elf64_Ehdr sound_header() {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_DYN;
    header.e_machine = EM_X86_64;
    header.e_phoff = sizeof(Elf64_Ehdr);
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 1;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_ehsize = sizeof(Elf64_Ehdr);
    return header;
  }

  template <typename Struct>
  static void append(std::string& to, const Struct& value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
};

}  // namespace kinst::user
