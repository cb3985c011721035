// /proc/kcore: an ELF core file made up by the kernel, whose segments map files offsets
// to kernel addresses. fs/proc/kcore.c: reading what is not mapped gives zeros, and the
// whole range that modules can be loaded to is one segment, so modules that are loaded
// later are found as well.
#include "kernel/memory.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/lockdown.h"

namespace kinst::kernel {
namespace {

template <typename Header>
Result<Header> header_at(std::span<const std::byte> file, std::size_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(Header)) {
    return error("the core file's headers are cut short");
  }
  Header out{};
  std::memcpy(&out, file.data() + offset, sizeof(out));
  return out;
}

class CoreFile final : public Memory {
 public:
  CoreFile(FileDescriptor file, std::vector<CoreSegment> segments)
      : file_(std::move(file)), segments_(std::move(segments)) {}

  [[nodiscard]] Result<void> read(KernelAddress address,
                                  std::span<std::byte> out) const override {
    const auto segment = std::ranges::find_if(segments_, [&](const CoreSegment& one) {
      return address >= one.address && number(address - one.address) < one.size_bytes &&
             out.size() <= one.size_bytes - number(address - one.address);
    });
    if (segment == segments_.end()) {
      return error("cannot read kernel memory at {:#x}: not mapped", number(address));
    }
    const std::uint64_t offset =
        segment->file_offset + number(address - segment->address);
    std::size_t done = 0;
    while (done < out.size()) {
      const ssize_t got = ::pread(file_.get(), out.data() + done, out.size() - done,
                                  static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) {
        continue;
      }
      if (got <= 0) {
        return system_error(fmt::format("read kernel memory at {:#x}", number(address)),
                            got == 0 ? EFAULT : errno);
      }
      done += static_cast<std::size_t>(got);
    }
    return {};
  }

 private:
  FileDescriptor file_;
  std::vector<CoreSegment> segments_;
};

Error cannot_open(int number) {
  const std::string_view act = "cannot read the kernel's text";
  switch (number) {
    case ENOENT:
      return Error{fmt::format(
          "{}: this kernel has no /proc/kcore (CONFIG_PROC_KCORE); --vm traces the "
          "kernel of a guest instead",
          act)};
    case EACCES:
      return Error{fmt::format("{}: /proc/kcore needs root", act)};
    case EPERM: {
      const std::string lockdown = explain_lockdown();
      return Error{fmt::format(
          "{}: {}", act,
          lockdown.empty()
              ? "/proc/kcore needs CAP_SYS_RAWIO, and a kernel that is not locked down "
                "(see /sys/kernel/security/lockdown)"
              : lockdown)};
    }
    default:
      return Error{fmt::format("{}: /proc/kcore: {}", act, ::strerrordesc_np(number))};
  }
}

}  // namespace

Result<std::vector<std::byte>> Memory::bytes(KernelAddress address,
                                             std::size_t size_bytes) const {
  std::vector<std::byte> out(size_bytes);
  KINST_CHECK(read(address, out));
  return out;
}

Result<std::vector<CoreSegment>> parse_core_segments(
    std::span<const std::byte> beginning) {
  const auto header = KINST_TRY(header_at<Elf64_Ehdr>(beginning, 0));
  if (std::memcmp(&header.e_ident[0], ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_CORE) {
    return error("the kernel's memory image is no 64-bit core file");
  }
  std::vector<CoreSegment> out;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = KINST_TRY(
        header_at<Elf64_Phdr>(beginning, header.e_phoff + i * sizeof(Elf64_Phdr)));
    if (segment.p_type == PT_LOAD) {
      out.push_back({.address = KernelAddress{segment.p_vaddr},
                     .size_bytes = segment.p_memsz,
                     .file_offset = segment.p_offset});
    }
  }
  return out;
}

Result<std::unique_ptr<Memory>> open_live_memory() {
  FileDescriptor file(::open("/proc/kcore", O_RDONLY | O_CLOEXEC));
  if (!file) {
    return tl::unexpected(cannot_open(errno));
  }
  // Enough for some hundred segments; a machine has about ten.
  std::array<std::byte, 16384> beginning{};
  const ssize_t got = ::pread(file.get(), beginning.data(), beginning.size(), 0);
  if (got < 0) {
    return tl::unexpected(cannot_open(errno));
  }
  auto segments =
      parse_core_segments(std::span(beginning).first(static_cast<std::size_t>(got)));
  if (!segments) {
    return tl::unexpected(
        in_context("cannot read the kernel's text from /proc/kcore", segments.error()));
  }
  return std::make_unique<CoreFile>(std::move(file), *std::move(segments));
}

}  // namespace kinst::kernel
