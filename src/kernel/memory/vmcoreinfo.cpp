#include "kernel/memory/vmcoreinfo.h"

#include <elf.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
namespace kinst::kernel {
namespace {

constexpr std::size_t padded(std::size_t size) {
  return (size + 3) / 4 * 4;
}

}  // namespace

// Source: elf(5), notes; fs/proc/kcore.c writes those of processes first.
std::optional<std::string> find_vmcoreinfo(std::span<const std::byte> notes) {
  constexpr std::string_view wanted("VMCOREINFO\0", 11);
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr header{};
    std::memcpy(&header, notes.data(), sizeof(header));
    notes = notes.subspan(sizeof(header));
    const std::size_t name_bytes = padded(header.n_namesz);
    const std::size_t bytes = padded(header.n_descsz);
    if (notes.size() < name_bytes || notes.size() - name_bytes < header.n_descsz) {
      return std::nullopt;
    }
    const std::string_view name(reinterpret_cast<const char*>(notes.data()),
                                header.n_namesz);
    if (name == wanted) {
      return std::string(reinterpret_cast<const char*>(notes.data()) + name_bytes,
                         header.n_descsz);
    }
    notes = notes.subspan(std::min(notes.size(), name_bytes + bytes));
  }
  return std::nullopt;
}

std::optional<KernelAddress> vmcoreinfo_symbol(std::string_view vmcoreinfo,
                                               std::string_view name) {
  while (!vmcoreinfo.empty()) {
    const std::size_t end = std::min(vmcoreinfo.find('\n'), vmcoreinfo.size());
    std::string_view line = vmcoreinfo.substr(0, end);
    vmcoreinfo.remove_prefix(std::min(end + 1, vmcoreinfo.size()));
    constexpr std::string_view begin = "SYMBOL(";
    if (!line.starts_with(begin) || !line.substr(begin.size()).starts_with(name)) {
      continue;
    }
    line.remove_prefix(begin.size() + name.size());
    if (!line.starts_with(")=")) {
      continue;
    }
    line.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [rest, problem] =
        std::from_chars(line.data(), line.data() + line.size(), value, 16);
    if (problem == std::errc{} && rest == line.data() + line.size()) {
      return KernelAddress{value};
    }
  }
  return std::nullopt;
}

Result<std::string> read_vmcoreinfo(const CoreFile& file) {
  const auto found = find_vmcoreinfo(KINST_TRY(file.notes()));
  if (!found) {
    return error("/proc/kcore has no note VMCOREINFO");
  }
  return *found;
}

}  // namespace kinst::kernel
