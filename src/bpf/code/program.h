// BPF programs before linking, as plain data. The code generator makes them, they can
// be printed and compared, and link() turns them into the form that the kernel loads.
#pragma once

#include <linux/bpf.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "bpf/code/bpf_instruction.h"

namespace kinst::bpf {

/// The kinds of maps used here; the numbers are the kernel's.
enum class MapType : std::uint32_t {
  Hash = BPF_MAP_TYPE_HASH,
  Array = BPF_MAP_TYPE_ARRAY,
  PerCpuHash = BPF_MAP_TYPE_PERCPU_HASH,
  PerCpuArray = BPF_MAP_TYPE_PERCPU_ARRAY,
  RingBuffer = BPF_MAP_TYPE_RINGBUF,
};

/// Which element of ObjectSpecification::maps.
enum class MapId : std::uint32_t {};

/// A map wanted. The runtime finds it by its name.
struct MapSpecification {
  std::string name;
  MapType type = MapType::Array;
  std::uint32_t key_size = sizeof(std::uint32_t);  ///< bytes; 0 for a ring buffer
  std::uint32_t value_size = 0;                    ///< bytes; 0 for a ring buffer
  std::uint32_t max_entries = 1;  ///< for a ring buffer its size: pages, a power of two
  std::uint32_t flags = 0;        ///< BPF_F_*
  /// What an array's elements hold at first, one after the other; may be shorter.
  std::vector<std::byte> contents;
  /// No program and no system call may write it after it got its contents. With
  /// BPF_F_RDONLY_PROG the verifier then knows the values.
  bool frozen = false;

  bool operator==(const MapSpecification&) const = default;
};

/// A place in one function, made by FunctionBuilder::label.
enum class Label : std::uint32_t {};

struct LabelDefinition {
  Label label{};
  bool operator==(const LabelDefinition&) const = default;
};
/// A jump whose offset the linker fills in.
struct JumpToLabel {
  Instruction jump;
  Label target{};
  bool operator==(const JumpToLabel&) const = default;
};
/// A call of another function of the Program, else of the runtime's, with R1–R5.
struct CallFunction {
  std::string name;
  bool operator==(const CallFunction&) const = default;
};
/// The map itself, as helpers take it.
struct LoadMap {
  Register destination{};
  MapId map{};
  bool operator==(const LoadMap&) const = default;
};
/// The address of an array map's first element, plus `offset` bytes: no lookup, no
/// null check. Plain arrays only, not per-CPU ones.
struct LoadMapValue {
  Register destination{};
  MapId map{};
  std::uint32_t offset = 0;
  bool operator==(const LoadMapValue&) const = default;
};
/// A constant that needs all 64 bits.
struct LoadConstant {
  Register destination{};
  std::uint64_t value = 0;
  bool operator==(const LoadConstant&) const = default;
};
struct Comment {
  std::string text;
  bool operator==(const Comment&) const = default;
};

using Item = std::variant<Instruction, LabelDefinition, JumpToLabel, CallFunction,
                          LoadMap, LoadMapValue, LoadConstant, Comment>;

struct Function {
  std::string name;  ///< a C identifier
  std::vector<Item> items;

  bool operator==(const Function&) const = default;
};

enum class ProgramType : std::uint32_t {
  Kprobe = BPF_PROG_TYPE_KPROBE,  ///< and uprobes; the context is a pt_regs
  Tracepoint = BPF_PROG_TYPE_TRACEPOINT,
  PerfEvent = BPF_PROG_TYPE_PERF_EVENT,
  RawTracepoint = BPF_PROG_TYPE_RAW_TRACEPOINT,  ///< the context is an array of u64
  Tracing = BPF_PROG_TYPE_TRACING,               ///< fentry, fexit: array of u64
};

/// One program: what the kernel runs at a group of probes. functions[0] is where it
/// begins, with the context in R1; the others are its subprograms, each verified in the
/// context of its calls, so that pointers may be passed.
struct Program {
  std::string name;
  ProgramType type = ProgramType::RawTracepoint;
  std::uint32_t expected_attach_type = 0;  ///< BPF_TRACE_*; 0 where the type has none
  std::uint32_t attach_btf_id = 0;         ///< of the kernel function, for Tracing
  std::uint32_t attach_btf_object = 0;     ///< fd of the module's BTF; 0: vmlinux
  std::uint32_t flags = 0;                 ///< BPF_F_SLEEPABLE
  std::vector<Function> functions;

  bool operator==(const Program&) const = default;
};

/// Everything that is loaded for one run: programs, and the maps that they share.
struct ObjectSpecification {
  std::vector<MapSpecification> maps;
  std::vector<Program> programs;

  /// Adds a map and gives the number by which instructions name it.
  MapId add_map(MapSpecification map) {
    maps.push_back(std::move(map));
    return MapId{static_cast<std::uint32_t>(maps.size() - 1)};
  }
};

/// One instruction as the kernel's verifier prints it: "r1 = *(u64 *)(r10 - 8)".
std::string disassemble(const Instruction& instruction);

/// A program as text, for -S: labels, comments, and maps by their names.
std::string dump(const Program& program, const std::vector<MapSpecification>& maps);

}  // namespace kinst::bpf
