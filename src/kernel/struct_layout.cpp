#include "kernel/struct_layout.h"

#include <linux/btf.h>

#include <algorithm>
#include <cstring>

#include "base/read_file.h"

namespace kinst::kernel {
namespace {

struct Sections {
  std::span<const std::byte> types;
  std::string_view strings;
};

Result<Sections> sections(std::span<const std::byte> btf) {
  btf_header header{};
  if (btf.size() < sizeof(header)) {
    return error("the kernel's type information (BTF) is cut short");
  }
  std::memcpy(&header, btf.data(), sizeof(header));
  const std::uint64_t body =
      btf.size() - std::min<std::size_t>(btf.size(), header.hdr_len);
  if (header.magic != BTF_MAGIC ||
      std::uint64_t{header.type_off} + header.type_len > body ||
      std::uint64_t{header.str_off} + header.str_len > body || header.str_len == 0) {
    return error("the kernel's type information (BTF) cannot be understood");
  }
  const auto strings = btf.subspan(header.hdr_len + header.str_off, header.str_len);
  return Sections{
      .types = btf.subspan(header.hdr_len + header.type_off, header.type_len),
      .strings = std::string_view(reinterpret_cast<const char*>(strings.data()),
                                  strings.size())};
}

std::string_view name_at(std::string_view strings, std::uint32_t offset) {
  if (offset >= strings.size()) {
    return {};
  }
  return strings.substr(offset, strings.find('\0', offset) - offset);
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

StructLayout layout(const btf_type& type, std::span<const std::byte> members,
                    std::string_view strings) {
  StructLayout out{.name = std::string(name_at(strings, type.name_off)),
                   .size_bytes = type.size};
  for (std::size_t at = 0; at + sizeof(btf_member) <= members.size();
       at += sizeof(btf_member)) {
    btf_member member{};
    std::memcpy(&member, members.data() + at, sizeof(member));
    const std::uint32_t bits = BTF_INFO_KFLAG(type.info) != 0
                                   ? BTF_MEMBER_BIT_OFFSET(member.offset)
                                   : member.offset;
    out.members.push_back({.name = std::string(name_at(strings, member.name_off)),
                           .offset_bytes = bits / 8});
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
    std::span<const std::byte> btf, std::span<const std::string_view> names) {
  const Sections parts = KINST_TRY(sections(btf));
  std::vector<StructLayout> out(names.size());
  std::size_t missing = names.size();
  std::span<const std::byte> rest = parts.types;
  while (missing > 0 && rest.size() >= sizeof(btf_type)) {
    btf_type type{};
    std::memcpy(&type, rest.data(), sizeof(type));
    rest = rest.subspan(sizeof(type));
    const std::uint32_t kind = BTF_INFO_KIND(type.info);
    const std::size_t trailing =
        std::min(trailing_bytes(kind, BTF_INFO_VLEN(type.info)), rest.size());
    if (kind == BTF_KIND_STRUCT) {
      const auto wanted =
          std::ranges::find(names, name_at(parts.strings, type.name_off));
      const auto place = static_cast<std::size_t>(wanted - names.begin());
      if (wanted != names.end() && out[place].name.empty()) {
        out[place] = layout(type, rest.first(trailing), parts.strings);
        --missing;
      }
    }
    rest = rest.subspan(trailing);
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
  const std::string btf = KINST_TRY(read_file("/sys/kernel/btf/vmlinux"));
  return parse_struct_layouts(std::as_bytes(std::span(btf)), names);
}

}  // namespace kinst::kernel
