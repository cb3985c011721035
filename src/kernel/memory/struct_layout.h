// Where the members of a few of the kernel's own structs are, for reading its tables.
// This reads only as much of the kernel's type information as the wanted structs need,
// so that it costs no start-up time. Full C types are the subject of src/types.
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
