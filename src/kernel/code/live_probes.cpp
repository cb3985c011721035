#include "kernel/code/live_probes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "kernel/memory/struct_layout.h"

namespace kinst::kernel {
namespace {

// include/linux/kprobes.h
constexpr std::uint32_t flag_optimized = 4;
constexpr std::uint32_t flag_ftrace = 8;

Result<isa::KprobeLayout> read_layout() {
  constexpr std::array<std::string_view, 1> plain = {"kprobe"};
  constexpr std::array<std::string_view, 3> optimizing = {"kprobe", "optimized_kprobe",
                                                          "arch_optimized_insn"};
  // Without CONFIG_OPTPROBES the kernel lacks the other two structs.
  const auto all = read_struct_layouts(optimizing);
  const auto layouts = all ? *all : KINST_TRY(read_struct_layouts(plain));
  const StructLayout& kprobe = layouts.front();
  const auto next = kprobe.offset("hlist");
  const auto address = kprobe.offset("addr");
  const auto opcode = kprobe.offset("opcode");
  const auto flags = kprobe.offset("flags");
  if (!next || !address || !opcode || !flags) {
    return error("cannot tell where struct kprobe has its address and opcode");
  }
  isa::KprobeLayout out{
      .next = *next, .address = *address, .opcode = *opcode, .flags = *flags};
  if (layouts.size() == optimizing.size()) {
    const auto instruction = layouts[1].offset("optinsn");
    const auto copied = layouts[2].offset("copied_insn");
    if (instruction && copied) {
      out.copied = *instruction + *copied;
    }
  }
  return out;
}

Result<LiveProbe> read_probe(const Memory& memory, KernelAddress probe,
                             const isa::KprobeLayout& layout, const isa::Isa& isa) {
  const auto at = [&](std::uint32_t offset) { return probe + FunctionOffset{offset}; };
  const std::size_t breakpoint_bytes = isa.probe_breakpoint.size();
  const auto address = KINST_TRY(read_value<KernelAddress>(memory, at(layout.address)));
  const auto flags = KINST_TRY(read_value<std::uint32_t>(memory, at(layout.flags)));
  LiveProbe out{.address = address,
                .opcode = KINST_TRY(memory.bytes(at(layout.opcode), breakpoint_bytes)),
                .uses_function_tracer = (flags & flag_ftrace) != 0};
  if ((flags & flag_optimized) != 0 && layout.copied &&
      isa.optimized_probe_bytes > breakpoint_bytes) {
    out.behind = KINST_TRY(
        memory.bytes(at(*layout.copied), isa.optimized_probe_bytes - breakpoint_bytes));
  }
  return out;
}

Result<void> follow_chain(const Memory& memory, KernelAddress node,
                          std::vector<KernelAddress>& out) {
  constexpr std::size_t most_probes = 1'000'000;  // a chain that changes may not end
  while (node != KernelAddress{} && out.size() < most_probes) {
    out.push_back(node);
    node = KINST_TRY(read_value<KernelAddress>(memory, node));
  }
  return {};
}

// The nodes of the hash table's chains.
Result<std::vector<KernelAddress>> probe_nodes(const Memory& memory,
                                               KernelAddress table) {
  constexpr std::size_t buckets = 64;  // KPROBE_HASH_BITS is 6
  const auto heads =
      KINST_TRY((read_value<std::array<KernelAddress, buckets>>(memory, table)));
  std::vector<KernelAddress> out;
  for (const KernelAddress head : heads) {
    KINST_CHECK(follow_chain(memory, head, out));
  }
  return out;
}

bool begins_with(std::span<const std::byte> text, std::span<const std::byte> bytes) {
  return text.size() >= bytes.size() &&
         std::ranges::equal(text.first(bytes.size()), bytes);
}

// Whether a probe that was read by an assumed layout is believed: the text must have a
// breakpoint in its place (or, for an optimized probe, a jump), and the saved bytes
// must be others. All other probes are ignored.
bool is_credible(const Memory& memory, const LiveProbe& probe, const isa::Isa& isa) {
  const auto live = memory.bytes(probe.address, isa.probe_breakpoint.size());
  if (!live || probe.uses_function_tracer || probe.opcode == *live ||
      begins_with(probe.opcode, isa.probe_breakpoint)) {
    return false;
  }
  return begins_with(*live, isa.probe_breakpoint) || !probe.behind.empty();
}

// Copies as many of the bytes as there is room for. Returns how many.
std::size_t put(std::span<const std::byte> bytes, std::span<std::byte> text) {
  const std::size_t count = std::min(bytes.size(), text.size());
  std::ranges::copy(bytes.first(count), text.begin());
  return count;
}

}  // namespace

Result<std::vector<LiveProbe>> read_live_probes(const Memory& memory,
                                                const Symbols& symbols,
                                                const isa::Isa& isa) {
  std::vector<LiveProbe> out;
  const std::optional<KernelAddress> table = symbols.address_of("kprobe_table");
  if (!table) {
    return out;
  }
  const auto nodes = KINST_TRY(probe_nodes(memory, *table));
  if (nodes.empty()) {
    return out;  // most often, and then there is no need to know struct kprobe
  }
  const auto told = read_layout();
  if (!told && !isa.kprobe_layout) {
    return out;
  }
  const isa::KprobeLayout layout = told ? *told : *isa.kprobe_layout;
  for (const KernelAddress node : nodes) {
    const auto probe =
        read_probe(memory, KernelAddress{number(node) - layout.next}, layout, isa);
    if (!probe && told) {
      return tl::unexpected(probe.error());
    }
    if (probe && (told || is_credible(memory, *probe, isa))) {
      out.push_back(*probe);
    }
  }
  return out;
}

void restore_probed_text(std::span<std::byte> text, KernelAddress address,
                         std::span<const LiveProbe> probes, const isa::Isa& isa) {
  for (const LiveProbe& probe : probes) {
    const std::uint64_t at = number(probe.address - address);
    if (probe.address < address || at >= text.size() || probe.uses_function_tracer ||
        begins_with(text.subspan(at), probe.opcode)) {
      continue;
    }
    const auto place = text.subspan(at);
    const bool is_jump = !begins_with(place, isa.probe_breakpoint);
    const std::size_t done = put(probe.opcode, place);
    if (is_jump) {
      put(probe.behind, place.subspan(done));
    }
  }
}

}  // namespace kinst::kernel
