// Takes the runtime's ELF objects apart into functions. The compiler leaves a symbol
// with a size for each function, relocations for calls, maps and constants, and BTF,
// which says what the parameters are.
#include "bpf/code/runtime_object.h"

#include <bpf/btf.h>
#include <fmt/core.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kinst::bpf {
namespace {

// Relocations of the BPF psABI; absent from Debian 12's elf.h.
constexpr unsigned relocation_wide_immediate = 1;  // R_BPF_64_64
constexpr unsigned relocation_call = 10;           // R_BPF_64_32
constexpr std::size_t instruction_bytes = 8;

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using OwnedElf = std::unique_ptr<Elf, ElfCloser>;

struct BtfFreer {
  void operator()(btf* types) const { btf__free(types); }
};
using OwnedBtf = std::unique_ptr<btf, BtfFreer>;

struct Section {
  std::string name;
  GElf_Shdr header{};
  std::span<const std::byte> bytes;
};

struct Symbol {
  std::string name;
  GElf_Sym symbol{};
};

/// One object file, indexed as its own header and symbol table index it.
struct ObjectFile {
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  std::string constants_name;  ///< of the map that its .rodata becomes
};

std::span<const std::byte> section_bytes(Elf_Scn* section) {
  const Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) {
    return {};
  }
  return {static_cast<const std::byte*>(data->d_buf), data->d_size};
}

std::vector<Section> read_sections(Elf* elf) {
  std::size_t names = 0;
  elf_getshdrstrndx(elf, &names);
  std::vector<Section> sections(1);  // section 0 is none
  for (Elf_Scn* at = elf_nextscn(elf, nullptr); at != nullptr;
       at = elf_nextscn(elf, at)) {
    Section section{.bytes = section_bytes(at)};
    gelf_getshdr(at, &section.header);
    section.name = elf_strptr(elf, names, section.header.sh_name);
    sections.push_back(std::move(section));
  }
  return sections;
}

std::vector<Symbol> read_symbols(Elf* elf, const std::vector<Section>& sections) {
  std::vector<Symbol> symbols;
  for (std::size_t i = 1; i < sections.size(); ++i) {
    const GElf_Shdr& header = sections[i].header;
    if (header.sh_type != SHT_SYMTAB) {
      continue;
    }
    Elf_Data* data = elf_getdata(elf_getscn(elf, i), nullptr);
    for (int n = 0; n < static_cast<int>(header.sh_size / header.sh_entsize); ++n) {
      Symbol symbol;
      gelf_getsym(data, n, &symbol.symbol);
      symbol.name = elf_strptr(elf, header.sh_link, symbol.symbol.st_name);
      symbols.push_back(std::move(symbol));
    }
  }
  return symbols;
}

bool is_function(const Symbol& symbol) {
  return GELF_ST_TYPE(symbol.symbol.st_info) == STT_FUNC;
}

/// The instructions in `bytes`, which are the kernel's struct bpf_insn.
std::vector<Instruction> decode(std::span<const std::byte> bytes) {
  std::vector<Instruction> instructions;
  for (std::size_t at = 0; at + instruction_bytes <= bytes.size();
       at += instruction_bytes) {
    bpf_insn raw{};
    std::memcpy(&raw, bytes.data() + at, sizeof raw);
    instructions.push_back({.opcode = raw.code,
                            .destination = Register{raw.dst_reg},
                            .source = Register{raw.src_reg},
                            .offset = raw.off,
                            .immediate = raw.imm});
  }
  return instructions;
}

/// The function at a byte offset of a section, if one begins there.
const Symbol* function_at(const ObjectFile& object, std::size_t section,
                          std::size_t offset_bytes) {
  const auto found = std::ranges::find_if(object.symbols, [&](const Symbol& candidate) {
    return is_function(candidate) && candidate.symbol.st_shndx == section &&
           candidate.symbol.st_value == offset_bytes;
  });
  return found == object.symbols.end() ? nullptr : &*found;
}

/// What a relocated ld_imm64 loads.
Result<Reference> wide_reference(const ObjectFile& object, const Symbol& target,
                                 const Instruction& instruction) {
  const std::size_t section = target.symbol.st_shndx;
  if (is_function(target)) {
    return Reference{.kind = Reference::Kind::FunctionAddress, .name = target.name};
  }
  if (section == SHN_UNDEF) {
    return Reference{.kind = Reference::Kind::Map, .name = target.name};
  }
  const std::string& section_name = object.sections.at(section).name;
  const std::size_t offset =
      target.symbol.st_value + static_cast<std::uint32_t>(instruction.immediate);
  if (section_name == ".maps") {
    return Reference{.kind = Reference::Kind::Map, .name = target.name};
  }
  if (section_name.starts_with(".rodata")) {
    return Reference{.kind = Reference::Kind::MapValue,
                     .name = object.constants_name + section_name,
                     .offset = static_cast<std::uint32_t>(offset)};
  }
  if (const Symbol* function = function_at(object, section, offset)) {
    return Reference{.kind = Reference::Kind::FunctionAddress, .name = function->name};
  }
  return error("the runtime refers to {} in {}, which cannot be linked", target.name,
               section_name);
}

/// What a relocated call calls.
Result<Reference> call_reference(const ObjectFile& object, const Symbol& target,
                                 const Instruction& instruction) {
  if (is_function(target) || target.symbol.st_shndx == SHN_UNDEF) {
    return Reference{.name = target.name};
  }
  // Relative to a section: the immediate counts instructions from the symbol, less one.
  const auto offset = (instruction.immediate + 1) * std::int64_t{instruction_bytes};
  const Symbol* function =
      function_at(object, target.symbol.st_shndx,
                  target.symbol.st_value + static_cast<std::size_t>(offset));
  if (function == nullptr) {
    return error("the runtime calls into the middle of {}", target.name);
  }
  return Reference{.name = function->name};
}

/// What the instruction that a relocation changes refers to.
Result<Reference> read_relocation(const ObjectFile& object, const GElf_Rel& relocation,
                                  const Instruction& instruction) {
  const Symbol& target = object.symbols.at(GELF_R_SYM(relocation.r_info));
  const std::uint64_t type = GELF_R_TYPE(relocation.r_info);
  if (type == relocation_wide_immediate) {
    return wide_reference(object, target, instruction);
  }
  if (type == relocation_call) {
    return call_reference(object, target, instruction);
  }
  return error("the runtime has a relocation of unknown type {}", type);
}

/// The relocations of a section's code, from all tables that are about it.
std::vector<GElf_Rel> relocations_of(Elf* elf, const ObjectFile& object,
                                     std::size_t code_section) {
  std::vector<GElf_Rel> relocations;
  for (std::size_t i = 1; i < object.sections.size(); ++i) {
    const GElf_Shdr& header = object.sections[i].header;
    if (header.sh_type != SHT_REL || header.sh_info != code_section) {
      continue;
    }
    Elf_Data* data = elf_getdata(elf_getscn(elf, i), nullptr);
    for (int n = 0; n < static_cast<int>(header.sh_size / header.sh_entsize); ++n) {
      gelf_getrel(data, n, &relocations.emplace_back());
    }
  }
  return relocations;
}

/// The references of one code section, by the index of their instruction.
using SectionReferences = std::map<std::size_t, Reference>;

Result<SectionReferences> read_relocations(Elf* elf, const ObjectFile& object,
                                           std::size_t code_section) {
  SectionReferences references;
  const std::vector<Instruction> code = decode(object.sections[code_section].bytes);
  for (const GElf_Rel& relocation : relocations_of(elf, object, code_section)) {
    const std::size_t index = relocation.r_offset / instruction_bytes;
    references[index] = KINST_TRY(read_relocation(object, relocation, code.at(index)));
  }
  return references;
}

/// Whether values of a type are numbers to the verifier; void is none.
bool is_integer(const btf* types, std::uint32_t id) {
  const int resolved = btf__resolve_type(types, id);
  if (resolved < 0) {
    return false;
  }
  const btf_type* type = btf__type_by_id(types, static_cast<std::uint32_t>(resolved));
  return btf_is_int(type) || btf_is_any_enum(type);
}

/// Fills in what the function's prototype says. Functions that are static in C may have
/// been given other parameters by the optimizer, so theirs is not believed.
Result<void> read_prototype(const btf* types, const Symbol& symbol,
                            AssembledFunction& function) {
  const int id = btf__find_by_name_kind(types, symbol.name.c_str(), BTF_KIND_FUNC);
  if (id < 0) {
    return error("the runtime's {} has no type information", symbol.name);
  }
  const btf_type* declaration = btf__type_by_id(types, static_cast<std::uint32_t>(id));
  const btf_type* prototype = btf__type_by_id(types, declaration->type);
  const std::span parameters(btf_params(prototype), btf_vlen(prototype));
  const bool only_integers =
      is_integer(types, prototype->type) &&
      std::ranges::all_of(parameters, [types](const btf_param& parameter) {
        return is_integer(types, parameter.type);
      });
  const bool is_static = GELF_ST_BIND(symbol.symbol.st_info) == STB_LOCAL;
  function.parameter_count = btf_vlen(prototype);
  function.verification =
      only_integers && !is_static ? Verification::OnItsOwn : Verification::AtEachCall;
  return {};
}

/// Cuts one function out of its section's instructions and references.
AssembledFunction cut_function(const Symbol& symbol,
                               const std::vector<Instruction>& code,
                               const SectionReferences& references,
                               const ObjectFile& object) {
  const std::size_t first = symbol.symbol.st_value / instruction_bytes;
  const std::size_t count = symbol.symbol.st_size / instruction_bytes;
  AssembledFunction function{.name = symbol.name};
  for (std::size_t i = first; i < first + count; ++i) {
    Instruction instruction = code.at(i);
    if (const auto found = references.find(i); found != references.end()) {
      Reference reference = found->second;
      reference.instruction = i - first;
      function.references.push_back(std::move(reference));
      instruction.immediate = 0;
    } else if (instruction.opcode == (BPF_JMP | BPF_CALL) &&
               instruction.source == Register{BPF_PSEUDO_CALL}) {
      // A call within the section that the compiler has already resolved.
      const auto target = static_cast<std::int64_t>(i) + 1 + instruction.immediate;
      const Symbol* callee =
          function_at(object, symbol.symbol.st_shndx,
                      static_cast<std::size_t>(target) * instruction_bytes);
      function.references.push_back(
          {.instruction = i - first, .name = callee == nullptr ? "" : callee->name});
      instruction.immediate = 0;
    }
    function.instructions.push_back(instruction);
  }
  return function;
}

/// The functions of one code section.
Result<void> read_section(Elf* elf, const ObjectFile& object, const btf* types,
                          std::size_t index, Runtime& runtime) {
  const SectionReferences references = KINST_TRY(read_relocations(elf, object, index));
  const std::vector<Instruction> code = decode(object.sections[index].bytes);
  for (const Symbol& symbol : object.symbols) {
    if (is_function(symbol) && symbol.symbol.st_shndx == index) {
      AssembledFunction function = cut_function(symbol, code, references, object);
      KINST_CHECK(read_prototype(types, symbol, function));
      runtime.functions.push_back(std::move(function));
    }
  }
  return {};
}

Result<void> read_functions(Elf* elf, const ObjectFile& object, const btf* types,
                            Runtime& runtime) {
  for (std::size_t i = 1; i < object.sections.size(); ++i) {
    if ((object.sections[i].header.sh_flags & SHF_EXECINSTR) != 0U) {
      KINST_CHECK(read_section(elf, object, types, i, runtime));
    }
  }
  return {};
}

/// Turns an object's constants into maps and refuses its variables.
Result<void> read_data(const ObjectFile& object, Runtime& runtime) {
  for (const Section& section : object.sections) {
    const bool in_memory = (section.header.sh_flags & SHF_ALLOC) != 0U &&
                           (section.header.sh_flags & SHF_EXECINSTR) == 0U;
    if (!in_memory || section.name == ".maps" || section.header.sh_size == 0) {
      continue;
    }
    if (!section.name.starts_with(".rodata")) {
      return error("the runtime has variables, in {}: keep them in maps", section.name);
    }
    runtime.constants.push_back(
        {.name = object.constants_name + section.name,
         .value_size = static_cast<std::uint32_t>(section.bytes.size()),
         .flags = BPF_F_RDONLY_PROG,
         .contents = {section.bytes.begin(), section.bytes.end()},
         .frozen = true});
  }
  return {};
}

Result<void> read_object(std::span<const std::byte> bytes, std::string constants_name,
                         Runtime& runtime) {
  // libelf takes a mutable pointer but only reads an object opened this way.
  std::vector<std::byte> copy(bytes.begin(), bytes.end());
  const OwnedElf elf(
      elf_memory(static_cast<char*>(static_cast<void*>(copy.data())), copy.size()));
  GElf_Ehdr header{};
  if (elf == nullptr || gelf_getehdr(elf.get(), &header) == nullptr ||
      header.e_machine != EM_BPF) {
    return error("the runtime is not a BPF object");
  }
  ObjectFile object{.sections = read_sections(elf.get()),
                    .constants_name = std::move(constants_name)};
  object.symbols = read_symbols(elf.get(), object.sections);
  const auto types = std::ranges::find(object.sections, ".BTF", &Section::name);
  if (types == object.sections.end()) {
    return error("the runtime has no type information: compile it with -g");
  }
  const OwnedBtf btf(
      btf__new(types->bytes.data(), static_cast<std::uint32_t>(types->bytes.size())));
  if (btf == nullptr) {
    return error("the runtime's type information cannot be read");
  }
  KINST_CHECK(read_data(object, runtime));
  return read_functions(elf.get(), object, btf.get(), runtime);
}

}  // namespace

Result<Runtime> read_runtime(std::span<const std::span<const std::byte>> objects) {
  elf_version(EV_CURRENT);
  Runtime runtime;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    KINST_CHECK(read_object(objects[i], fmt::format("runtime{}", i), runtime));
  }
  std::vector<std::string> names;
  for (const AssembledFunction& function : runtime.functions) {
    names.push_back(function.name);
  }
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
    return error("the runtime has two functions named {}", *twice);
  }
  return runtime;
}

}  // namespace kinst::bpf
