#include "user/object_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

namespace kinst::user {
namespace {

constexpr std::string_view debug_folder = "/usr/lib/debug";

// Where debug files are by custom: GDB's manual, "Separate Debug Files".
std::vector<std::string> debug_file_candidates(const ElfFile& elf,
                                               const std::string& path) {
  std::vector<std::string> candidates;
  if (elf.build_id.size() > 2) {
    candidates.push_back(fmt::format("{}/.build-id/{}/{}.debug", debug_folder,
                                     elf.build_id.substr(0, 2),
                                     elf.build_id.substr(2)));
  }
  if (!elf.debug_link.empty()) {
    const std::string folder = std::filesystem::path(path).parent_path();
    candidates.push_back(fmt::format("{}/{}", folder, elf.debug_link));
    candidates.push_back(fmt::format("{}/.debug/{}", folder, elf.debug_link));
    candidates.push_back(fmt::format("{}{}/{}", debug_folder, folder, elf.debug_link));
  }
  return candidates;
}

std::optional<ElfFile> read_debug_file(Result<RegularFile> file,
                                       const std::string& path,
                                       const std::string& build_id) {
  if (!file) {
    return std::nullopt;
  }
  auto debug = read_elf(ObjectBytes(*std::move(file), path));
  return debug && debug->build_id == build_id ? std::optional(*std::move(debug))
                                              : std::nullopt;
}

// The process's own file system first: a container has other debug files. Of ours only
// the folder of debug files counts then: other paths of the process mean nothing here.
std::optional<ElfFile> find_debug_file(const std::string& candidate,
                                       const std::string& root,
                                       const std::string& build_id) {
  if (!root.empty()) {
    if (auto found = read_debug_file(RegularFile::open_below(root, candidate),
                                     candidate, build_id)) {
      return found;
    }
    if (!candidate.starts_with("/usr/lib/debug/")) {
      return std::nullopt;
    }
  }
  return read_debug_file(RegularFile::open(candidate), candidate, build_id);
}

}  // namespace

Result<ObjectFile> read_object(const ObjectBytes& bytes, const ObjectPlace& place) {
  ObjectFile object;
  object.elf = KINST_TRY(read_elf(bytes));
  std::vector<ElfSymbol> symbols = std::exchange(object.elf.symbols, {});
  if (!object.elf.has_full_symbols && !object.elf.build_id.empty()) {
    for (const std::string& candidate : debug_file_candidates(object.elf, place.path)) {
      if (auto debug = find_debug_file(candidate, place.root, object.elf.build_id)) {
        std::ranges::move(debug->symbols, std::back_inserter(symbols));
        object.debug_file = candidate;
        break;
      }
    }
  }
  object.symbols = SymbolTable(std::move(symbols), object.elf.code_sections);
  return object;
}

std::vector<std::byte> read_at_address(const std::string& openable, const ElfFile& elf,
                                       std::uint64_t address, std::uint64_t bytes) {
  auto file = RegularFile::open(openable);
  const auto offset = elf.offset_of(address);
  if (!file || !offset || *offset > file->size_bytes()) {
    return {};
  }
  const std::uint64_t rest = file->size_bytes() - *offset;
  return ObjectBytes(*std::move(file), openable).bytes(*offset, std::min(bytes, rest));
}

CallFrameSection read_call_frame_section(const std::string& openable,
                                         const ElfFile& elf) {
  const ElfSectionPlace& section = elf.call_frames;
  auto file = RegularFile::open(openable);
  if (!file || section.size_bytes > CallFrameSection::most_bytes) {
    return {};
  }
  return {.address = section.address,
          .bytes = ObjectBytes(*std::move(file), openable)
                       .bytes(section.file_offset, section.size_bytes)};
}

}  // namespace kinst::user
