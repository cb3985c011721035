#include <elf.h>
#include <gtest/gtest.h>
#include <linux/btf.h>

#include <cstring>

#include "isa/isa.h"
#include "kernel/code/live_probes.h"
#include "kernel/code/patched_sites.h"
#include "kernel/memory/core_file.h"
#include "kernel/memory/struct_layout.h"

namespace kinst::kernel {
namespace {

template <typename Value>
void append(std::vector<std::byte>& out, const Value& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

TEST(CoreFile, SegmentsAreTheLoadedOnes) {
  Elf64_Ehdr header{};
  std::memcpy(&header.e_ident[0], ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_type = ET_CORE;
  header.e_phoff = sizeof(header);
  header.e_phnum = 2;
  const Elf64_Phdr note{.p_type = PT_NOTE};
  const Elf64_Phdr load{.p_type = PT_LOAD,
                        .p_offset = 0x1000,
                        .p_vaddr = 0xffffffff81000000,
                        .p_memsz = 0x200000};
  std::vector<std::byte> file;
  append(file, header);
  append(file, note);
  append(file, load);
  EXPECT_EQ(parse_core_headers(file).value().segments,
            (std::vector<CoreSegment>{{.address = KernelAddress{0xffffffff81000000},
                                       .size_bytes = 0x200000,
                                       .file_offset = 0x1000}}));
  file.pop_back();
  EXPECT_EQ(parse_core_headers(file).error().message,
            "the core file's headers are cut short");
  file[1] = std::byte{'X'};
  EXPECT_FALSE(parse_core_headers(file));
}

TEST(PatchedSites, EntriesPointRelativeToThemselves) {
  std::vector<std::byte> table;
  for (const std::int32_t distance : {-0x100, 0x7, -0x80, 0x7}) {
    append(table, distance);
  }
  const KernelAddress address{0xffffffff82000000};
  EXPECT_EQ(relative_addresses({.bytes = table, .address = address}, 8),
            (std::vector<KernelAddress>{KernelAddress{0xffffffff81ffff00},
                                        KernelAddress{0xffffffff81ffff88}}));
}

TEST(PatchedSites, WithinAFunctionAreInOrder) {
  const auto at = [](std::uint64_t address) { return KernelAddress{address}; };
  const PatchedSites all{.jump_labels = {at(0x30), at(0x10), at(0x20), at(0x0f)},
                         .static_calls = {at(0x2f)},
                         .bugs = {at(0x40)}};
  const PatchedSites some = sites_within(all, {.begin = at(0x10), .end = at(0x30)});
  EXPECT_EQ(some.jump_labels, (std::vector<KernelAddress>{at(0x10), at(0x20)}));
  EXPECT_EQ(some.static_calls, (std::vector<KernelAddress>{at(0x2f)}));
  EXPECT_TRUE(some.bugs.empty());
}

TEST(PatchedSites, EntrySizeOfTheBugTableIsWhatMakesItPointIntoText) {
  const KernelAddress address{0xffffffff82000000};
  const KernelAddress text{0xffffffff81000000};
  for (const std::size_t size : {12U, 16U, 8U}) {
    std::vector<std::byte> table(size * 6, std::byte{0x11});
    for (std::size_t i = 0; i < 6; ++i) {
      const auto distance =
          static_cast<std::int32_t>(-0x800000 + static_cast<std::int32_t>(i * 8));
      std::memcpy(table.data() + i * size, &distance, sizeof(distance));
    }
    EXPECT_EQ(bug_entry_bytes({.bytes = table, .address = address}, text, address),
              size);
  }
  EXPECT_EQ(bug_entry_bytes({}, text, address), 0U);
}

std::vector<std::byte> text() {
  std::vector<std::byte> out;
  for (const unsigned value : {0x48, 0x89, 0xe5, 0x41, 0x57, 0x41, 0x56, 0xc3}) {
    out.push_back(static_cast<std::byte>(value));
  }
  return out;
}

constexpr KernelAddress function{0xffffffff81000000};
constexpr std::byte int3{0xcc};

TEST(LiveProbes, BreakpointIsReplacedByTheSavedByte) {
  std::vector<std::byte> probed = text();
  probed[3] = int3;
  const std::vector<LiveProbe> probes = {
      {.address = function + FunctionOffset{3}, .opcode = {std::byte{0x41}}},
      {.address = function + FunctionOffset{100}, .opcode = {std::byte{0x90}}},
      {.address = KernelAddress{number(function) - 1}, .opcode = {std::byte{0x90}}}};
  restore_probed_text(probed, function, probes, isa::x86_64());
  EXPECT_EQ(probed, text());
}

TEST(LiveProbes, JumpOfAnOptimizedProbeIsReplacedAsAWhole) {
  std::vector<std::byte> probed = text();
  probed[0] = std::byte{0xe9};
  for (std::size_t i = 1; i < 5; ++i) {
    probed[i] = std::byte{0x11};
  }
  const std::vector<std::byte> original = text();
  const LiveProbe probe = {.address = function,
                           .opcode = {original[0]},
                           .behind = {original.begin() + 1, original.begin() + 5}};
  restore_probed_text(probed, function, std::span(&probe, 1), isa::x86_64());
  EXPECT_EQ(probed, original);
}

TEST(LiveProbes, ProbeThatIsNotInTheTextChangesNothing) {
  std::vector<std::byte> unprobed = text();
  const std::vector<LiveProbe> probes = {
      {.address = function, .opcode = {std::byte{0x48}}, .behind = {int3, int3}},
      {.address = function + FunctionOffset{3}, .uses_function_tracer = true}};
  restore_probed_text(unprobed, function, probes, isa::x86_64());
  EXPECT_EQ(unprobed, text());
}

TEST(LiveProbes, JumpAtTheEndOfTheTextIsCutShort) {
  std::vector<std::byte> probed = text();
  probed[6] = std::byte{0xe9};
  const LiveProbe probe = {
      .address = function + FunctionOffset{6},
      .opcode = {std::byte{0x56}},
      .behind = {std::byte{0xc3}, std::byte{0x90}, std::byte{0x90}, std::byte{0x90}}};
  restore_probed_text(probed, function, std::span(&probe, 1), isa::x86_64());
  EXPECT_EQ(probed, text());
}

// A BTF blob with an int, struct a { int x; int y; } and struct b { struct a first; }.
std::vector<std::byte> small_btf() {
  const std::string strings = std::string("\0int\0a\0x\0y\0b\0first\0", 19);
  std::vector<std::byte> types;
  append(types, btf_type{.name_off = 1, .info = BTF_KIND_INT << 24, .size = 4});
  append(types, std::uint32_t{32});
  append(types, btf_type{.name_off = 5, .info = BTF_KIND_STRUCT << 24 | 2, .size = 8});
  append(types, btf_member{.name_off = 7, .type = 1, .offset = 0});
  append(types, btf_member{.name_off = 9, .type = 1, .offset = 32});
  append(types, btf_type{.name_off = 11, .info = BTF_KIND_STRUCT << 24 | 1, .size = 8});
  append(types, btf_member{.name_off = 13, .type = 2, .offset = 0});
  std::vector<std::byte> out;
  append(out, btf_header{.magic = BTF_MAGIC,
                         .version = 1,
                         .flags = 0,
                         .hdr_len = sizeof(btf_header),
                         .type_off = 0,
                         .type_len = static_cast<std::uint32_t>(types.size()),
                         .str_off = static_cast<std::uint32_t>(types.size()),
                         .str_len = static_cast<std::uint32_t>(strings.size())});
  out.insert(out.end(), types.begin(), types.end());
  for (const char one : strings) {
    out.push_back(static_cast<std::byte>(one));
  }
  return out;
}

// In small pieces, so that most of what is read lies across their borders.
ChunkCache in_pieces(std::vector<std::byte> blob) {
  return {16,
          [blob = std::move(blob)](std::uint64_t offset,
                                   std::span<std::byte> out) -> Result<void> {
            for (std::size_t i = 0; i < out.size() && offset + i < blob.size(); ++i) {
              out[i] = blob[offset + i];
            }
            return {};
          }};
}

TEST(StructLayout, FindsStructsInTheOrderAskedFor) {
  ChunkCache btf = in_pieces(small_btf());
  constexpr std::array<std::string_view, 2> names = {"b", "a"};
  const auto layouts = parse_struct_layouts(btf, names);
  ASSERT_TRUE(layouts) << layouts.error().message;
  EXPECT_EQ(layouts->at(0).name, "b");
  EXPECT_EQ(layouts->at(1).offset("y"), 4U);
  EXPECT_EQ(layouts->at(1).offset("z"), std::nullopt);
  EXPECT_EQ(layouts->at(1).size_bytes, 8U);
}

TEST(StructLayout, RefusesKindsThatItCannotMeasure) {
  std::vector<std::byte> damaged = small_btf();
  damaged[sizeof(btf_header) + 7] = std::byte{0x1f};  // the first type's kind
  constexpr std::array<std::string_view, 1> names = {"a"};
  ChunkCache btf = in_pieces(damaged);
  EXPECT_EQ(parse_struct_layouts(btf, names).error().message,
            "the kernel's type information (BTF) cannot be understood");
}

// Members in the form that has room for the widths of bit-fields.
TEST(StructLayout, LeavesTheWidthsOfBitFieldsOutOfTheirOffsets) {
  std::vector<std::byte> blob = small_btf();
  const std::size_t type = sizeof(btf_header) + sizeof(btf_type) + 4;
  const btf_type flagged{
      .name_off = 5, .info = 1U << 31U | BTF_KIND_STRUCT << 24 | 2, .size = 8};
  const btf_member wide{.name_off = 9, .type = 1, .offset = 5U << 24U | 32};
  std::memcpy(blob.data() + type, &flagged, sizeof(flagged));
  std::memcpy(blob.data() + type + sizeof(flagged) + sizeof(wide), &wide, sizeof(wide));
  constexpr std::array<std::string_view, 1> names = {"a"};
  ChunkCache btf = in_pieces(blob);
  const auto layouts = parse_struct_layouts(btf, names);
  ASSERT_TRUE(layouts) << layouts.error().message;
  EXPECT_EQ(layouts->at(0).offset("y"), 4U);
}

TEST(StructLayout, SaysWhatIsMissing) {
  constexpr std::array<std::string_view, 1> names = {"c"};
  ChunkCache btf = in_pieces(small_btf());
  EXPECT_EQ(parse_struct_layouts(btf, names).error().message,
            "the kernel's type information (BTF) has no struct c");
  ChunkCache nothing = in_pieces({});
  EXPECT_EQ(parse_struct_layouts(nothing, names).error().message,
            "the kernel's type information (BTF) cannot be understood");
}

}  // namespace
}  // namespace kinst::kernel
