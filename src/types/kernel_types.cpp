// BTF types to C types. Records are deferred, see TypeTable::add_deferred(); everything
// else is converted when it is reached, once.
#include "types/kernel_types.h"

#include <filesystem>
#include <unordered_map>

#include "types/btf_file.h"

namespace kinst::types {
namespace {

constexpr std::string_view vmlinux_name = "vmlinux";

// One BTF file and what was converted of it.
struct Module {
  std::string name;
  std::unique_ptr<BtfFile> file;
  std::unordered_map<BtfId, TypeId> converted;
};

bool has_flag(const btf_type& type) {
  return BTF_INFO_KFLAG(type.info);
}

bool is_record(const btf_type& type, RecordKind kind) {
  return kind_of(type) ==
         (kind == RecordKind::Struct ? BTF_KIND_STRUCT : BTF_KIND_UNION);
}

bool is_forward(const btf_type& type, RecordKind kind) {
  return kind_of(type) == BTF_KIND_FWD && has_flag(type) == (kind == RecordKind::Union);
}

// Whether `type` is what a look-up of `kind` wants, forward declarations apart.
bool is_definition(const btf_type& type, NameKind kind) {
  switch (kind) {
    case NameKind::Struct:
      return is_record(type, RecordKind::Struct);
    case NameKind::Union:
      return is_record(type, RecordKind::Union);
    case NameKind::Enum:
      return kind_of(type) == BTF_KIND_ENUM || kind_of(type) == BTF_KIND_ENUM64;
    case NameKind::Typedef:
      return kind_of(type) == BTF_KIND_TYPEDEF || kind_of(type) == BTF_KIND_INT ||
             kind_of(type) == BTF_KIND_FLOAT;
  }
  return false;
}

bool is_declaration(const btf_type& type, NameKind kind) {
  return (kind == NameKind::Struct && is_forward(type, RecordKind::Struct)) ||
         (kind == NameKind::Union && is_forward(type, RecordKind::Union));
}

std::optional<BtfId> find_definition(BtfFile& file, NameKind kind,
                                     std::string_view name) {
  for (const BtfId id : file.find_types(name)) {
    if (is_definition(*file.type(id), kind)) {
      return id;
    }
  }
  return std::nullopt;
}

std::optional<BtfId> find_declaration(BtfFile& file, NameKind kind,
                                      std::string_view name) {
  for (const BtfId id : file.find_types(name)) {
    if (is_declaration(*file.type(id), kind)) {
      return id;
    }
  }
  return std::nullopt;
}

Integer integer_of(const BtfFile& file, const btf_type& type) {
  const std::uint32_t encoding = BTF_INT_ENCODING(BtfFile::entry<std::uint32_t>(type));
  const std::string_view name = file.name_of(type);
  // BTF_INT_CHAR is not used by the tools that make kernels' BTF.
  return Integer{.name = std::string(name),
                 .size_bytes = type.size,
                 .is_signed = (encoding & BTF_INT_SIGNED) != 0,
                 .is_character = type.size == 1 && name.ends_with("char"),
                 .is_boolean = (encoding & BTF_INT_BOOL) != 0};
}

// Compilers that say nothing of an enum's sign (before 6.0) show it by its values.
Enum enum_of(const BtfFile& file, const btf_type& type) {
  Enum result{.tag = std::string(file.name_of(type)),
              .size_bytes = type.size,
              .is_signed = has_flag(type)};
  if (kind_of(type) == BTF_KIND_ENUM) {
    for (const btf_enum& entry : BtfFile::entries<btf_enum>(type)) {
      result.is_signed = result.is_signed || entry.val < 0;
    }
    for (const btf_enum& entry : BtfFile::entries<btf_enum>(type)) {
      const std::int64_t value = result.is_signed
                                     ? std::int64_t{entry.val}
                                     : static_cast<std::uint32_t>(entry.val);
      result.enumerators.push_back({std::string(file.string(entry.name_off)), value});
    }
  } else {
    for (const btf_enum64& entry : BtfFile::entries<btf_enum64>(type)) {
      const std::uint64_t value = std::uint64_t{entry.val_hi32} << 32 | entry.val_lo32;
      result.enumerators.push_back(
          {std::string(file.string(entry.name_off)), static_cast<std::int64_t>(value)});
    }
  }
  return result;
}

// The last parameter of a variadic function has neither name nor type.
bool is_ellipsis(const btf_param& parameter) {
  return parameter.name_off == 0 && parameter.type == 0;
}

std::optional<Qualifier> qualifier_of(const btf_type& type) {
  switch (kind_of(type)) {
    case BTF_KIND_CONST:
      return Qualifier::Const;
    case BTF_KIND_VOLATILE:
      return Qualifier::Volatile;
    case BTF_KIND_RESTRICT:
      return Qualifier::Restrict;
    default:
      return std::nullopt;
  }
}

}  // namespace

class KernelTypes::Reader {
 public:
  Reader(TypeTable& table, std::string directory)
      : table_(table), directory_(std::move(directory)) {}

  Result<std::optional<TypeId>> find(NameKind kind, std::string_view name,
                                     std::string_view module);
  /// Those to look in for a name: see the class comment of KernelTypes.
  Result<std::vector<Module*>> scope(std::string_view module);
  TypeId convert(Module& from, BtfId id);
  Prototype prototype(Module& from, const btf_type& type);
  std::optional<KernelMember> find_member(std::string_view structure,
                                          std::string_view path);

 private:
  Result<Module*> open(std::string_view name);
  Result<std::vector<Module*>> open_all();
  TypeId convert_new(Module& from, const btf_type& type, BtfId id);
  TypeId convert_pointer(Module& from, const btf_type& type);
  Record complete_record(Module& from, BtfId id);
  Record complete_forward(const std::string& tag, RecordKind kind);
  void add_member(Module& from, Record& record, const btf_type& type,
                  const btf_member& member);

  TypeTable& table_;
  std::string directory_;
  std::vector<std::unique_ptr<Module>> modules_;  // vmlinux first
};

Result<Module*> KernelTypes::Reader::open(std::string_view name) {
  for (const auto& module : modules_) {
    if (module->name == name) {
      return module.get();
    }
  }
  const BtfFile* base = nullptr;
  if (name != vmlinux_name) {
    base = KINST_TRY(open(vmlinux_name))->file.get();
  }
  auto file = BtfFile::open(directory_ + "/" + std::string(name), base);
  if (!file) {
    return tl::unexpected(in_context(
        fmt::format("types of {} are not known without BTF",
                    base == nullptr ? "this kernel" : "module " + std::string(name)),
        file.error()));
  }
  modules_.push_back(std::make_unique<Module>(
      Module{.name = std::string(name), .file = std::move(*file), .converted = {}}));
  return modules_.back().get();
}

Result<std::vector<Module*>> KernelTypes::Reader::open_all() {
  KINST_TRY(open(vmlinux_name));
  std::error_code failure;
  for (std::filesystem::directory_iterator file(directory_, failure), end;
       !failure && file != end; file.increment(failure)) {
    KINST_TRY(open(file->path().filename().string()));
  }
  if (failure) {
    return system_error("read " + directory_, failure.value());
  }
  return scope({});
}

Result<std::vector<Module*>> KernelTypes::Reader::scope(std::string_view module) {
  std::vector<Module*> wanted{KINST_TRY(open(module.empty() ? vmlinux_name : module))};
  for (std::size_t place = 1; module.empty() && place < modules_.size(); ++place) {
    wanted.push_back(modules_[place].get());
  }
  // A module may name what stands in the kernel itself.
  if (wanted.front() != modules_.front().get()) {
    wanted.push_back(modules_.front().get());
  }
  return wanted;
}

Result<std::optional<TypeId>> KernelTypes::Reader::find(NameKind kind,
                                                        std::string_view name,
                                                        std::string_view module) {
  const auto find_in = [&](const auto& modules, auto look_up) -> std::optional<TypeId> {
    for (Module* candidate : modules) {
      if (const auto id = look_up(*candidate->file, kind, name)) {
        return convert(*candidate, *id);
      }
    }
    return std::nullopt;
  };
  auto modules = KINST_TRY(scope(module));
  if (auto found = find_in(modules, find_definition)) {
    return found;
  }
  if (module.empty() && kind != NameKind::Typedef) {
    modules = KINST_TRY(open_all());
    if (auto found = find_in(modules, find_definition)) {
      return found;
    }
  }
  return find_in(modules, find_declaration);
}

TypeId KernelTypes::Reader::convert(Module& from, BtfId id) {
  Module& home = from.file->is_own(id) ? from : *modules_.front();
  const btf_type* type = home.file->type(id);
  if (type == nullptr) {
    return table_.void_type();
  }
  // Void until the conversion is done: in damaged BTF a typedef can refer to itself.
  const auto [place, is_new] = home.converted.try_emplace(id, table_.void_type());
  if (!is_new) {
    return place->second;
  }
  const TypeId result = convert_new(home, *type, id);
  home.converted[id] = result;
  return result;
}

TypeId KernelTypes::Reader::convert_new(Module& from, const btf_type& type, BtfId id) {
  const BtfFile& file = *from.file;
  const auto target = [&] { return convert(from, BtfId{type.type}); };
  switch (kind_of(type)) {
    case BTF_KIND_INT:
      return table_.add(integer_of(file, type));
    case BTF_KIND_FLOAT:
      return table_.add(
          Float{.name = std::string(file.name_of(type)), .size_bytes = type.size});
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
      return table_.add(enum_of(file, type));
    case BTF_KIND_PTR:
      return convert_pointer(from, type);
    case BTF_KIND_ARRAY: {
      const auto& array = BtfFile::entry<btf_array>(type);
      return table_.array_of(convert(from, BtfId{array.type}), array.nelems);
    }
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
      return table_.add_deferred(
          [this, &from, id] { return complete_record(from, id); });
    case BTF_KIND_FWD:
      return table_.add_deferred(
          [this, tag = std::string(file.name_of(type)),
           kind = has_flag(type) ? RecordKind::Union : RecordKind::Struct] {
            return complete_forward(tag, kind);
          });
    case BTF_KIND_TYPEDEF:
      return table_.add(
          Typedef{.name = std::string(file.name_of(type)), .target = target()});
    case BTF_KIND_CONST:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_RESTRICT:
      return table_.add(
          Qualified{.qualifier = *qualifier_of(type), .target = target()});
    case BTF_KIND_FUNC:
    case BTF_KIND_VAR:
    case BTF_KIND_TYPE_TAG:
      return target();
    case BTF_KIND_FUNC_PROTO: {
      const Prototype signature = prototype(from, type);
      Function function{.result = signature.result,
                        .is_variadic = signature.is_variadic};
      for (const NamedParameter& parameter : signature.parameters) {
        function.parameters.push_back(parameter.type);
      }
      return table_.add(std::move(function));
    }
    default:
      return table_.void_type();
  }
}

// `char __user *` is a pointer to the tag "user" of char.
TypeId KernelTypes::Reader::convert_pointer(Module& from, const btf_type& type) {
  AddressSpace space = AddressSpace::Kernel;
  BtfId target{type.type};
  const btf_type* behind = from.file->type(target);
  while (behind != nullptr && kind_of(*behind) == BTF_KIND_TYPE_TAG) {
    const std::string_view tag = from.file->name_of(*behind);
    if (tag == "user") {
      space = AddressSpace::User;
    } else if (tag == "percpu") {
      space = AddressSpace::PerCpu;
    }
    target = BtfId{behind->type};
    behind = from.file->type(target);
  }
  return table_.pointer_to(convert(from, target), space);
}

Prototype KernelTypes::Reader::prototype(Module& from, const btf_type& type) {
  Prototype result{.result = convert(from, BtfId{type.type})};
  for (const btf_param& parameter : BtfFile::entries<btf_param>(type)) {
    if (is_ellipsis(parameter)) {
      result.is_variadic = true;
    } else {
      result.parameters.push_back(
          {.name = std::string(from.file->string(parameter.name_off)),
           .type = convert(from, BtfId{parameter.type})});
    }
  }
  return result;
}

std::optional<KernelMember> KernelTypes::Reader::find_member(std::string_view structure,
                                                             std::string_view path) {
  const auto found = find(NameKind::Struct, structure, {});
  if (!found || !*found) {
    return std::nullopt;
  }
  TypeId type = **found;
  std::uint64_t offset_bits = 0;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const auto member = table_.member(type, path.substr(0, dot));
    if (!member) {
      return std::nullopt;
    }
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
    offset_bits += member->offset_bits;
    type = member->type;
  }
  return KernelMember{
      .offset_bytes = static_cast<std::uint32_t>(offset_bits / 8),
      .size_bytes = static_cast<std::uint32_t>(table_.size_of(type).value_or(0))};
}

Record KernelTypes::Reader::complete_record(Module& from, BtfId id) {
  const btf_type& type = *from.file->type(id);
  Record record{.kind = is_record(type, RecordKind::Struct) ? RecordKind::Struct
                                                            : RecordKind::Union,
                .tag = std::string(from.file->name_of(type)),
                .size_bytes = type.size,
                .is_complete = true};
  for (const btf_member& member : BtfFile::entries<btf_member>(type)) {
    add_member(from, record, type, member);
  }
  return record;
}

void KernelTypes::Reader::add_member(Module& from, Record& record, const btf_type& type,
                                     const btf_member& member) {
  const BtfMemberPlace place = place_of(type, member);
  record.members.push_back({.name = std::string(from.file->string(member.name_off)),
                            .type = convert(from, BtfId{member.type}),
                            .offset_bits = place.offset_bits,
                            .width_bits = place.width_bits});
}

Record KernelTypes::Reader::complete_forward(const std::string& tag, RecordKind kind) {
  const NameKind wanted =
      kind == RecordKind::Struct ? NameKind::Struct : NameKind::Union;
  if (const auto modules = open_all()) {
    for (Module* module : *modules) {
      if (const auto id = find_definition(*module->file, wanted, tag)) {
        return complete_record(*module, *id);
      }
    }
  }
  return Record{.kind = kind, .tag = tag};
}

KernelTypes::KernelTypes(TypeTable& table, std::string directory)
    : reader_(std::make_unique<Reader>(table, std::move(directory))) {}
KernelTypes::KernelTypes(KernelTypes&& other) noexcept = default;
KernelTypes& KernelTypes::operator=(KernelTypes&& other) noexcept = default;
KernelTypes::~KernelTypes() = default;

Result<std::optional<TypeId>> KernelTypes::find(NameKind kind, std::string_view name,
                                                std::string_view module) {
  return reader_->find(kind, name, module);
}

void KernelTypes::offer_names(NameKind kind, NearNames& near) {
  const auto modules = reader_->scope({});
  if (!modules) {
    return;
  }
  for (const Module* module : *modules) {
    module->file->for_each_named_type([&](std::string_view name, const btf_type& type) {
      if (is_definition(type, kind)) {
        near.offer(name);
      }
    });
  }
}

Result<std::optional<KernelConstant>> KernelTypes::find_enumerator(
    std::string_view name, std::string_view module) {
  for (Module* candidate : KINST_TRY(reader_->scope(module))) {
    if (const auto found = candidate->file->find_enumerator(name)) {
      const Enum values = enum_of(*candidate->file, *candidate->file->type(found->id));
      return KernelConstant{.type = reader_->convert(*candidate, found->id),
                            .value = values.enumerators[found->position].value};
    }
  }
  return std::nullopt;
}

Result<std::optional<Prototype>> KernelTypes::find_function(std::string_view name,
                                                            std::string_view module) {
  for (Module* candidate : KINST_TRY(reader_->scope(module))) {
    if (const auto found = candidate->file->find_function(name)) {
      const BtfId prototype{candidate->file->type(*found)->type};
      const btf_type* type = candidate->file->type(prototype);
      if (type != nullptr && kind_of(*type) == BTF_KIND_FUNC_PROTO) {
        Prototype function = reader_->prototype(*candidate, *type);
        function.function_id = static_cast<std::uint32_t>(*found);
        return function;
      }
    }
  }
  return std::nullopt;
}

std::optional<KernelMember> KernelTypes::find_member(std::string_view structure,
                                                     std::string_view path) {
  return reader_->find_member(structure, path);
}

std::optional<std::uint32_t> KernelTypes::member_offset(std::string_view structure,
                                                        std::string_view path) {
  const auto member = find_member(structure, path);
  return member ? std::optional(member->offset_bytes) : std::nullopt;
}

Result<std::optional<KernelVariable>> KernelTypes::find_variable(
    std::string_view name, std::string_view module) {
  for (Module* candidate : KINST_TRY(reader_->scope(module))) {
    if (const auto found = candidate->file->find_variable(name)) {
      return KernelVariable{
          .type = reader_->convert(*candidate, *found),
          .is_per_cpu = candidate->file->section_of(*found).ends_with("percpu")};
    }
  }
  return std::nullopt;
}

}  // namespace kinst::types
