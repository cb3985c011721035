#include "kernel/debug/debug_information_text.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/system/file_descriptor.h"
#include "kernel/debug/debug_information_handle.h"

namespace kinst::kernel {
namespace {

struct EndElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};

// Loaded segments; of those the first is the kernel's own, which begins at _text.
Result<std::vector<ImageSegment>> segments_of(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    return system_error(fmt::format("open {}", path), errno);
  }
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, EndElf> elf(elf_begin(file.get(), ELF_C_READ, nullptr));
  std::size_t count = 0;
  if (elf == nullptr || elf_getphdrnum(elf.get(), &count) != 0) {
    return error("cannot read {}: {}", path, elf_errmsg(-1));
  }
  std::vector<ImageSegment> out;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header{};
    if (gelf_getphdr(elf.get(), static_cast<int>(i), &header) != nullptr &&
        header.p_type == PT_LOAD) {
      out.push_back({.address = header.p_vaddr,
                     .size_bytes = header.p_filesz,
                     .file_offset = header.p_offset});
    }
  }
  if (out.empty()) {
    return error("{} has no loaded segments", path);
  }
  return out;
}

}  // namespace

Result<ImageText> ImageText::open_file(std::string path, KernelAddress address) {
  ImageText out;
  out.segments_ = KINST_TRY(segments_of(path));
  out.displacement_ = number(address) - out.segments_.front().address;
  out.path_ = std::move(path);
  return out;
}

Result<ImageText> ImageText::open(const Symbols& symbols) {
  const std::string path = find_kernel_file();
  if (path.empty()) {
    return error("there is no uncompressed image of the running kernel");
  }
  const auto address = symbols.address_of("_text");
  if (!address) {
    return error("cannot find where the kernel is in memory");
  }
  if (file_build_id(path) != running_build_id(kernel_module)) {
    return error("{} is of another build than the running kernel", path);
  }
  return open_file(path, *address);
}

Result<std::vector<std::byte>> ImageText::bytes(KernelAddress address,
                                                std::size_t size_bytes) const {
  const std::uint64_t linked = number(address) - displacement_;
  const auto segment = std::ranges::find_if(segments_, [&](const ImageSegment& one) {
    return one.address <= linked && linked - one.address < one.size_bytes &&
           size_bytes <= one.size_bytes - (linked - one.address);
  });
  if (segment == segments_.end()) {
    return error("{} has nothing for {:#x}", path_, number(address));
  }
  const FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  std::vector<std::byte> out(size_bytes);
  const auto place =
      static_cast<off_t>(segment->file_offset + (linked - segment->address));
  if (!file || pread(file.get(), out.data(), out.size(), place) !=
                   static_cast<ssize_t>(out.size())) {
    return system_error(fmt::format("read {}", path_), errno);
  }
  return out;
}

}  // namespace kinst::kernel
