// How BTF is laid out (Documentation/bpf/btf.rst of the kernel; the structs are those
// of linux/btf.h). Two readers need it: btf_file.h takes whole files, and
// kernel/memory/struct_layout.h reads one in pieces, up to the structs that it wants.
#pragma once

#include <linux/btf.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace kinst::types {

/// The sections of a file, in bytes from its beginning. They may lie beyond its end.
struct BtfSections {
  std::uint64_t types = 0;
  std::uint64_t types_end = 0;
  std::uint64_t strings = 0;
  std::uint64_t strings_end = 0;
};

/// Nothing if the header is not that of BTF of this machine.
inline std::optional<BtfSections> btf_sections(const btf_header& header) {
  if (header.magic != BTF_MAGIC || header.version != BTF_VERSION ||
      header.hdr_len < sizeof(header)) {
    return std::nullopt;
  }
  BtfSections out{.types = std::uint64_t{header.hdr_len} + header.type_off,
                  .strings = std::uint64_t{header.hdr_len} + header.str_off};
  out.types_end = out.types + header.type_len;
  out.strings_end = out.strings + header.str_len;
  return out;
}

/// BTF_KIND_* of the type.
inline std::uint32_t kind_of(const btf_type& type) {
  return BTF_INFO_KIND(type.info);
}

/// The number of bytes between `type` and the next type; nothing for a kind that is not
/// known, as no type behind it can be found. Inline, since a walk asks this 130,000
/// times.
inline std::optional<std::size_t> trailing_bytes(const btf_type& type) {
  // "struct", as libbpf has functions of some of these names.
  const std::size_t count = BTF_INFO_VLEN(type.info);
  switch (kind_of(type)) {
    case BTF_KIND_INT:
    case BTF_KIND_VAR:
    case BTF_KIND_DECL_TAG:
      return sizeof(std::uint32_t);
    case BTF_KIND_ARRAY:
      return sizeof(struct btf_array);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
      return count * sizeof(btf_member);
    case BTF_KIND_ENUM:
      return count * sizeof(struct btf_enum);
    case BTF_KIND_ENUM64:
      return count * sizeof(struct btf_enum64);
    case BTF_KIND_FUNC_PROTO:
      return count * sizeof(btf_param);
    case BTF_KIND_DATASEC:
      return count * sizeof(btf_var_secinfo);
    case BTF_KIND_PTR:
    case BTF_KIND_FWD:
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_CONST:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_FUNC:
    case BTF_KIND_FLOAT:
    case BTF_KIND_TYPE_TAG:
      return 0;
    default:
      return std::nullopt;
  }
}

/// Where a struct or union has a member.
struct BtfMemberPlace {
  std::uint32_t offset_bits = 0;
  std::uint32_t width_bits = 0;  ///< 0 unless it is a bit-field
};

inline BtfMemberPlace place_of(const btf_type& record, const btf_member& member) {
  // The flag says that the offset's upper byte is a bit-field's width.
  if (BTF_INFO_KFLAG(record.info) == 0) {
    return {.offset_bits = member.offset};
  }
  return {.offset_bits = BTF_MEMBER_BIT_OFFSET(member.offset),
          .width_bits = BTF_MEMBER_BITFIELD_SIZE(member.offset)};
}

}  // namespace kinst::types
