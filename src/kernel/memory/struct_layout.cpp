#include "kernel/memory/struct_layout.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/system/file_descriptor.h"
#include "base/system/read_file.h"
#include "types/btf_format.h"

namespace kinst::kernel {
namespace {

using types::BtfSections;

tl::unexpected<Error> not_understood() {
  return error("the kernel's type information (BTF) cannot be understood");
}

template <typename Value>
Result<Value> value_at(ChunkCache& btf, std::uint64_t offset) {
  Value out{};
  KINST_CHECK(btf.read(offset, std::as_writable_bytes(std::span(&out, 1))));
  return out;
}

std::string name_at(ChunkCache& btf, const BtfSections& sections,
                    std::uint32_t offset) {
  std::string out;
  for (std::uint64_t at = sections.strings + offset; at < sections.strings_end; ++at) {
    const char letter = std::to_integer<char>(btf.at(at));
    if (letter == '\0') {
      break;
    }
    out += letter;
  }
  return out;
}

// Which of the names stands there, name.size() for none.
std::size_t which_name(ChunkCache& btf, const BtfSections& sections,
                       std::uint32_t offset, std::span<const std::string_view> names) {
  const std::uint64_t at = sections.strings + offset;
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

Result<StructLayout> layout(ChunkCache& btf, const BtfSections& sections,
                            const btf_type& type, std::uint64_t members) {
  StructLayout out{.name = name_at(btf, sections, type.name_off),
                   .size_bytes = type.size};
  for (std::uint32_t i = 0; i < BTF_INFO_VLEN(type.info); ++i) {
    const auto member =
        KINST_TRY(value_at<btf_member>(btf, members + i * sizeof(btf_member)));
    out.members.push_back(
        {.name = name_at(btf, sections, member.name_off),
         .offset_bytes = types::place_of(type, member).offset_bits / 8});
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
  const auto sections = types::btf_sections(KINST_TRY(value_at<btf_header>(btf, 0)));
  if (!sections) {
    return not_understood();
  }
  std::vector<StructLayout> out(names.size());
  std::size_t missing = names.size();
  std::uint64_t at = sections->types;
  while (missing > 0 && at < sections->types_end) {
    const auto type = KINST_TRY(value_at<btf_type>(btf, at));
    const auto trailing = types::trailing_bytes(type);
    if (!trailing) {
      return not_understood();
    }
    at += sizeof(type);
    if (types::kind_of(type) == BTF_KIND_STRUCT) {
      const std::size_t place = which_name(btf, *sections, type.name_off, names);
      if (place < names.size() && out[place].name.empty()) {
        out[place] = KINST_TRY(layout(btf, *sections, type, at));
        --missing;
      }
    }
    at += *trailing;
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
