// Each program is linked by itself: its functions and the runtime's that it needs are
// laid out one after the other, the entry first, then every name becomes a distance
// between instructions or the number of a map.
#include "bpf/code/link.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "bpf/code/assemble.h"
#include "bpf/code/function_types.h"

namespace kinst::bpf {
namespace {

bool names_function(const Reference& reference) {
  return reference.kind == Reference::Kind::Call ||
         reference.kind == Reference::Kind::FunctionAddress;
}

const AssembledFunction* find(const std::vector<AssembledFunction>& functions,
                              const std::string& name) {
  const auto found = std::ranges::find(functions, name, &AssembledFunction::name);
  return found == functions.end() ? nullptr : &*found;
}

/// The program's functions and, behind them, all of the runtime's that they come to
/// call. Functions that nothing calls are left out, as the verifier refuses them.
Result<std::vector<AssembledFunction>> gather(const Program& program,
                                              const std::vector<AssembledFunction>& own,
                                              const Runtime& runtime) {
  std::vector<AssembledFunction> gathered = {own.front()};
  for (std::size_t i = 0; i < gathered.size(); ++i) {
    const std::vector<Reference> references = gathered[i].references;
    for (const Reference& reference : references) {
      if (!names_function(reference) || find(gathered, reference.name) != nullptr) {
        continue;
      }
      const AssembledFunction* callee = find(own, reference.name);
      if (callee == nullptr) {
        callee = find(runtime.functions, reference.name);
      }
      if (callee == nullptr) {
        return error("internal: BPF program {} calls {}, which is nowhere",
                     program.name, reference.name);
      }
      gathered.push_back(*callee);
    }
  }
  return gathered;
}

/// The number of a map by its name; constants of the runtime join the image's maps at
/// their first use.
Result<MapId> find_map(const std::string& name, const Runtime& runtime, Image& image) {
  auto found = std::ranges::find(image.maps, name, &MapSpecification::name);
  if (found == image.maps.end()) {
    const auto constants =
        std::ranges::find(runtime.constants, name, &MapSpecification::name);
    if (constants == runtime.constants.end()) {
      return error("internal: BPF map {} is nowhere", name);
    }
    found = image.maps.insert(image.maps.end(), *constants);
  }
  return MapId{static_cast<std::uint32_t>(found - image.maps.begin())};
}

/// Puts the distance to a function into the call or ld_imm64 at `at`.
void resolve_function(const Reference& reference, std::size_t at, std::size_t target,
                      std::vector<Instruction>& code) {
  const auto distance =
      static_cast<std::int64_t>(target) - static_cast<std::int64_t>(at) - 1;
  code[at].immediate = static_cast<std::int32_t>(distance);
  if (reference.kind == Reference::Kind::FunctionAddress) {
    code[at].source = Register{BPF_PSEUDO_FUNC};
  }
}

Result<void> resolve_map(const Reference& reference, std::size_t at,
                         const Runtime& runtime, Image& image, ProgramImage& program) {
  const MapId map = KINST_TRY(find_map(reference.name, runtime, image));
  const bool value = reference.kind == Reference::Kind::MapValue;
  program.instructions[at].source =
      value ? Register{BPF_PSEUDO_MAP_VALUE} : Register{BPF_PSEUDO_MAP_FD};
  program.instructions[at].immediate = 0;  // the fd, at loading
  program.instructions.at(at + 1).immediate =
      value ? static_cast<std::int32_t>(reference.offset) : 0;
  program.map_uses.push_back({at, map});
  return {};
}

/// Where each function of a program begins.
using Beginnings = std::map<std::string, std::size_t>;

Result<void> resolve_references(const AssembledFunction& function,
                                const Beginnings& begins, const Runtime& runtime,
                                Image& image, ProgramImage& program) {
  for (const Reference& reference : function.references) {
    const std::size_t at = begins.at(function.name) + reference.instruction;
    if (names_function(reference)) {
      resolve_function(reference, at, begins.at(reference.name), program.instructions);
    } else {
      KINST_CHECK(resolve_map(reference, at, runtime, image, program));
    }
  }
  return {};
}

Result<ProgramImage> link_program(const Program& program,
                                  const ObjectSpecification& object,
                                  const Runtime& runtime, FunctionTypes& types,
                                  Image& image) {
  std::vector<AssembledFunction> own;
  for (const Function& function : program.functions) {
    own.push_back(KINST_TRY(assemble(function, object.maps)));
  }
  const std::vector<AssembledFunction> functions =
      KINST_TRY(gather(program, own, runtime));

  ProgramImage linked{.name = program.name,
                      .type = program.type,
                      .expected_attach_type = program.expected_attach_type,
                      .attach_btf_id = program.attach_btf_id,
                      .attach_btf_object = program.attach_btf_object,
                      .flags = program.flags};
  Beginnings begins;
  for (const AssembledFunction& function : functions) {
    const std::size_t begin = linked.instructions.size();
    begins[function.name] = begin;
    linked.functions.push_back(
        {static_cast<std::uint32_t>(begin), KINST_TRY(types.add(function))});
    linked.instructions.insert(linked.instructions.end(), function.instructions.begin(),
                               function.instructions.end());
  }
  for (const AssembledFunction& function : functions) {
    KINST_CHECK(resolve_references(function, begins, runtime, image, linked));
  }
  return linked;
}

}  // namespace

bool needs_runtime(const ObjectSpecification& object) {
  return std::ranges::any_of(object.programs, [](const Program& program) {
    const auto is_own = [&](const std::string& name) {
      return std::ranges::find(program.functions, name, &Function::name) !=
             program.functions.end();
    };
    const auto is_elsewhere = [&](const Item& item) {
      const auto* call = std::get_if<CallFunction>(&item);
      return call != nullptr && !is_own(call->name);
    };
    return std::ranges::any_of(program.functions, [&](const Function& function) {
      return std::ranges::any_of(function.items, is_elsewhere);
    });
  });
}

Result<Image> link(const ObjectSpecification& object, const Runtime& runtime) {
  Image image{.maps = object.maps};
  FunctionTypes types;
  for (const Program& program : object.programs) {
    image.programs.push_back(
        KINST_TRY(link_program(program, object, runtime, types, image)));
  }
  image.btf = types.bytes();
  return image;
}

std::string disassemble(const ProgramImage& program) {
  std::string text;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& instruction = program.instructions[i];
    text += fmt::format("{:5}: {}\n", i, disassemble(instruction));
    if (instruction.opcode == (BPF_LD | BPF_IMM | BPF_DW)) {
      ++i;  // its second slot is no instruction of its own
    }
  }
  return text;
}

}  // namespace kinst::bpf
