// Compares where instructions begin in all executable sections of kernels and modules,
// as kinst's decoder and as binutils' objdump see it, and checks that every function
// begins and ends where an instruction does, so that its instructions' lengths add up
// to its size. For tests/decode/compare_with_objdump.
//
// usage: decode_check WORK-FILE [--symbols SYSTEM.MAP] OBJECT...
//
// All sections go to WORK-FILE one behind the other, so that one objdump reads them.
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/system/file_descriptor.h"
#include "base/system/read_file.h"
#include "isa/isa.h"

namespace {

using kinst::isa::Decoding;

/// One executable section and where it stands in the work file.
struct Section {
  std::string name;  ///< "FILE SECTION"
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  std::uint64_t address = 0;  ///< where it is linked to; 0 in modules
};

/// A function, in bytes of the work file; its size is 0 where symbols tell none.
struct Function {
  std::string name;
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

struct Text {
  std::string bytes;
  std::vector<Section> sections;
  std::vector<Function> functions;
};

/// Between sections, so that a cut-off instruction does not reach into the next.
constexpr std::size_t gap_bytes = 32;

std::string_view contents(Elf_Scn* section) {
  const Elf_Data* data = elf_getdata(section, nullptr);
  return data == nullptr || data->d_buf == nullptr
             ? std::string_view()
             : std::string_view(static_cast<const char*>(data->d_buf), data->d_size);
}

void add_functions(Elf_Scn* table, const GElf_Shdr& header,
                   const std::vector<std::pair<std::size_t, std::size_t>>& places,
                   Text& text) {
  Elf_Data* data = elf_getdata(table, nullptr);
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int number = 0; number < count; ++number) {
    GElf_Sym symbol{};
    if (gelf_getsym(data, number, &symbol) == nullptr ||
        GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) {
      continue;
    }
    const auto place = std::ranges::find(places, symbol.st_shndx,
                                         &std::pair<std::size_t, std::size_t>::first);
    if (place != places.end()) {
      const Section& section = text.sections[place->second];
      text.functions.push_back(
          {.name = section.name,
           .begin = section.begin + symbol.st_value - section.address,
           .size = symbol.st_size});
    }
  }
}

void add_object(const std::string& path, Text& text) {
  const kinst::Result<std::string> file = kinst::read_file(path);
  if (!file) {
    fmt::print(stderr, "decode_check: {}\n", file.error().message);
    std::exit(2);
  }
  std::string image = *file;
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_memory(image.data(), image.size()),
                                                elf_end);
  std::size_t names = 0;
  if (elf == nullptr || elf_getshdrstrndx(elf.get(), &names) != 0) {
    fmt::print(stderr, "decode_check: {} is no ELF file\n", path);
    std::exit(2);
  }
  std::vector<std::pair<std::size_t, std::size_t>> places;  // section to text.sections
  for (Elf_Scn* one = nullptr; (one = elf_nextscn(elf.get(), one)) != nullptr;) {
    GElf_Shdr header{};
    gelf_getshdr(one, &header);
    const std::string_view bytes = contents(one);
    // Some images say of their data that it can be executed.
    if ((header.sh_flags & SHF_EXECINSTR) == 0 || (header.sh_flags & SHF_WRITE) != 0 ||
        bytes.empty()) {
      continue;
    }
    places.emplace_back(elf_ndxscn(one), text.sections.size());
    const std::string file_name = path.substr(path.rfind('/') + 1);
    text.sections.push_back(
        {.name = fmt::format("{} {}", file_name,
                             elf_strptr(elf.get(), names, header.sh_name)),
         .begin = text.bytes.size(),
         .size = bytes.size(),
         .address = header.sh_addr});
    text.bytes += bytes;
    text.bytes.append(gap_bytes, '\x90');
  }
  for (Elf_Scn* one = nullptr; (one = elf_nextscn(elf.get(), one)) != nullptr;) {
    GElf_Shdr header{};
    gelf_getshdr(one, &header);
    if (header.sh_type == SHT_SYMTAB) {
      add_functions(one, header, places, text);
    }
  }
}

/// The functions of a kernel image, which has no symbols itself.
void add_symbols(const std::string& path, Text& text) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::uint64_t address = 0;
    std::string type;
    std::string name;
    words >> std::hex >> address >> type >> name;
    if (type != "t" && type != "T") {
      continue;
    }
    const auto within = std::ranges::find_if(text.sections, [&](const Section& one) {
      return one.address != 0 && address >= one.address &&
             address < one.address + one.size;
    });
    if (within != text.sections.end()) {
      text.functions.push_back(
          {.name = name, .begin = within->begin + address - within->address});
    }
  }
}

/// Where instructions begin, ascending, in bytes of the work file.
using Boundaries = std::vector<std::uint64_t>;

struct OurView {
  Boundaries boundaries;
  Boundaries undecodable;
};

/// Section by section, as whole instructions take much memory.
OurView our_view(const Text& text) {
  OurView out;
  for (const Section& section : text.sections) {
    const std::string_view bytes =
        std::string_view(text.bytes).substr(section.begin, section.size + gap_bytes);
    // Addresses without meaning: only lengths matter here.
    for (const auto& one :
         kinst::isa::x86_64().decode(std::as_bytes(std::span(bytes)), {})) {
      const std::uint64_t offset = section.begin + number(one.offset);
      out.boundaries.push_back(offset);
      if (one.decoding == Decoding::Undecodable) {
        out.undecodable.push_back(offset);
      }
    }
  }
  return out;
}

/// objdump's view: the offsets at which its lines begin, "   1f:\t…".
Boundaries objdump_boundaries(const std::string& work_file) {
  const std::string command = fmt::format(
      "objdump -D -z --no-show-raw-insn -b binary -m i386:x86-64 '{}'", work_file);
  Boundaries out;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::vector<char> line(4096);
  while (pipe != nullptr && std::fgets(line.data(), static_cast<int>(line.size()),
                                       pipe.get()) != nullptr) {
    const char* first = line.data();
    while (*first == ' ') {
      ++first;
    }
    std::uint64_t offset = 0;
    const auto [end, problem] =
        std::from_chars(first, line.data() + line.size(), offset, 16);
    if (problem == std::errc{} && *end == ':') {
      out.push_back(offset);
    }
  }
  return out;
}

std::string place_name(const Text& text, std::uint64_t offset) {
  const auto above =
      std::ranges::upper_bound(text.sections, offset, {}, &Section::begin);
  if (above == text.sections.begin()) {
    return fmt::format("{:#x}", offset);
  }
  const Section& section = *std::prev(above);
  return fmt::format("{}+{:#x}", section.name, offset - section.begin);
}

struct Counts {
  std::size_t different = 0;
  std::size_t unknown = 0;
};

/// Whether our decoder gave up at most 16 bytes before: where neither knows the
/// instruction (LKGS in Linux 6.12), they go on at different bytes.
bool neither_knows(const OurView& ours, std::uint64_t offset) {
  const auto above = std::ranges::upper_bound(ours.undecodable, offset);
  return above != ours.undecodable.begin() && *std::prev(above) + 16 >= offset;
}

Counts compare(const Text& text, const OurView& ours, const Boundaries& theirs) {
  Counts counts;
  const auto differs = [&](std::uint64_t offset) {
    // objdump shows fwait and what follows as one, "finit"; the processor executes two.
    constexpr char fwait = '\x9b';
    if (offset > 0 && text.bytes[offset - 1] == fwait) {
      return;
    }
    if (neither_knows(ours, offset)) {
      ++counts.unknown;
    } else {
      ++counts.different;
      fmt::print("{}: boundaries differ\n", place_name(text, offset));
    }
  };
  auto our = ours.boundaries.begin();
  auto their = theirs.begin();
  while (our != ours.boundaries.end() || their != theirs.end()) {
    const std::uint64_t we = our == ours.boundaries.end() ? ~0ULL : *our;
    const std::uint64_t they = their == theirs.end() ? ~0ULL : *their;
    if (we != they) {
      differs(std::min(we, they));
    }
    our += we <= they ? 1 : 0;
    their += they <= we ? 1 : 0;
  }
  return counts;
}

std::size_t misplaced_functions(const Text& text, const OurView& ours) {
  std::size_t misplaced = 0;
  for (const Function& function : text.functions) {
    for (const std::uint64_t edge : {function.begin, function.begin + function.size}) {
      if (!std::ranges::binary_search(ours.boundaries, edge) &&
          !neither_knows(ours, edge)) {
        ++misplaced;
        fmt::print("{}: {} does not begin or end with an instruction\n",
                   place_name(text, edge), function.name);
      }
    }
  }
  return misplaced;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2) {
    fmt::print(stderr, "usage: decode_check WORK-FILE [--symbols FILE] OBJECT...\n");
    return 2;
  }
  elf_version(EV_CURRENT);
  Text text;
  std::string symbols;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--symbols" && i + 1 < arguments.size()) {
      symbols = arguments[++i];
    } else {
      add_object(arguments[i], text);
    }
  }
  if (!symbols.empty()) {
    add_symbols(symbols, text);
  }
  std::ofstream(arguments[0], std::ios::binary) << text.bytes;
  const OurView ours = our_view(text);
  const Boundaries theirs = objdump_boundaries(arguments[0]);
  const Counts counts = compare(text, ours, theirs);
  const std::size_t misplaced = misplaced_functions(text, ours);
  fmt::print(
      "{} instructions of {} sections compared: {} places differ, and {} that neither "
      "decoder knows; {} functions, {} misplaced\n",
      theirs.size(), text.sections.size(), counts.different, counts.unknown,
      text.functions.size(), misplaced);
  return !theirs.empty() && counts.different == 0 && misplaced == 0 ? 0 : 1;
}
