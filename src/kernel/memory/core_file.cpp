// An ELF core file made up by the kernel, whose segments map file offsets
// to kernel addresses. fs/proc/kcore.c: reading what is not mapped gives zeros, and the
// whole range that modules can be loaded to is one segment, so modules that are loaded
// later are found as well.
#include "kernel/memory/core_file.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/system/lockdown.h"
#include "base/system/read_file.h"

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

// All of it. Errors name what was to be read.
Result<void> read_whole(int file, std::uint64_t offset, std::span<std::byte> out,
                        std::string_view what) {
  if (KINST_TRY(read_at(file, offset, out, what)) < out.size()) {
    return system_error(fmt::format("read {}", what), EFAULT);
  }
  return {};
}

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

Result<CoreHeaders> parse_core_headers(std::span<const std::byte> beginning) {
  const auto header = KINST_TRY(header_at<Elf64_Ehdr>(beginning, 0));
  if (std::memcmp(&header.e_ident[0], ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_CORE) {
    return error("the kernel's memory image is no 64-bit core file");
  }
  CoreHeaders out;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = KINST_TRY(
        header_at<Elf64_Phdr>(beginning, header.e_phoff + i * sizeof(Elf64_Phdr)));
    if (segment.p_type == PT_LOAD) {
      out.segments.push_back({.address = KernelAddress{segment.p_vaddr},
                              .size_bytes = segment.p_memsz,
                              .file_offset = segment.p_offset});
    } else if (segment.p_type == PT_NOTE) {
      out.notes_offset = segment.p_offset;
      out.notes_bytes = segment.p_filesz;
    }
  }
  return out;
}

Result<std::unique_ptr<CoreFile>> CoreFile::open() {
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
  auto headers =
      parse_core_headers(std::span(beginning).first(static_cast<std::size_t>(got)));
  if (!headers) {
    return tl::unexpected(
        in_context("cannot read the kernel's text from /proc/kcore", headers.error()));
  }
  return std::make_unique<CoreFile>(std::move(file), *std::move(headers));
}

Result<void> CoreFile::read(KernelAddress address, std::span<std::byte> out) const {
  const auto segment =
      std::ranges::find_if(headers_.segments, [&](const CoreSegment& one) {
        return address >= one.address &&
               number(address - one.address) < one.size_bytes &&
               out.size() <= one.size_bytes - number(address - one.address);
      });
  if (segment == headers_.segments.end()) {
    return error("cannot read kernel memory at {:#x}: not mapped", number(address));
  }
  return read_whole(file_.get(),
                    segment->file_offset + number(address - segment->address), out,
                    fmt::format("kernel memory at {:#x}", number(address)));
}

Result<std::vector<std::byte>> CoreFile::notes() const {
  constexpr std::uint64_t most = std::uint64_t{1} << 20U;
  std::vector<std::byte> out(std::min(headers_.notes_bytes, most));
  KINST_CHECK(
      read_whole(file_.get(), headers_.notes_offset, out, "the notes of /proc/kcore"));
  return out;
}

}  // namespace kinst::kernel
