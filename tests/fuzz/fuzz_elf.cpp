// Programs and libraries that any user may write: their segments, symbols, build id,
// debug link, and where their call frame information is.
#include <cstdlib>

#include "fuzz/fuzz.h"
#include "unwind/call_frames.h"
#include "user/elf_file.h"
#include "user/symbol_table.h"

using kinst::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = kinst::fuzz::bytes_of(data, size);
  const kinst::user::ObjectBytes image({bytes.begin(), bytes.end()}, "input");
  auto file = kinst::user::read_elf(image);
  if (!file) {
    return 0;
  }
  require(file->debug_link.find('/') == std::string::npos && file->debug_link != "..");
  require(file->build_id.size() <= 2 * kinst::user::ElfLimits::build_id_bytes);
  require(file->segments.size() <= kinst::user::ElfLimits::segments);
  for (const kinst::user::ElfSymbol& symbol : file->symbols) {
    require(!symbol.name.empty() && symbol.name.find('\0') == std::string::npos);
  }
  const auto& place = file->call_frames;
  require(image.has(place.file_offset, place.size_bytes));
  const kinst::user::SymbolTable table(std::move(file->symbols));
  std::uint64_t before = 0;
  for (const kinst::user::ElfSymbol& symbol : table.all()) {
    require(symbol.address >= before);
    before = symbol.address;
    const kinst::user::ElfSymbol* found = table.at(symbol.address);
    require(found == nullptr || found->address <= symbol.address);
  }
  require(table.functions("*a*").size() <= table.all().size());
  kinst::user::read_call_frames(
      {.address = place.address,
       .bytes = image.bytes(place.file_offset, place.size_bytes)},
      {.stack_pointer = 7, .frame_pointer = 6});
  return 0;
}
