#include "kernel/memory/struct_layout.h"

#include <fcntl.h>
#include <linux/btf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/system/file_descriptor.h"
#include "base/system/read_file.h"

namespace kinst::kernel {
namespace {

// Offsets in the blob.
struct Sections {
  std::uint64_t types = 0;
  std::uint64_t types_end = 0;
  std::uint64_t strings = 0;
  std::uint64_t strings_end = 0;
};

template <typename Value>
Result<Value> value_at(ChunkCache& btf, std::uint64_t offset) {
  Value out{};
  KINST_CHECK(btf.read(offset, std::as_writable_bytes(std::span(&out, 1))));
  return out;
}

Result<Sections> sections(ChunkCache& btf) {
  const auto header = KINST_TRY(value_at<btf_header>(btf, 0));
  if (header.magic != BTF_MAGIC || header.hdr_len < sizeof(header)) {
    return error("the kernel's type information (BTF) cannot be understood");
  }
  Sections out{.types = std::uint64_t{header.hdr_len} + header.type_off,
               .strings = std::uint64_t{header.hdr_len} + header.str_off};
  out.types_end = out.types + header.type_len;
  out.strings_end = out.strings + header.str_len;
  return out;
}

std::string name_at(ChunkCache& btf, const Sections& parts, std::uint32_t offset) {
  std::string out;
  for (std::uint64_t at = parts.strings + offset; at < parts.strings_end; ++at) {
    const char letter = std::to_integer<char>(btf.at(at));
    if (letter == '\0') {
      break;
    }
    out += letter;
  }
  return out;
}

// Which of the names stands there, name.size() for none.
std::size_t which_name(ChunkCache& btf, const Sections& parts, std::uint32_t offset,
                       std::span<const std::string_view> names) {
  const std::uint64_t at = parts.strings + offset;
  const auto is_there = [&](std::string_view name) {
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (btf.at(at + i) != static_cast<std::byte>(name[i])) {
        return false;
      }
    }
    return btf.at(at + name.size()) == std::byte{};
  };
  return static_cast<std::size_t>(std::ranges::find_if(names, is_there) -
                                  names.begin());
}

// Bytes that follow struct btf_type for each kind.
std::size_t trailing_bytes(std::uint32_t kind, std::uint32_t count) {
  switch (kind) {
    case BTF_KIND_INT:
    case BTF_KIND_VAR:
    case BTF_KIND_DECL_TAG:
      return 4;
    case BTF_KIND_ARRAY:
      return sizeof(btf_array);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
      return count * sizeof(btf_member);
    case BTF_KIND_ENUM:
    case BTF_KIND_FUNC_PROTO:
      return std::size_t{count} * 8;
    case BTF_KIND_DATASEC:
    case BTF_KIND_ENUM64:
      return std::size_t{count} * 12;
    default:
      return 0;
  }
}

Result<StructLayout> layout(ChunkCache& btf, const Sections& parts,
                            const btf_type& type, std::uint64_t members) {
  StructLayout out{.name = name_at(btf, parts, type.name_off), .size_bytes = type.size};
  for (std::uint32_t i = 0; i < BTF_INFO_VLEN(type.info); ++i) {
    const auto member =
        KINST_TRY(value_at<btf_member>(btf, members + i * sizeof(btf_member)));
    const std::uint32_t bits = BTF_INFO_KFLAG(type.info) != 0
                                   ? BTF_MEMBER_BIT_OFFSET(member.offset)
                                   : member.offset;
    out.members.push_back(
        {.name = name_at(btf, parts, member.name_off), .offset_bytes = bits / 8});
  }
  return out;
}

}  // namespace

std::optional<std::uint32_t> StructLayout::offset(std::string_view member) const {
  const auto found = std::ranges::find(members, member, &Member::name);
  if (found == members.end()) {
    return std::nullopt;
  }
  return found->offset_bytes;
}

Result<std::vector<StructLayout>> parse_struct_layouts(
    ChunkCache& btf, std::span<const std::string_view> names) {
  const Sections parts = KINST_TRY(sections(btf));
  std::vector<StructLayout> out(names.size());
  std::size_t missing = names.size();
  std::uint64_t at = parts.types;
  while (missing > 0 && at < parts.types_end) {
    const auto type = KINST_TRY(value_at<btf_type>(btf, at));
    const std::uint32_t kind = BTF_INFO_KIND(type.info);
    at += sizeof(type);
    if (kind == BTF_KIND_STRUCT) {
      const std::size_t place = which_name(btf, parts, type.name_off, names);
      if (place < names.size() && out[place].name.empty()) {
        out[place] = KINST_TRY(layout(btf, parts, type, at));
        --missing;
      }
    }
    at += trailing_bytes(kind, BTF_INFO_VLEN(type.info));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (out[i].name.empty()) {
      return error("the kernel's type information (BTF) has no struct {}", names[i]);
    }
  }
  return out;
}

Result<std::vector<StructLayout>> read_struct_layouts(
    std::span<const std::string_view> names) {
  constexpr std::size_t piece_bytes = 4096;  // the most that sysfs gives at once
  constexpr const char* path = "/sys/kernel/btf/vmlinux";
  const FileDescriptor file(::open(path, O_RDONLY | O_CLOEXEC));
  if (!file) {
    return system_error(fmt::format("read {}", path), errno);
  }
  // The last piece is shorter than the others; zeros behind it are no type.
  ChunkCache btf(piece_bytes,
                 [&](std::uint64_t offset, std::span<std::byte> out) -> Result<void> {
                   KINST_CHECK(read_at(file.get(), offset, out, path));
                   return {};
                 });
  return parse_struct_layouts(btf, names);
}

}  // namespace kinst::kernel
