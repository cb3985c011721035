// ELF files as plain data. Nothing in a file is taken on trust: each number that says
// where something is, or how much of it, is held against the file's size and a limit
// before memory is taken, and every part is read into memory of our own, as a file that
// is mapped kills who looks at it when its owner cuts it off. Source: System V ABI,
// "Object Files"; <elf.h>.
#include "user/elf_file.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

namespace kinst::user {
namespace {

constexpr unsigned char native_order =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

struct Bits32 {
  using Header = Elf32_Ehdr;
  using SegmentHeader = Elf32_Phdr;
  using SectionHeader = Elf32_Shdr;
  using Symbol = Elf32_Sym;
};

struct Bits64 {
  using Header = Elf64_Ehdr;
  using SegmentHeader = Elf64_Phdr;
  using SectionHeader = Elf64_Shdr;
  using Symbol = Elf64_Sym;
};

// Their forms are the same in both classes.
static_assert(ELF32_ST_BIND(0x21) == ELF64_ST_BIND(0x21));
static_assert(sizeof(Elf32_Nhdr) == sizeof(Elf64_Nhdr));

// What both classes' section headers say.
struct Section {
  std::string name;
  std::uint32_t type = SHT_NULL;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t link = 0;
  bool is_code = false;
};

// A table of texts that end with zeros.
class Texts {
 public:
  Texts(std::vector<std::byte> bytes, std::uint64_t budget_bytes)
      : bytes_(std::move(bytes)), budget_bytes_(budget_bytes) {}

  // Empty where there is no text, or one that does not end, is too long, or comes when
  // the budget is used up: texts may overlap, so their sum has no other bound.
  std::string_view at(std::uint64_t offset) {
    if (offset >= bytes_.size()) {
      return {};
    }
    const std::uint64_t most =
        std::min({bytes_.size() - offset, ElfLimits::longest_name, budget_bytes_});
    const auto* begin = reinterpret_cast<const char*>(bytes_.data() + offset);
    const std::size_t length = strnlen(begin, most);
    budget_bytes_ -= length;
    return length == most ? std::string_view() : std::string_view(begin, length);
  }

  [[nodiscard]] bool is_used_up() const { return budget_bytes_ == 0; }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t budget_bytes_;
};

// The reader of one class of files.
template <typename Class>
class Reader {
 public:
  explicit Reader(const ObjectBytes& bytes) : bytes_(bytes) {}

  Result<ElfFile> read() {
    const auto headers = bytes_.table<Header>(0, 1);
    if (headers.empty()) {
      return error("cannot read the symbols of {}: it is not an ELF file",
                   bytes_.name());
    }
    header_ = headers.front();
    file_.machine = header_.e_machine;
    file_.entry = header_.e_entry;
    read_segments();
    sections_ = read_sections();
    for (const Section& section : sections_) {
      read_section(section);
    }
    drop_doubles();
    return std::move(file_);
  }

 private:
  using Header = typename Class::Header;
  using SegmentHeader = typename Class::SegmentHeader;
  using SectionHeader = typename Class::SectionHeader;
  using Symbol = typename Class::Symbol;

  void read_segments() {
    const std::uint64_t count =
        std::min<std::uint64_t>(header_.e_phnum, ElfLimits::segments);
    if (header_.e_phentsize != sizeof(SegmentHeader)) {
      return;
    }
    for (const SegmentHeader& segment :
         bytes_.template table<SegmentHeader>(header_.e_phoff, count)) {
      if (segment.p_type == PT_LOAD) {
        file_.segments.push_back({.address = segment.p_vaddr,
                                  .file_offset = segment.p_offset,
                                  .file_bytes = segment.p_filesz,
                                  .is_executable = (segment.p_flags & PF_X) != 0});
      }
    }
  }

  // Numbers that do not fit into the header are in section 0.
  std::vector<Section> read_sections() {
    const auto first = bytes_.template table<SectionHeader>(header_.e_shoff, 1);
    if (header_.e_shoff == 0 || first.empty() ||
        header_.e_shentsize != sizeof(SectionHeader)) {
      return {};
    }
    const std::uint64_t count = std::min<std::uint64_t>(
        header_.e_shnum == 0 ? first.front().sh_size : header_.e_shnum,
        ElfLimits::sections);
    const std::uint64_t names =
        header_.e_shstrndx == SHN_XINDEX ? first.front().sh_link : header_.e_shstrndx;
    const auto headers = bytes_.template table<SectionHeader>(header_.e_shoff, count);
    Texts texts(names < headers.size() ? contents(headers[names]) : contents({}),
                ElfLimits::section_name_bytes);
    std::vector<Section> sections;
    for (const SectionHeader& header : headers) {
      sections.push_back({.name = std::string(texts.at(header.sh_name)),
                          .type = header.sh_type,
                          .address = header.sh_addr,
                          .offset = header.sh_offset,
                          .size = header.sh_size,
                          .link = header.sh_link,
                          .is_code = (header.sh_flags & SHF_EXECINSTR) != 0});
    }
    return sections;
  }

  std::vector<std::byte> contents(const SectionHeader& header) const {
    return header.sh_type == SHT_STRTAB
               ? bytes_.bytes(header.sh_offset,
                              std::min<std::uint64_t>(header.sh_size,
                                                      ElfLimits::section_name_bytes))
               : std::vector<std::byte>();
  }

  void read_section(const Section& section) {
    if (section.is_code && file_.code_sections.size() < ElfLimits::code_sections) {
      file_.code_sections.push_back(
          {.address = section.address, .size_bytes = section.size});
    }
    const bool has_bytes = section.type != SHT_NULL && section.type != SHT_NOBITS &&
                           bytes_.has(section.offset, section.size);
    if (!has_bytes) {
      return;
    }
    if (section.type == SHT_SYMTAB && !file_.has_full_symbols) {
      file_.has_full_symbols = true;
      read_symbols(section);
    } else if (section.type == SHT_DYNSYM && !has_dynamic_symbols_) {
      has_dynamic_symbols_ = true;
      read_symbols(section);
    } else if (section.type == SHT_NOTE && file_.build_id.empty()) {
      read_build_id(section);
    } else if (section.name == ".gnu_debuglink") {
      read_debug_link(section);
    } else if (section.name == ".eh_frame") {
      file_.call_frames = {.address = section.address,
                           .file_offset = section.offset,
                           .size_bytes = section.size};
    }
  }

  void read_symbols(const Section& section) {
    constexpr std::uint64_t at_once = 4096;
    if (section.link >= sections_.size() ||
        sections_[section.link].type != SHT_STRTAB) {
      return;
    }
    const Section& strings = sections_[section.link];
    Texts names(
        bytes_.bytes(strings.offset, std::min(strings.size, ElfLimits::name_bytes)),
        ElfLimits::name_bytes);
    const std::uint64_t count =
        std::min(section.size / sizeof(Symbol), ElfLimits::symbols);
    for (std::uint64_t first = 0; first < count && !names.is_used_up();
         first += at_once) {
      const auto symbols = bytes_.template table<Symbol>(
          section.offset + first * sizeof(Symbol), std::min(at_once, count - first));
      if (symbols.empty()) {
        return;
      }
      for (const Symbol& symbol : symbols) {
        add_symbol(symbol, names);
      }
    }
  }

  void add_symbol(const Symbol& symbol, Texts& names) {
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS) {
      return;
    }
    const auto binding = binding_of(symbol.st_info);
    const bool function = is_function(symbol);
    if (!binding || (!function && ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT)) {
      return;
    }
    // Without its version: "memcpy@@GLIBC_2.14".
    const std::string_view name = names.at(symbol.st_name);
    const std::string_view plain_name = name.substr(0, name.find('@'));
    if (!plain_name.empty()) {
      file_.symbols.push_back(
          {.address = symbol.st_value,
           .size_bytes = symbol.st_size,
           .name = std::string(plain_name),
           .is_function = function,
           .is_typed = ELF64_ST_TYPE(symbol.st_info) != STT_NOTYPE,
           .binding = *binding,
           .is_resolver = ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC});
    }
  }

  static std::optional<ElfSymbol::Binding> binding_of(unsigned char info) {
    switch (ELF64_ST_BIND(info)) {
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
  [[nodiscard]] bool is_function(const Symbol& symbol) const {
    const int type = ELF64_ST_TYPE(symbol.st_info);
    if (type == STT_FUNC || type == STT_GNU_IFUNC) {
      return true;
    }
    return type == STT_NOTYPE && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL &&
           std::ranges::any_of(file_.segments, [&](const ElfSegment& segment) {
             return segment.is_executable && symbol.st_value >= segment.address &&
                    symbol.st_value - segment.address < segment.file_bytes;
           });
  }

  // A note is a header, its owner's name and what it says, each filled up to a multiple
  // of 4 bytes.
  void read_build_id(const Section& section) {
    constexpr std::uint64_t alignment = 4;
    const auto padded = [](std::uint64_t size) {
      return (size + alignment - 1) / alignment * alignment;
    };
    const std::vector<std::byte> notes =
        bytes_.bytes(section.offset, std::min(section.size, ElfLimits::note_bytes));
    std::span<const std::byte> rest = notes;
    while (rest.size() >= sizeof(Elf64_Nhdr)) {
      Elf64_Nhdr note{};
      std::memcpy(&note, rest.data(), sizeof note);
      rest = rest.subspan(sizeof note);
      const std::uint64_t name_bytes = padded(note.n_namesz);
      if (name_bytes > rest.size() || note.n_descsz > rest.size() - name_bytes) {
        return;
      }
      constexpr std::string_view owner("GNU\0", 4);
      const auto text = rest.subspan(name_bytes, note.n_descsz);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == owner.size() &&
          std::memcmp(rest.data(), owner.data(), owner.size()) == 0 &&
          text.size() <= ElfLimits::build_id_bytes) {
        for (const std::byte byte : text) {
          file_.build_id += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
        }
        return;
      }
      rest = rest.subspan(
          std::min<std::uint64_t>(name_bytes + padded(note.n_descsz), rest.size()));
    }
  }

  // The name of a file that stands beside this one or in the folder of debug files:
  // whoever wrote the file must not lead the reader anywhere else.
  void read_debug_link(const Section& section) {
    constexpr std::uint64_t longest_file_name = 255;
    const std::vector<std::byte> bytes =
        bytes_.bytes(section.offset, std::min(section.size, longest_file_name + 1));
    Texts texts(bytes, bytes.size());
    const std::string_view name = texts.at(0);
    if (name != "." && name != ".." && name.find('/') == std::string_view::npos) {
      file_.debug_link = name;
    }
  }

  // .dynsym repeats what .symtab has.
  void drop_doubles() {
    const auto key = [](const ElfSymbol& symbol) {
      return std::tuple<std::uint64_t, std::string_view>(symbol.address, symbol.name);
    };
    std::ranges::stable_sort(file_.symbols, {}, key);
    // clang 14 does not take std::ranges::unique.
    file_.symbols.erase(std::unique(file_.symbols.begin(), file_.symbols.end(),
                                    [&](const ElfSymbol& left, const ElfSymbol& right) {
                                      return key(left) == key(right);
                                    }),
                        file_.symbols.end());
  }

  const ObjectBytes& bytes_;
  Header header_{};
  std::vector<Section> sections_;
  bool has_dynamic_symbols_ = false;
  ElfFile file_;
};

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

Result<ElfFile> read_elf(const ObjectBytes& bytes) {
  std::array<unsigned char, EI_NIDENT> mark{};
  if (!bytes.read(0, std::as_writable_bytes(std::span(mark))) ||
      std::memcmp(mark.data(), ELFMAG, SELFMAG) != 0) {
    return error("cannot read the symbols of {}: it is not an ELF file", bytes.name());
  }
  if (mark[EI_DATA] != native_order) {
    return error("cannot read the symbols of {}: its byte order is not this machine's",
                 bytes.name());
  }
  if (mark[EI_CLASS] == ELFCLASS32) {
    return Reader<Bits32>(bytes).read().map([](ElfFile file) {
      file.width = ElfClass::Bits32;
      return file;
    });
  }
  return Reader<Bits64>(bytes).read();
}

}  // namespace kinst::user
