// From programs and the runtime to what the kernel loads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "bpf/code/program.h"
#include "bpf/code/runtime_object.h"

namespace kinst::bpf {

/// An ld_imm64 that must be given a map's file descriptor before loading.
struct MapUse {
  std::size_t instruction = 0;
  MapId map{};

  bool operator==(const MapUse&) const = default;
};

/// Where a function begins, and which type of the image's BTF it has. The layout is the
/// kernel's struct bpf_func_info.
struct FunctionInfo {
  std::uint32_t instruction = 0;
  std::uint32_t type = 0;

  bool operator==(const FunctionInfo&) const = default;
};

/// One program, complete but for the file descriptors of its maps.
struct ProgramImage {
  std::string name;
  ProgramType type = ProgramType::RawTracepoint;
  std::uint32_t expected_attach_type = 0;
  std::uint32_t attach_btf_id = 0;
  std::uint32_t attach_btf_object = 0;
  std::uint32_t flags = 0;
  std::vector<Instruction> instructions;
  std::vector<MapUse> map_uses;
  std::vector<FunctionInfo> functions;
};

/// What load() takes. The maps are those of the specification, in its order, then the
/// constants of the runtime that are used.
struct Image {
  std::vector<MapSpecification> maps;
  std::vector<std::byte> btf;
  std::vector<ProgramImage> programs;
};

/// Whether a program calls a function that is not its own, so that link() wants the
/// runtime.
bool needs_runtime(const ObjectSpecification& object);

/// Puts behind each program the functions of the runtime that it calls, and those that
/// they call, and resolves calls and maps by name. A function of the program hides one
/// of the runtime of the same name.
/// Errors: a program too large (see assemble), a function or map that is nowhere.
Result<Image> link(const ObjectSpecification& object, const Runtime& runtime);

/// The final instructions with their slots' numbers, as the verifier's log numbers
/// them.
std::string disassemble(const ProgramImage& program);

}  // namespace kinst::bpf
