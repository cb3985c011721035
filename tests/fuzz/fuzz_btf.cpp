// Type information as files below /sys/kernel/btf have it.
#include <cstring>
#include <string>

#include "base/system/chunk_cache.h"
#include "fuzz/fuzz.h"
#include "kernel/memory/struct_layout.h"
#include "types/btf_file.h"

using kinst::fuzz::require;
namespace types = kinst::types;

static void look_at(types::BtfFile& file) {
  for (const char* name : {"list", "int", "", "flags", "read_it", "RED"}) {
    for (const types::BtfId id : file.find_types(name)) {
      require(file.type(id) != nullptr && file.name_of(*file.type(id)) == name);
    }
    if (const auto function = file.find_function(name)) {
      require(file.type(*function) != nullptr);
    }
    if (const auto variable = file.find_variable(name)) {
      require(file.section_of(*variable).size() <= 1U << 20U);
    }
    static_cast<void>(file.find_enumerator(name));
  }
  require(file.function_names().size() <= 1U << 20U);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = kinst::fuzz::bytes_of(data, size);
  if (auto file = types::BtfFile::parse(bytes, nullptr, "input")) {
    look_at(**file);
    if (auto module = types::BtfFile::parse(bytes, file->get(), "input")) {
      look_at(**module);
    }
  }
  kinst::ChunkCache cache(
      256, [&](std::uint64_t offset, std::span<std::byte> out) -> kinst::Result<void> {
        if (offset >= bytes.size()) {
          return kinst::error("beyond the end");
        }
        const auto part =
            bytes.subspan(offset, std::min(out.size(), bytes.size() - offset));
        std::ranges::copy(part, out.begin());
        return {};
      });
  constexpr std::string_view names[] = {"list", "flags"};
  static_cast<void>(kinst::kernel::parse_struct_layouts(cache, names));
  return 0;
}
