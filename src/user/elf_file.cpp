// libelf's view of a file turned into plain data.
#include "user/elf_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <tuple>

#include "base/file_descriptor.h"

namespace kinst::user {
namespace {

struct EndElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using OwnedElf = std::unique_ptr<Elf, EndElf>;

#if defined(__x86_64__)
constexpr std::uint16_t native_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t native_machine = EM_AARCH64;
#else
constexpr std::uint16_t native_machine = EM_RISCV;
#endif

std::string_view text_of(const Elf_Data& data) {
  return {static_cast<const char*>(data.d_buf), data.d_size};
}

// A text that ends with a zero byte, or with the data.
std::string up_to_zero(std::string_view text) {
  return std::string(text.substr(0, text.find('\0')));
}

void read_segments(Elf& elf, ElfFile& file) {
  std::size_t count = 0;
  if (elf_getphdrnum(&elf, &count) != 0) {
    return;
  }
  for (std::size_t index = 0; index < count; ++index) {
    GElf_Phdr header{};
    if (gelf_getphdr(&elf, static_cast<int>(index), &header) == nullptr) {
      continue;
    }
    if (header.p_type == PT_LOAD) {
      file.segments.push_back({.address = header.p_vaddr,
                               .file_offset = header.p_offset,
                               .file_bytes = header.p_filesz,
                               .is_executable = (header.p_flags & PF_X) != 0});
    } else if (header.p_type == PT_INTERP) {
      if (const Elf_Data* data =
              elf_getdata_rawchunk(&elf, static_cast<std::int64_t>(header.p_offset),
                                   header.p_filesz, ELF_T_BYTE)) {
        file.interpreter = up_to_zero(text_of(*data));
      }
    }
  }
}

std::optional<ElfSymbol::Binding> binding_of(unsigned char info) {
  switch (GELF_ST_BIND(info)) {
    case STB_LOCAL:
      return ElfSymbol::Binding::Local;
    case STB_WEAK:
      return ElfSymbol::Binding::Weak;
    case STB_GLOBAL:
    case STB_GNU_UNIQUE:
      return ElfSymbol::Binding::Global;
    default:
      return std::nullopt;
  }
}

// Assembly often gives its symbols no type: the visible ones in text are functions.
bool is_function(const GElf_Sym& symbol, const ElfFile& file) {
  const int type = GELF_ST_TYPE(symbol.st_info);
  if (type == STT_FUNC || type == STT_GNU_IFUNC) {
    return true;
  }
  return type == STT_NOTYPE && GELF_ST_BIND(symbol.st_info) != STB_LOCAL &&
         std::ranges::any_of(file.segments, [&](const ElfSegment& segment) {
           return segment.is_executable && symbol.st_value >= segment.address &&
                  symbol.st_value - segment.address < segment.file_bytes;
         });
}

using Seen = std::set<std::tuple<std::uint64_t, std::string>>;

void read_symbols(Elf& elf, Elf_Scn& section, const GElf_Shdr& header, ElfFile& file,
                  Seen& seen) {
  Elf_Data* data = elf_getdata(&section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) {
    return;
  }
  const auto count = static_cast<int>(data->d_size / header.sh_entsize);
  for (int index = 0; index < count; ++index) {
    GElf_Sym symbol{};
    if (gelf_getsym(data, index, &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF ||
        symbol.st_shndx == SHN_ABS) {
      continue;
    }
    const auto binding = binding_of(symbol.st_info);
    const bool function = is_function(symbol, file);
    const char* name = elf_strptr(&elf, header.sh_link, symbol.st_name);
    const std::string_view full_name = name == nullptr ? "" : name;
    // Without its version: "memcpy@@GLIBC_2.14".
    std::string plain_name(full_name.substr(0, full_name.find('@')));
    if (!binding || plain_name.empty() ||
        (!function && GELF_ST_TYPE(symbol.st_info) != STT_OBJECT)) {
      continue;
    }
    if (seen.emplace(symbol.st_value, plain_name).second) {
      file.symbols.push_back(
          {.address = symbol.st_value,
           .size_bytes = symbol.st_size,
           .name = std::move(plain_name),
           .is_function = function,
           .is_typed = GELF_ST_TYPE(symbol.st_info) != STT_NOTYPE,
           .binding = *binding,
           .is_resolver = GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC});
    }
  }
}

void read_build_id(Elf_Scn& section, ElfFile& file) {
  Elf_Data* data = elf_getdata(&section, nullptr);
  if (data == nullptr) {
    return;
  }
  GElf_Nhdr note{};
  std::size_t name = 0;
  std::size_t description = 0;
  std::size_t at = 0;
  while ((at = gelf_getnote(data, at, &note, &name, &description)) > 0) {
    if (note.n_type == NT_GNU_BUILD_ID &&
        up_to_zero(text_of(*data).substr(name, note.n_namesz)) == "GNU") {
      for (const char byte : text_of(*data).substr(description, note.n_descsz)) {
        file.build_id += fmt::format("{:02x}", static_cast<unsigned char>(byte));
      }
      return;
    }
  }
}

void read_sections(Elf& elf, ElfFile& file) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(&elf, &names) != 0) {
    return;
  }
  Seen seen;
  for (Elf_Scn* section = elf_nextscn(&elf, nullptr); section != nullptr;
       section = elf_nextscn(&elf, section)) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr) {
      continue;
    }
    const char* name = elf_strptr(&elf, names, header.sh_name);
    if ((header.sh_flags & SHF_EXECINSTR) != 0) {
      file.code_sections.push_back(
          {.address = header.sh_addr, .size_bytes = header.sh_size});
    }
    if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) {
      file.has_full_symbols = file.has_full_symbols || header.sh_type == SHT_SYMTAB;
      read_symbols(elf, *section, header, file, seen);
    } else if (header.sh_type == SHT_NOTE && file.build_id.empty()) {
      read_build_id(*section, file);
    } else if (name != nullptr && std::string_view(name) == ".gnu_debuglink") {
      if (const Elf_Data* data = elf_rawdata(section, nullptr)) {
        file.debug_link = up_to_zero(text_of(*data));
      }
    } else if (name != nullptr && std::string_view(name) == ".eh_frame" &&
               header.sh_type != SHT_NOBITS) {
      if (const Elf_Data* data = elf_rawdata(section, nullptr)) {
        const auto bytes = std::as_bytes(std::span(text_of(*data)));
        file.call_frames = {.address = header.sh_addr,
                            .bytes = {bytes.begin(), bytes.end()}};
      }
    }
  }
}

Result<ElfFile> read(Elf* elf, std::string_view name) {
  GElf_Ehdr header{};
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF ||
      gelf_getehdr(elf, &header) == nullptr) {
    return error("cannot read the symbols of {}: it is not an ELF file", name);
  }
  ElfFile file;
  file.width = gelf_getclass(elf) == ELFCLASS32 ? ElfClass::Bits32 : ElfClass::Bits64;
  file.is_native_machine = header.e_machine == native_machine;
  file.entry = header.e_entry;
  read_segments(*elf, file);
  read_sections(*elf, file);
  return file;
}

}  // namespace

std::optional<std::uint64_t> ElfFile::offset_of(std::uint64_t address) const {
  for (const ElfSegment& segment : segments) {
    if (address >= segment.address && address - segment.address < segment.file_bytes) {
      return address - segment.address + segment.file_offset;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ElfFile::address_of(std::uint64_t offset) const {
  for (const ElfSegment& segment : segments) {
    if (offset >= segment.file_offset &&
        offset - segment.file_offset < segment.file_bytes) {
      return offset - segment.file_offset + segment.address;
    }
  }
  return std::nullopt;
}

Result<ElfFile> read_elf(const std::string& path) {
  elf_version(EV_CURRENT);
  const FileDescriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor) {
    return system_error("read the symbols of " + path, errno);
  }
  const OwnedElf elf(elf_begin(descriptor.get(), ELF_C_READ_MMAP, nullptr));
  return read(elf.get(), path);
}

Result<ElfFile> read_elf(std::span<const std::byte> image, std::string_view name) {
  elf_version(EV_CURRENT);
  // elf_memory() does not write, but takes no const.
  std::vector<std::byte> copy(image.begin(), image.end());
  const OwnedElf elf(elf_memory(reinterpret_cast<char*>(copy.data()), copy.size()));
  return read(elf.get(), name);
}

}  // namespace kinst::user
