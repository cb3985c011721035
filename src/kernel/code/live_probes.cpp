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

// Where the kernel has what we read; offsets in bytes from the kprobe.
struct Layout {
  std::uint32_t next = 0;
  std::uint32_t address = 0;
  std::uint32_t opcode = 0;
  std::uint32_t flags = 0;
  std::optional<std::uint32_t> copied;  ///< unless kernels do not optimize
  bool is_supposed = false;             ///< not told by the kernel
};

// For kernels without type information: x86-64's since Linux 5.14, up to 7.2.
constexpr Layout supposed = {.next = 0,
                             .address = 40,
                             .opcode = 80,
                             .flags = 120,
                             .copied = 144,
                             .is_supposed = true};

Result<Layout> read_layout() {
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
  Layout out{.next = *next, .address = *address, .opcode = *opcode, .flags = *flags};
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
                             const Layout& layout) {
  constexpr std::size_t copied_bytes = 4;  // what a jump's operand takes
  const auto at = [&](std::uint32_t offset) { return probe + FunctionOffset{offset}; };
  const auto address = KINST_TRY(read_value<KernelAddress>(memory, at(layout.address)));
  const auto flags = KINST_TRY(read_value<std::uint32_t>(memory, at(layout.flags)));
  LiveProbe out{.address = address,
                .opcode = KINST_TRY(read_value<std::byte>(memory, at(layout.opcode))),
                .uses_function_tracer = (flags & flag_ftrace) != 0};
  if ((flags & flag_optimized) != 0 && layout.copied) {
    out.behind = KINST_TRY(memory.bytes(at(*layout.copied), copied_bytes));
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

// Whether a probe that was read by an assumed layout is believed: the text must have a
// breakpoint in its place (or, for an optimized probe, a jump), and the saved byte must
// be another one. All other probes are ignored.
bool is_credible(const Memory& memory, const LiveProbe& probe, std::byte breakpoint) {
  const auto live = read_value<std::byte>(memory, probe.address);
  if (!live || probe.uses_function_tracer || probe.opcode == *live ||
      probe.opcode == breakpoint) {
    return false;
  }
  return *live == breakpoint || !probe.behind.empty();
}

}  // namespace

Result<std::vector<LiveProbe>> read_live_probes(const Memory& memory,
                                                const Symbols& symbols,
                                                std::byte breakpoint) {
  std::vector<LiveProbe> out;
  const std::optional<KernelAddress> table = symbols.address_of("kprobe_table");
  if (!table) {
    return out;
  }
  const auto nodes = KINST_TRY(probe_nodes(memory, *table));
  if (nodes.empty()) {
    return out;  // most often, and then there is no need to know struct kprobe
  }
  const Layout layout = read_layout().value_or(supposed);
  for (const KernelAddress node : nodes) {
    const auto probe =
        read_probe(memory, KernelAddress{number(node) - layout.next}, layout);
    if (!probe && !layout.is_supposed) {
      return tl::unexpected(probe.error());
    }
    if (probe && (!layout.is_supposed || is_credible(memory, *probe, breakpoint))) {
      out.push_back(*probe);
    }
  }
  return out;
}

void restore_probed_text(std::span<std::byte> text, KernelAddress address,
                         std::span<const LiveProbe> probes, std::byte breakpoint) {
  for (const LiveProbe& probe : probes) {
    const std::uint64_t at = number(probe.address - address);
    if (probe.address < address || at >= text.size() || probe.uses_function_tracer ||
        text[at] == probe.opcode) {
      continue;
    }
    const bool is_jump = text[at] != breakpoint;
    text[at] = probe.opcode;
    if (is_jump) {
      const std::size_t room = text.size() - at - 1;
      std::ranges::copy_n(
          probe.behind.begin(),
          static_cast<std::ptrdiff_t>(std::min(room, probe.behind.size())),
          text.subspan(at + 1).begin());
    }
  }
}

}  // namespace kinst::kernel
