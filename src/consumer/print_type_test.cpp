#include "consumer/print_type.h"

#include <gtest/gtest.h>

#include "types/lay_out.h"

namespace kinst::consumer {
namespace {

const std::string indent(44, ' ');

class PrintType : public testing::Test {
 protected:
  types::TypeId record(types::RecordKind kind, std::string tag,
                       const std::vector<types::MemberDeclaration>& members) {
    auto record = types::lay_out(table_, kind, std::move(tag), members);
    EXPECT_TRUE(record);
    return table_.add(record.value_or(types::Record{}));
  }
  template <typename T>
  std::string print(types::TypeId type, const T& value, std::size_t limit = sizeof(T)) {
    std::string out;
    append_printed(out, table_, type, std::as_bytes(std::span(&value, 1)).first(limit),
                   std::nullopt);
    return out;
  }

  types::TypeTable table_;
};

struct Value {
  std::int32_t a = 1;
  std::array<char, 4> b{'h', 'i', 0, 'x'};
  std::uint64_t union_word = 0x15;
  std::uint64_t pointer = 0xffff0000;
  std::int32_t e = 7;
  std::uint32_t flags = 0xb;  // low: 3, high: -2 of three bits
};

TEST_F(PrintType, SpellsMembersOutAndLeavesZerosOut) {
  const types::TypeId choice = record(types::RecordKind::Union, "",
                                      {{.name = "small", .type = table_.int_type()},
                                       {.name = "word", .type = table_.uint64_type()}});
  const types::TypeId colour = table_.add(
      types::Enum{.tag = "colour", .enumerators = {{"RED", 0}, {"BLUE", 7}}});
  const types::TypeId type =
      record(types::RecordKind::Struct, "value",
             {{.name = "a", .type = table_.int_type()},
              {.name = "b", .type = table_.array_of(table_.char_type(), 4)},
              {.name = "u", .type = choice},
              {.name = "p", .type = table_.pointer_to(table_.void_type())},
              {.name = "e", .type = colour},
              {.name = "low", .type = table_.int_type(), .width_bits = 2},
              {.name = "high", .type = table_.int_type(), .width_bits = 2},
              {.name = "none", .type = table_.int_type(), .width_bits = 4}});
  EXPECT_EQ(print(type, Value{}),
            indent + "(struct value) {\n" +               //
                indent + " .a = (int)1,\n" +              //
                indent + " .b = (char [4]) [\n" +         //
                indent + "  (char)'h',\n" +               //
                indent + "  (char)'i',\n" +               //
                indent + " ],\n" +                        //
                indent + " .u = (union) {\n" +            //
                indent + "  .small = (int)21,\n" +        //
                indent + "  .word = (uint64_t)21,\n" +    //
                indent + " },\n" +                        //
                indent + " .p = (void *)0xffff0000,\n" +  //
                indent + " .e = (enum colour)BLUE,\n" +   //
                indent + " .low = (int)-1,\n" +           //
                indent + " .high = (int)-2,\n" +          //
                indent + "}\n");
  EXPECT_EQ(print(type, Value{.a = 2, .b = {}, .union_word = 0, .e = 5, .flags = 0}),
            indent + "(struct value) {\n" +               //
                indent + " .a = (int)2,\n" +              //
                indent + " .p = (void *)0xffff0000,\n" +  //
                indent + " .e = (enum colour)5,\n" +      //
                indent + "}\n");
  EXPECT_EQ(print(type, Value{}, 6),
            indent + "(struct value) {\n" +        //
                indent + " .a = (int)1,\n" +       //
                indent + " .b = (char [4]) [\n" +  //
                indent + "  (char)'h',\n" +        //
                indent + "  (char)'i',\n" +        //
                indent + " ],\n" +                 //
                indent + " ...\n" +                //
                indent + "}\n");
  EXPECT_EQ(print(type, Value{}, 16),
            indent + "(struct value) {\n" +             //
                indent + " .a = (int)1,\n" +            //
                indent + " .b = (char [4]) [\n" +       //
                indent + "  (char)'h',\n" +             //
                indent + "  (char)'i',\n" +             //
                indent + " ],\n" +                      //
                indent + " .u = (union) {\n" +          //
                indent + "  .small = (int)21,\n" +      //
                indent + "  .word = (uint64_t)21,\n" +  //
                indent + " ...\n" +                     //
                indent + " },\n" +                      //
                indent + "}\n");
}

TEST_F(PrintType, NeverReadsBehindTheBytes) {
  const types::TypeId type =
      record(types::RecordKind::Struct, "s",
             {{.name = "a", .type = table_.int_type()},
              {.name = "b", .type = table_.array_of(table_.int64_type(), 3)}});
  const std::array<std::uint64_t, 4> words{1, 2, 3, 4};
  for (std::size_t limit = 0; limit < sizeof(words); ++limit) {
    EXPECT_NE(print(type, words, limit).find("..."), std::string::npos) << limit;
  }
  EXPECT_EQ(print(type, words).find("..."), std::string::npos);
}

TEST_F(PrintType, TellsTheAddressFirstIfThereIsOne) {
  std::string out;
  const std::int32_t value = 5;
  append_printed(out, table_, table_.int_type(), std::as_bytes(std::span(&value, 1)),
                 0xabc);
  EXPECT_EQ(out, "0xabc = *\n" + indent + "(int)5,\n");
}

}  // namespace
}  // namespace kinst::consumer
