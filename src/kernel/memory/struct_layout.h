// Where the members of a few of the kernel's own structs are, for reading its tables.
//
// Not by types::BtfFile, which takes the whole file, 5 MB and 130,000 types: each start
// of a kernel with modules asks for two structs that stand in the first 70 KB of them.
// How BTF is encoded is in types/btf_format.h for both.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/system/chunk_cache.h"

namespace kinst::kernel {

/// One struct.
struct StructLayout {
  struct Member {
    std::string name;
    std::uint32_t offset_bytes = 0;
  };
  std::string name;
  std::uint32_t size_bytes = 0;
  std::vector<Member> members;

  /// The member's offset in bytes.
  [[nodiscard]] std::optional<std::uint32_t> offset(std::string_view member) const;
};

/// The layouts of the structs of these names, in the same order.
/// btf: a BTF blob, as /sys/kernel/btf/vmlinux is, of which no more is read than up to
/// where the last of the structs stands.
/// Errors: no BTF; a struct is missing.
/// Source: Documentation/bpf/btf.rst.
Result<std::vector<StructLayout>> parse_struct_layouts(
    ChunkCache& btf, std::span<const std::string_view> names);

/// The same of this kernel.
Result<std::vector<StructLayout>> read_struct_layouts(
    std::span<const std::string_view> names);

}  // namespace kinst::kernel
