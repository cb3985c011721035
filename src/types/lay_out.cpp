// Lays members out one after the other; `end` is the first bit that is still free.
#include "types/lay_out.h"

#include <algorithm>
#include <limits>

namespace kinst::types {
namespace {

constexpr std::uint64_t bits_per_byte = 8;
constexpr std::uint64_t largest_record_bytes =
    std::numeric_limits<std::uint32_t>::max();

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

struct Extent {
  std::uint64_t size_bits = 0;
  std::uint64_t alignment_bits = bits_per_byte;
};

std::optional<Extent> extent_of(const TypeTable& table, TypeId type) {
  const auto size = table.size_of(type);
  const auto alignment = table.alignment_of(type);
  if (!size || !alignment || *size > largest_record_bytes) {
    return std::nullopt;
  }
  return Extent{*size * bits_per_byte, *alignment * bits_per_byte};
}

// A bit-field may not cross a boundary of its type's units.
std::uint64_t bit_field_place(std::uint64_t end, std::uint32_t width_bits,
                              const Extent& type) {
  const bool crosses = end / type.size_bits != (end + width_bits - 1) / type.size_bits;
  return width_bits == 0 || crosses ? rounded_up(end, type.alignment_bits) : end;
}

}  // namespace

std::optional<Record> lay_out(const TypeTable& table, RecordKind kind, std::string tag,
                              const std::vector<MemberDeclaration>& members) {
  Record record{.kind = kind, .tag = std::move(tag), .is_complete = true};
  std::uint64_t end = 0;
  std::uint64_t largest_end = 0;
  std::uint64_t alignment_bits = bits_per_byte;
  for (const MemberDeclaration& member : members) {
    const auto extent = extent_of(table, member.type);
    if (!extent) {
      return std::nullopt;
    }
    if (kind == RecordKind::Union) {
      end = 0;
    }
    const std::uint32_t width_bits = member.width_bits.value_or(0);
    const std::uint64_t place = member.width_bits
                                    ? bit_field_place(end, width_bits, *extent)
                                    : rounded_up(end, extent->alignment_bits);
    end = place + (member.width_bits ? width_bits : extent->size_bits);
    largest_end = std::max(largest_end, end);
    if (largest_end > largest_record_bytes * bits_per_byte) {
      return std::nullopt;
    }
    if (member.width_bits && member.name.empty()) {
      continue;
    }
    alignment_bits = std::max(alignment_bits, extent->alignment_bits);
    record.members.push_back({.name = member.name,
                              .type = member.type,
                              .offset_bits = place,
                              .width_bits = width_bits});
  }
  record.size_bytes = rounded_up(largest_end, alignment_bits) / bits_per_byte;
  return record;
}

}  // namespace kinst::types
