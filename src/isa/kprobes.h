// What a machine's kernels do with kprobes that its instructions do not tell.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "isa/instruction.h"

namespace kinst::isa {

/// Where struct kprobe has what is read of it: offsets in bytes from its beginning.
struct KprobeLayout {
  std::uint32_t next = 0;
  std::uint32_t address = 0;
  std::uint32_t opcode = 0;
  std::uint32_t flags = 0;
  /// The instructions that an optimized probe's jump has replaced, behind the part that
  /// a breakpoint replaces; nothing for kernels that do not optimize.
  std::optional<std::uint32_t> copied;
};

/// The first two numbers of a kernel's release.
struct KernelRelease {
  unsigned major = 0;
  unsigned minor = 0;

  auto operator<=>(const KernelRelease&) const = default;
};

/// A fault of some kernels: they take a probe at an instruction and then emulate the
/// instruction wrongly.
struct EmulationFault {
  /// Why the instruction cannot be traced there, as Isa::unprobeable_reason has it.
  std::string_view reason;
  bool (*concerns)(const Instruction& instruction);
  /// The kernel's function that emulates the instruction. Kernels that lack it execute
  /// the instruction itself, which is right.
  std::string_view emulator;
  /// A kernel function that never had the fault, for comparison.
  std::string_view comparison;
  /// Whether the kernel lacks the fault, to be seen in the code of the two functions;
  /// nothing if the code does not show it.
  std::optional<bool> (*is_right)(std::span<const std::byte> emulator,
                                  std::span<const std::byte> comparison);
  /// The first release without the fault, for kernels whose code does not show it.
  KernelRelease right_since;
};

}  // namespace kinst::isa
