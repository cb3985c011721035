#include "types/type_definition.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>

namespace kinst::types {
namespace {

// What the compiler makes of it is what must be printed.
struct Sample {
  char name[5];
  union {
    int number;
    struct {
      short low;
      short high;
    } halves[2];
  };
  int (*call)(int);
};

TypeId add_integer(TypeTable& table, std::string name, std::uint32_t size_bytes) {
  return table.add(Integer{.name = std::move(name), .size_bytes = size_bytes});
}

TypeId add_sample(TypeTable& table) {
  const TypeId number = add_integer(table, "int", 4);
  const TypeId half = add_integer(table, "short", 2);
  const TypeId halves = table.add(
      Record{.tag = {},
             .size_bytes = 4,
             .is_complete = true,
             .members = {Member{.name = "low", .type = half},
                         Member{.name = "high", .type = half, .offset_bits = 16}}});
  const TypeId either = table.add(
      Record{.kind = RecordKind::Union,
             .tag = {},
             .size_bytes = 8,
             .is_complete = true,
             .members = {Member{.name = "number", .type = number},
                         Member{.name = "halves", .type = table.array_of(halves, 2)}}});
  const TypeId call =
      table.pointer_to(table.add(Function{.result = number, .parameters = {number}}));
  return table.add(Record{
      .tag = "sample",
      .size_bytes = sizeof(Sample),
      .is_complete = true,
      .members = {Member{.name = "name", .type = table.array_of(table.char_type(), 5)},
                  Member{.name = "", .type = either, .offset_bits = 64},
                  Member{.name = "call", .type = call, .offset_bits = 128}}});
}

// One line, its place in a column.
std::string line(std::string_view declaration, std::size_t depth, std::size_t offset,
                 std::size_t size) {
  return fmt::format("{}{:<{}}/* {:>5} {:>5} */\n", std::string(depth, '\t'),
                     declaration, 56 - 8 * depth, offset, size);
}

TEST(DefinitionOf, AStructHasItsMembersWhereTheCompilerPutsThem) {
  TypeTable table;
  constexpr std::size_t number = offsetof(Sample, number);
  EXPECT_EQ(definition_of(table, add_sample(table)),
            "struct sample {\n" + line("char name[5];", 1, offsetof(Sample, name), 5) +
                "\tunion {\n" + line("int number;", 2, number, 4) + "\t\tstruct {\n" +
                line("short low;", 3, number, 2) +
                line("short high;", 3, number + 2, 2) +
                line("} halves[2];", 2, number, 8) + line("};", 1, number, 8) +
                line("int (*call)(int);", 1, offsetof(Sample, call), 8) +
                fmt::format("}};  /* {} bytes */\n", sizeof(Sample)));
}

TEST(DefinitionOf, ABitFieldHasItsBits) {
  TypeTable table;
  const TypeId record = table.add(Record{
      .tag = "flags",
      .size_bytes = 4,
      .is_complete = true,
      .members = {Member{.name = "low", .type = table.int_type(), .width_bits = 3},
                  Member{.name = "high",
                         .type = table.int_type(),
                         .offset_bits = 11,
                         .width_bits = 1}}});
  const std::string text = definition_of(table, record);
  EXPECT_NE(text.find("/*     0:0     3 bits */\n"), std::string::npos) << text;
  EXPECT_NE(text.find("/*     1:3     1 bit */\n"), std::string::npos) << text;
}

TEST(DefinitionOf, ATypedefIsWhatItStandsFor) {
  TypeTable table;
  EXPECT_EQ(definition_of(table, table.add(Typedef{.name = "count_t",
                                                   .target = table.int64_type()})),
            fmt::format("typedef {} count_t;  /* 8 bytes */\n",
                        table.name_of(table.int64_type())));
  const TypeId counter = table.add(
      Record{.tag = {},
             .size_bytes = 4,
             .is_complete = true,
             .members = {Member{.name = "counter", .type = table.int_type()}}});
  EXPECT_EQ(
      definition_of(table, table.add(Typedef{.name = "atomic_t", .target = counter})),
      "typedef struct {\n" + line("int counter;", 1, 0, 4) +
          "} atomic_t;  /* 4 bytes */\n");
}

TEST(DefinitionOf, AnEnumHasItsEnumerators) {
  TypeTable table;
  EXPECT_EQ(
      definition_of(table, table.add(Enum{.tag = "which",
                                          .enumerators = {{"THIS", -1}, {"THAT", 5}}})),
      "enum which {\n\tTHIS = -1,\n\tTHAT = 5,\n};  /* 4 bytes */\n");
}

TEST(DefinitionOf, AnIncompleteStructSaysSo) {
  TypeTable table;
  EXPECT_EQ(definition_of(table, table.add(Record{.tag = "hidden", .members = {}})),
            "struct hidden;  /* its members are not known */\n");
}

}  // namespace
}  // namespace kinst::types
