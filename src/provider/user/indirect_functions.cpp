// The chosen function is searched in memory, not in relocations: the place of
// relocations depends on the kind of program, the words that they leave in memory do
// not.
#include "provider/user/indirect_functions.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/system/file_descriptor.h"

namespace kinst::provider {
namespace {

bool is_code(const user::ElfFile& elf, std::uint64_t address) {
  return std::ranges::any_of(elf.segments, [&](const user::ElfSegment& segment) {
    return segment.is_executable && address - segment.address < segment.file_bytes;
  });
}

// The words of a part of a process's memory; without those that cannot be read.
std::vector<std::uint64_t> read_words(int memory, std::uint64_t begin,
                                      std::uint64_t bytes) {
  // Tables of relocated addresses are small; what is larger is the program's own data.
  constexpr std::uint64_t most_bytes = std::uint64_t{4} << 20U;
  const std::uint64_t skipped = (8 - begin % 8) % 8;
  std::vector<std::uint64_t> words(std::min(bytes, most_bytes) / 8);
  const ssize_t got = pread(memory, words.data(), words.size() * 8,
                            static_cast<off_t>(begin + skipped));
  words.resize(got < 0 ? 0 : static_cast<std::size_t>(got) / 8);
  return words;
}

}  // namespace

bool IndirectFunctions::is_in_data(std::uint64_t address) {
  if (!code_addresses_) {
    code_addresses_.emplace();
    const FileDescriptor memory(open(
        fmt::format("/proc/{}/mem", process_->id()).c_str(), O_RDONLY | O_CLOEXEC));
    for (const user::LoadedObject& object : process_->objects()) {
      const auto& file = process_->file(object);
      const auto bias = process_->bias(object);
      if (!memory || !file || !bias) {
        continue;
      }
      for (const user::ElfSegment& segment : file->elf.segments) {
        if (segment.is_executable) {
          continue;
        }
        for (const std::uint64_t word :
             read_words(memory.get(), segment.address + *bias, segment.file_bytes)) {
          const auto is_text = [&](const user::LoadedObject& one) {
            return word >= one.text->begin && word < one.text->end;
          };
          if (std::ranges::any_of(process_->objects(), is_text)) {
            code_addresses_->push_back(word);
          }
        }
      }
    }
    std::ranges::sort(*code_addresses_);
  }
  return std::ranges::binary_search(*code_addresses_, address);
}

std::vector<const user::ElfSymbol*> IndirectFunctions::implementations(
    const user::LoadedObject& object, const user::ElfSymbol& resolver,
    const ReadCode& read) {
  const auto& file = process_->file(object);
  const auto bias = process_->bias(object);
  const auto code = read(resolver.address, resolver.size_bytes);
  if (!file || !bias || !code) {
    return {};
  }
  std::vector<std::uint64_t> taken;
  for (const isa::Instruction& one :
       isa_->decode(*code, KernelAddress{resolver.address})) {
    const auto address = isa_->address_taken(one);
    if (address && is_code(file->elf, *address) &&
        *address - resolver.address >= resolver.size_bytes) {
      taken.push_back(*address);
    }
  }
  std::ranges::sort(taken);
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  std::vector<std::uint64_t> chosen;
  std::ranges::copy_if(taken, std::back_inserter(chosen), [&](std::uint64_t address) {
    return is_in_data(address + *bias);
  });
  std::vector<const user::ElfSymbol*> symbols;
  for (const std::uint64_t address : chosen.empty() ? taken : chosen) {
    const user::ElfSymbol* named = file->symbols.at(address);
    const bool has_size = named != nullptr && named->address == address;
    symbols.push_back(&found_.emplace_back(
        user::ElfSymbol{.address = address,
                        .size_bytes = has_size ? named->size_bytes : 0,
                        .name = resolver.name,
                        .is_function = true,
                        .binding = resolver.binding}));
  }
  return symbols;
}

}  // namespace kinst::provider
