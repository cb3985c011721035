// A probe: a place that can fire, and how the kernel is to be asked for it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/address.h"
#include "isa/instruction.h"
#include "types/type.h"

namespace kinst::provider {

/// BEGIN, END and ERROR: run by kinst itself.
enum class OwnProbe : std::uint8_t { Begin, End, Error };

/// An instruction of the kernel; the probe key is its address.
struct KernelInstruction {
  KernelAddress address{};   ///< of the instruction, as the program sees R_RIP
  KernelAddress function{};  ///< of the function's first byte
  isa::Instruction instruction;
};

/// profile-N and tick-N.
struct Timer {
  std::uint64_t period_ns = 0;
  bool on_every_cpu = false;  ///< profile; tick fires on one
};

/// Where a probe is. More kinds come with more providers; each has its file here.
using Site = std::variant<OwnProbe, KernelInstruction, Timer>;

/// One probe. Its key, which tells it in records from every other probe of the run, is
/// an instruction's address where the same program serves many instructions; else its
/// id.
struct Probe {
  std::uint32_t id = 0;  ///< stable within a run; BEGIN, END and ERROR are 1, 2 and 3
  std::string provider;
  std::string module;
  std::string function;
  std::string name;
  Site site;
  std::uint64_t key = 0;
};

/// Types of a probe's arguments, for args[] and -lv; empty where they are not known.
struct ProbeArguments {
  std::vector<types::TypeId> types;
  std::vector<std::string> names;
};

}  // namespace kinst::provider
