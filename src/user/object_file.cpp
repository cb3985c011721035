#include "user/object_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <utility>

namespace kinst::user {
namespace {

// Where debug files are by custom: GDB's manual, "Separate Debug Files".
std::vector<std::string> debug_file_candidates(const ElfFile& elf,
                                               const std::string& path) {
  std::vector<std::string> candidates;
  if (elf.build_id.size() > 2) {
    candidates.push_back(fmt::format("/usr/lib/debug/.build-id/{}/{}.debug",
                                     elf.build_id.substr(0, 2),
                                     elf.build_id.substr(2)));
  }
  if (!elf.debug_link.empty()) {
    const std::string folder = std::filesystem::path(path).parent_path();
    candidates.push_back(fmt::format("{}/{}", folder, elf.debug_link));
    candidates.push_back(fmt::format("{}/.debug/{}", folder, elf.debug_link));
    candidates.push_back(fmt::format("/usr/lib/debug{}/{}", folder, elf.debug_link));
  }
  return candidates;
}

}  // namespace

Result<ObjectFile> read_object(const std::string& openable, const std::string& path,
                               const std::string& root) {
  ObjectFile object;
  object.elf = KINST_TRY(read_elf(openable));
  std::vector<ElfSymbol> symbols = std::exchange(object.elf.symbols, {});
  if (!object.elf.has_full_symbols && !object.elf.build_id.empty()) {
    for (const std::string& candidate : debug_file_candidates(object.elf, path)) {
      // The process's own file system first: a container has other debug files.
      auto debug = read_elf(root + candidate);
      if (!debug && !root.empty()) {
        debug = read_elf(candidate);
      }
      if (debug && debug->build_id == object.elf.build_id) {
        std::ranges::move(debug->symbols, std::back_inserter(symbols));
        object.debug_file = candidate;
        break;
      }
    }
  }
  object.symbols = SymbolTable(std::move(symbols), object.elf.code_sections);
  return object;
}

}  // namespace kinst::user
