#include "types/type.h"

#include <gtest/gtest.h>

namespace kinst::types {
namespace {

TypeId add_integer(TypeTable& table, std::string name, std::uint32_t size_bytes,
                   bool is_signed) {
  return table.add(Integer{
      .name = std::move(name), .size_bytes = size_bytes, .is_signed = is_signed});
}

TypeId add_struct(TypeTable& table, std::string tag, std::uint64_t size_bytes,
                  std::vector<Member> members) {
  return table.add(Record{.kind = RecordKind::Struct,
                          .tag = std::move(tag),
                          .size_bytes = size_bytes,
                          .is_complete = true,
                          .members = std::move(members)});
}

TEST(TypeTable, KnowsItsOwnTypes) {
  TypeTable table;
  table.set_string_size(64);
  EXPECT_EQ(table.size_of(table.int_type()), 4U);
  EXPECT_EQ(table.size_of(table.int64_type()), 8U);
  EXPECT_EQ(table.size_of(table.uint64_type()), 8U);
  EXPECT_EQ(table.size_of(table.char_type()), 1U);
  EXPECT_EQ(table.size_of(table.string_type()), 64U);
  EXPECT_EQ(table.size_of(table.void_type()), std::nullopt);
  EXPECT_TRUE(table.is_signed(table.int64_type()));
  EXPECT_FALSE(table.is_signed(table.uint64_type()));
}

TEST(TypeTable, GivesOnePointerAndOneArrayTypeForEachTarget) {
  TypeTable table;
  EXPECT_EQ(table.pointer_to(table.int_type()), table.pointer_to(table.int_type()));
  EXPECT_NE(table.pointer_to(table.int_type()),
            table.pointer_to(table.int_type(), AddressSpace::User));
  EXPECT_EQ(table.array_of(table.int_type(), 2), table.array_of(table.int_type(), 2));
  EXPECT_NE(table.array_of(table.int_type(), 2), table.array_of(table.int_type(), 3));
}

TEST(TypeTable, KeepsReferencesValidWhileTypesAreAdded) {
  TypeTable table;
  const auto* integer = std::get_if<Integer>(&table.get(table.int_type()));
  for (std::uint32_t count = 0; count < 10000; ++count) {
    table.add(Void{});
  }
  EXPECT_EQ(integer->name, "int");
}

TEST(TypeTable, LooksThroughTypedefsAndQualifiers) {
  TypeTable table;
  const TypeId constant = table.add(
      Qualified{.qualifier = Qualifier::Const, .target = table.string_type()});
  const TypeId alias = table.add(Typedef{.name = "name_t", .target = constant});
  EXPECT_EQ(table.strip(alias), table.string_type());
  EXPECT_TRUE(table.is_string(alias));
  EXPECT_TRUE(table.is_by_reference(alias));
  EXPECT_TRUE(table.is_compatible(alias, table.string_type()));
}

TEST(TypeTable, MultipliesArraySizesAndRefusesOverflow) {
  TypeTable table;
  const TypeId row = table.array_of(table.int_type(), 3);
  EXPECT_EQ(table.size_of(table.array_of(row, 2)), 24U);
  EXPECT_EQ(table.alignment_of(table.array_of(row, 2)), 4U);
  EXPECT_EQ(table.size_of(table.array_of(table.int_type(), 0)), 0U);
  EXPECT_EQ(table.size_of(table.array_of(row, ~std::uint64_t{0})), std::nullopt);
}

TEST(TypeTable, HasNoSizeForAnIncompleteRecordUntilItIsReplaced) {
  TypeTable table;
  const TypeId record = table.add(Record{.tag = "list"});
  EXPECT_EQ(table.size_of(record), std::nullopt);
  EXPECT_EQ(table.alignment_of(record), std::nullopt);
  table.replace(
      record, Record{.tag = "list",
                     .size_bytes = 8,
                     .is_complete = true,
                     .members = {{.name = "next", .type = table.pointer_to(record)}}});
  EXPECT_EQ(table.size_of(record), 8U);
  EXPECT_EQ(table.alignment_of(record), 8U);
}

TEST(TypeTable, CompletesADeferredRecordOnceWhenItIsAskedFor) {
  TypeTable table;
  int completions = 0;
  TypeId inner{};
  const TypeId outer = table.add_deferred([&] {
    ++completions;
    inner = table.add_deferred(
        [] { return Record{.tag = "inner", .size_bytes = 4, .is_complete = true}; });
    return Record{.tag = "outer",
                  .size_bytes = 8,
                  .is_complete = true,
                  .members = {{.name = "in", .type = table.pointer_to(inner)}}};
  });
  const TypeId pointer = table.pointer_to(outer);
  EXPECT_EQ(table.size_of(pointer), 8U);
  EXPECT_EQ(completions, 0);
  EXPECT_EQ(table.size_of(outer), 8U);
  EXPECT_EQ(table.name_of(pointer), "struct outer *");
  EXPECT_EQ(completions, 1);
  EXPECT_EQ(table.size_of(inner), 4U);
}

TEST(TypeTable, AlignsARecordAsItsMembersAndSeesPackedOnes) {
  TypeTable table;
  const Member first{.name = "a", .type = table.char_type()};
  const TypeId normal =
      add_struct(table, "normal", 16,
                 {first, {.name = "b", .type = table.int64_type(), .offset_bits = 64}});
  const TypeId packed =
      add_struct(table, "packed", 9,
                 {first, {.name = "b", .type = table.int64_type(), .offset_bits = 8}});
  EXPECT_EQ(table.alignment_of(normal), 8U);
  EXPECT_EQ(table.alignment_of(packed), 1U);
  EXPECT_EQ(table.alignment_of(add_struct(table, "empty", 0, {})), 1U);
}

TEST(TypeTable, FindsMembersThroughAnonymousRecords) {
  TypeTable table;
  const TypeId inner =
      table.add(Record{.kind = RecordKind::Union,
                       .size_bytes = 4,
                       .is_complete = true,
                       .members = {{.name = "word", .type = table.int_type()},
                                   {.name = "flag",
                                    .type = table.int_type(),
                                    .offset_bits = 3,
                                    .width_bits = 2}}});
  const TypeId outer = add_struct(
      table, "outer", 8,
      {{.name = "head", .type = table.int_type()}, {.type = inner, .offset_bits = 32}});

  const auto flag = table.member(outer, "flag");
  ASSERT_TRUE(flag);
  EXPECT_EQ(flag->offset_bits, 35U);
  EXPECT_EQ(flag->width_bits, 2U);
  EXPECT_EQ(table.member(outer, "word")->offset_bits, 32U);
  EXPECT_FALSE(table.member(outer, "tail"));
  EXPECT_FALSE(table.member(outer, ""));
  EXPECT_FALSE(table.member(table.int_type(), "head"));
}

TEST(TypeTable, ComparesTypesAsCDoes) {
  TypeTable table;
  const TypeId long_type = add_integer(table, "long", 8, true);
  const TypeId unsigned_type = add_integer(table, "unsigned int", 4, false);
  EXPECT_TRUE(table.is_compatible(long_type, table.int64_type()));
  EXPECT_FALSE(table.is_compatible(unsigned_type, table.int_type()));
  EXPECT_TRUE(table.is_compatible(table.pointer_to(long_type),
                                  table.pointer_to(table.int64_type())));
  EXPECT_FALSE(table.is_compatible(table.pointer_to(long_type), long_type));
  EXPECT_TRUE(
      table.is_compatible(table.array_of(long_type, 0), table.array_of(long_type, 4)));
  EXPECT_FALSE(
      table.is_compatible(table.array_of(long_type, 2), table.array_of(long_type, 4)));
  EXPECT_TRUE(table.is_compatible(add_struct(table, "s", 4, {}),
                                  table.add(Record{.tag = "s"})));
  EXPECT_FALSE(
      table.is_compatible(add_struct(table, "s", 4, {}),
                          table.add(Record{.kind = RecordKind::Union, .tag = "s"})));
  EXPECT_FALSE(
      table.is_compatible(add_struct(table, "", 4, {}), add_struct(table, "", 4, {})));
  EXPECT_FALSE(table.is_compatible(table.void_type(), table.string_type()));
}

TEST(TypeName, PutsDeclaratorsWhereCDoes) {
  TypeTable table;
  const TypeId character = table.char_type();
  const TypeId pointer = table.pointer_to(character);
  EXPECT_EQ(table.name_of(pointer), "char *");
  EXPECT_EQ(table.name_of(table.array_of(character, 16)), "char [16]");
  EXPECT_EQ(table.name_of(table.array_of(character, 0)), "char []");
  EXPECT_EQ(table.name_of(table.array_of(table.array_of(character, 3), 2)),
            "char [2][3]");
  EXPECT_EQ(table.name_of(table.array_of(pointer, 4)), "char *[4]");
  EXPECT_EQ(table.name_of(table.pointer_to(table.array_of(character, 4))),
            "char (*)[4]");
  EXPECT_EQ(table.name_of(table.pointer_to(pointer)), "char **");
}

TEST(TypeName, PutsQualifiersBesideWhatTheyQualify) {
  TypeTable table;
  const auto qualified = [&](Qualifier qualifier, TypeId target) {
    return table.add(Qualified{.qualifier = qualifier, .target = target});
  };
  const TypeId constant = qualified(Qualifier::Const, table.char_type());
  EXPECT_EQ(table.name_of(table.pointer_to(constant)), "const char *");
  const TypeId pointer =
      qualified(Qualifier::Volatile, table.pointer_to(table.char_type()));
  EXPECT_EQ(table.name_of(pointer), "char *volatile");
  EXPECT_EQ(table.name_of(table.array_of(pointer, 2)), "char *volatile [2]");
}

TEST(TypeName, WritesFunctionsWithTheirParameters) {
  TypeTable table;
  const TypeId none = table.add(Function{.result = table.int_type()});
  EXPECT_EQ(table.name_of(none), "int (void)");
  EXPECT_EQ(table.name_of(table.pointer_to(none)), "int (*)(void)");
  const TypeId print = table.add(Function{.result = table.pointer_to(table.void_type()),
                                          .parameters = {table.string_type()},
                                          .is_variadic = true});
  EXPECT_EQ(table.name_of(table.array_of(table.pointer_to(print), 2)),
            "void *(*[2])(string, ...)");
}

TEST(TypeName, NamesRecordsAndEnumsByKeywordAndTag) {
  TypeTable table;
  const TypeId record = table.add(Record{.tag = "file"});
  EXPECT_EQ(table.name_of(table.pointer_to(record)), "struct file *");
  EXPECT_EQ(table.name_of(table.add(Record{.kind = RecordKind::Union, .tag = "u"})),
            "union u");
  EXPECT_EQ(table.name_of(table.add(Enum{.tag = "colour"})), "enum colour");
  EXPECT_EQ(table.name_of(table.add(Enum{})), "enum (anonymous)");
  EXPECT_EQ(table.name_of(table.add(Typedef{.name = "file_t", .target = record})),
            "file_t");
}

}  // namespace
}  // namespace kinst::types
