// Kernel types and BTF files, against BTF made here with libbpf's writer, and against
// the running kernel's.
#include <bpf/btf.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "types/btf_file.h"
#include "types/kernel_types.h"

namespace kinst::types {
namespace {

struct Free {
  void operator()(btf* types) const { btf__free(types); }
};
using Btf = std::unique_ptr<btf, Free>;

// What a kernel might have: numbered in the order of the calls.
Btf make_vmlinux() {
  Btf types(btf__new_empty());
  btf* t = types.get();
  const int int_id = btf__add_int(t, "int", 4, BTF_INT_SIGNED);
  const int char_id = btf__add_int(t, "char", 1, 0);
  const int word_id = btf__add_int(t, "long unsigned int", 8, 0);
  btf__add_float(t, "double", 8);

  // struct list { struct list *next; const char *name; } and a typedef of it.
  const int list_id = btf__add_struct(t, "list", 16);
  btf__add_field(t, "next", list_id + 1, 0, 0);
  btf__add_field(t, "name", list_id + 2, 64, 0);
  btf__add_ptr(t, list_id);
  btf__add_ptr(t, list_id + 3);
  btf__add_const(t, char_id);
  btf__add_typedef(t, "list_t", list_id);

  // struct flags { union { int all; }; unsigned long low : 3, high : 5; }
  const int anonymous_id = btf__add_union(t, nullptr, 4);
  btf__add_field(t, "all", int_id, 0, 0);
  btf__add_struct(t, "flags", 16);
  btf__add_field(t, nullptr, anonymous_id, 0, 0);
  btf__add_field(t, "low", word_id, 64, 3);
  btf__add_field(t, "high", word_id, 67, 5);

  const int colour_id = btf__add_enum(t, "colour", 4);
  btf__add_enum_value(t, "RED", 0);
  btf__add_enum_value(t, "BLUE", 7);
  const int signed_id = btf__add_enum(t, "balance", 4);
  btf__add_enum_value(t, "DEBT", -1);
  const int wide_id = btf__add_enum64(t, "wide", 8, false);
  btf__add_enum64_value(t, "TOP", std::uint64_t{1} << 63);
  EXPECT_LT(colour_id, signed_id);
  EXPECT_LT(signed_id, wide_id);

  // long unsigned int read_it(char __user *buffer, enum colour, ...)
  const int tag_id = btf__add_type_tag(t, "user", char_id);
  const int user_id = btf__add_ptr(t, tag_id);
  const int prototype_id = btf__add_func_proto(t, word_id);
  btf__add_func_param(t, "buffer", user_id);
  btf__add_func_param(t, "shade", colour_id);
  btf__add_func_param(t, nullptr, 0);
  btf__add_func(t, "read_it", BTF_FUNC_STATIC, prototype_id);
  const int array_id = btf__add_array(t, int_id, int_id, 4);

  const int counter_id = btf__add_var(t, "counter", BTF_VAR_STATIC, word_id);
  btf__add_var(t, "table", BTF_VAR_STATIC, array_id);
  btf__add_datasec(t, ".data..percpu", 8);
  btf__add_datasec_var_info(t, counter_id, 0, 8);
  btf__add_fwd(t, "elsewhere", BTF_FWD_STRUCT);
  const int forward_id = static_cast<int>(btf__type_cnt(t)) - 1;
  btf__add_typedef(t, "elsewhere_t", forward_id);
  btf__add_fwd(t, "nowhere", BTF_FWD_UNION);
  btf__add_struct(t, "outer", 32);
  btf__add_field(t, "inner", list_id, 128, 0);
  return types;
}

// A module that defines a struct of the kernel's types.
Btf make_module(btf* base) {
  Btf types(btf__new_empty_split(base));
  btf* t = types.get();
  const auto list_id = btf__find_by_name_kind(base, "list", BTF_KIND_STRUCT);
  btf__add_struct(t, "elsewhere", 16);
  btf__add_field(t, "head", list_id, 0, 0);
  btf__add_typedef(t, "elsewhere_handle", list_id);
  const int none_id = btf__add_func_proto(t, 0);
  btf__add_func(t, "module_only", BTF_FUNC_STATIC, none_id);
  return types;
}

void write(const std::filesystem::path& path, const btf* types) {
  std::uint32_t size = 0;
  const void* bytes = btf__raw_data(types, &size);
  std::ofstream(path, std::ios::binary).write(static_cast<const char*>(bytes), size);
}

class KernelTypesTest : public testing::Test {
 protected:
  KernelTypesTest()
      : directory_(std::filesystem::temp_directory_path() /
                   ("kinst-btf-" + std::to_string(::getpid()))),
        kernel_(table_, directory_) {
    std::filesystem::create_directories(directory_);
    const Btf vmlinux = make_vmlinux();
    write(directory_ / "vmlinux", vmlinux.get());
    write(directory_ / "garage", make_module(vmlinux.get()).get());
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  TypeId found(NameKind kind, std::string_view name, std::string_view module = {}) {
    const auto result = kernel_.find(kind, name, module);
    EXPECT_TRUE(result && *result) << name;
    return result && *result ? **result : table_.void_type();
  }

  std::filesystem::path directory_;
  TypeTable table_;
  KernelTypes kernel_;
};

TEST_F(KernelTypesTest, ConvertsAStructThatPointsToItself) {
  const TypeId list = found(NameKind::Struct, "list");
  EXPECT_EQ(table_.size_of(list), 16U);
  const auto next = table_.member(list, "next");
  ASSERT_TRUE(next);
  EXPECT_EQ(next->type, table_.pointer_to(list));
  const auto name = table_.member(list, "name");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->offset_bits, 64U);
  EXPECT_EQ(table_.name_of(name->type), "const char *");
  EXPECT_EQ(table_.name_of(found(NameKind::Typedef, "list_t")), "list_t");
  EXPECT_EQ(table_.strip(found(NameKind::Typedef, "list_t")), list);
}

TEST_F(KernelTypesTest, ConvertsBaseTypes) {
  EXPECT_EQ(
      std::get<Integer>(table_.get(found(NameKind::Typedef, "char"))),
      (Integer{
          .name = "char", .size_bytes = 1, .is_signed = false, .is_character = true}));
  EXPECT_TRUE(table_.is_compatible(found(NameKind::Typedef, "long unsigned int"),
                                   table_.uint64_type()));
  EXPECT_EQ(table_.size_of(found(NameKind::Typedef, "double")), 8U);
}

TEST_F(KernelTypesTest, PlacesBitFieldsAndMembersOfAnonymousUnions) {
  const TypeId flags = found(NameKind::Struct, "flags");
  const auto high = table_.member(flags, "high");
  ASSERT_TRUE(high);
  EXPECT_EQ(high->offset_bits, 67U);
  EXPECT_EQ(high->width_bits, 5U);
  EXPECT_EQ(table_.member(flags, "all")->offset_bits, 0U);
}

TEST_F(KernelTypesTest, FindsEnumeratorsWithTheirValues) {
  const auto value = [&](std::string_view name) {
    const auto found = kernel_.find_enumerator(name);
    return found && *found ? std::optional((*found)->value) : std::nullopt;
  };
  EXPECT_EQ(value("BLUE"), 7);
  EXPECT_EQ(value("DEBT"), -1);
  EXPECT_EQ(value("TOP"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value("GREEN"), std::nullopt);
  EXPECT_FALSE(table_.is_signed(found(NameKind::Enum, "colour")));
  EXPECT_TRUE(table_.is_signed(found(NameKind::Enum, "balance")));
  EXPECT_EQ(table_.size_of(found(NameKind::Enum, "wide")), 8U);
}

TEST_F(KernelTypesTest, GivesPrototypesWithNamesAndAddressSpaces) {
  const auto function = kernel_.find_function("read_it");
  ASSERT_TRUE(function && *function);
  const Prototype& prototype = **function;
  EXPECT_EQ(table_.name_of(prototype.result), "long unsigned int");
  EXPECT_TRUE(prototype.is_variadic);
  ASSERT_EQ(prototype.parameters.size(), 2U);
  EXPECT_EQ(prototype.parameters[0].name, "buffer");
  EXPECT_EQ(std::get<Pointer>(table_.get(prototype.parameters[0].type)),
            (Pointer{.target = found(NameKind::Typedef, "char"),
                     .space = AddressSpace::User}));
  EXPECT_EQ(table_.name_of(prototype.parameters[1].type), "enum colour");
}

TEST_F(KernelTypesTest, TellsPerCpuVariablesFromOthers) {
  const auto counter = kernel_.find_variable("counter");
  ASSERT_TRUE(counter && *counter);
  EXPECT_TRUE((*counter)->is_per_cpu);
  EXPECT_EQ(table_.name_of((*counter)->type), "long unsigned int");
  const auto table = kernel_.find_variable("table");
  ASSERT_TRUE(table && *table);
  EXPECT_FALSE((*table)->is_per_cpu);
  EXPECT_EQ(table_.size_of((*table)->type), 16U);
}

TEST_F(KernelTypesTest, FindsMembersByTheirPaths) {
  EXPECT_EQ(kernel_.find_member("list", "name"),
            (KernelMember{.offset_bytes = 8, .size_bytes = 8}));
  EXPECT_EQ(kernel_.member_offset("outer", "inner.name"), 24U);
  EXPECT_EQ(kernel_.find_member("list", ""),
            (KernelMember{.offset_bytes = 0, .size_bytes = 16}));
  EXPECT_EQ(kernel_.find_member("list", "name.length"), std::nullopt);
  EXPECT_EQ(kernel_.find_member("lost", "name"), std::nullopt);
}

TEST_F(KernelTypesTest, CompletesAForwardDeclarationFromTheModuleThatDefinesIt) {
  const TypeId alias = found(NameKind::Typedef, "elsewhere_t");
  EXPECT_EQ(table_.name_of(table_.strip(alias)), "struct elsewhere");
  EXPECT_EQ(table_.size_of(alias), 16U);
  EXPECT_EQ(table_.member(alias, "head")->type, found(NameKind::Struct, "list"));
  EXPECT_EQ(table_.size_of(found(NameKind::Union, "nowhere")), std::nullopt);
}

TEST_F(KernelTypesTest, LooksForRecordsInEveryModuleAndForOtherNamesInThoseNamed) {
  EXPECT_EQ(table_.size_of(found(NameKind::Struct, "elsewhere")), 16U);
  TypeTable table;
  KernelTypes kernel(table, directory_);
  EXPECT_EQ(kernel.find(NameKind::Typedef, "elsewhere_handle"), std::nullopt);
  EXPECT_TRUE(kernel.find(NameKind::Typedef, "elsewhere_handle", "garage").value());
  EXPECT_TRUE(kernel.find(NameKind::Typedef, "elsewhere_handle").value());
  EXPECT_TRUE(kernel.find_function("module_only", "garage").value());
  EXPECT_FALSE(kernel.find_function("module_only", "vmlinux").value());
}

TEST_F(KernelTypesTest, SaysWhatIsMissingWithoutBtf) {
  TypeTable table;
  KernelTypes kernel(table, "/nonexistent");
  EXPECT_EQ(kernel.find(NameKind::Struct, "list").error().message,
            "types of this kernel are not known without BTF: cannot read "
            "/nonexistent/vmlinux: No such file or directory");
  EXPECT_EQ(kernel_.find(NameKind::Struct, "list", "cellar").error().message,
            "types of module cellar are not known without BTF: cannot read " +
                (directory_ / "cellar").string() + ": No such file or directory");
}

TEST(BtfFile, RefusesEveryTruncationOfAFile) {
  const Btf types = make_vmlinux();
  std::uint32_t size = 0;
  const auto* bytes = static_cast<const std::byte*>(btf__raw_data(types.get(), &size));
  ASSERT_TRUE(BtfFile::parse({bytes, bytes + size}, nullptr, "whole"));
  for (std::uint32_t length = 0; length < size; ++length) {
    EXPECT_FALSE(BtfFile::parse({bytes, bytes + length}, nullptr, "cut")) << length;
  }
}

TEST(BtfFile, RefusesKindsThatItCannotMeasure) {
  const Btf types = make_vmlinux();
  std::uint32_t size = 0;
  const auto* bytes = static_cast<const std::byte*>(btf__raw_data(types.get(), &size));
  std::vector<std::byte> damaged(bytes, bytes + size);
  damaged[sizeof(btf_header) + 7] = std::byte{0x1f};  // the first type's kind
  EXPECT_EQ(BtfFile::parse(damaged, nullptr, "damaged").error().message,
            "damaged: type 1 is of kind 31, which is not known");
}

TEST(RunningKernelTypes, WalkFromATaskToItsParentsName) {
  TypeTable table;
  KernelTypes kernel(table);
  const auto task = kernel.find(NameKind::Struct, "task_struct");
  if (!task) {
    GTEST_SKIP() << task.error().message;
  }
  ASSERT_TRUE(*task);
  const auto parent = table.member(**task, "real_parent");
  ASSERT_TRUE(parent);
  EXPECT_EQ(table.name_of(parent->type), "struct task_struct *");
  const auto name = table.member(**task, "comm");
  ASSERT_TRUE(name);
  EXPECT_EQ(table.name_of(name->type), "char [16]");

  const auto read = kernel.find_function("vfs_read");
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->parameters.at(0).name, "file");
  EXPECT_EQ(table.name_of((*read)->parameters.at(0).type), "struct file *");
}

}  // namespace
}  // namespace kinst::types
