#include "d/check/type_rules.h"

#include <gtest/gtest.h>

#include "d/syntax/base_types.h"

namespace kinst::d {
namespace {

using types::TypeId;
using types::TypeTable;

struct TypeRules : ::testing::Test {
  TypeTable table;
  BaseTypes base{table};
  TypeId character = table.char_type();
  TypeId unsigned_char = base.of(BuiltinType::UnsignedChar);
  TypeId integer = table.int_type();
  TypeId unsigned_int = base.of(BuiltinType::UnsignedInt);
  TypeId long_type = base.of(BuiltinType::Long);
};

TEST_F(TypeRules, PromoteToIntAndPreferTheWiderThenTheUnsigned) {
  EXPECT_EQ(usual_conversion(table, character, unsigned_char), integer);
  EXPECT_EQ(usual_conversion(table, character, character), integer);
  EXPECT_EQ(usual_conversion(table, unsigned_char, unsigned_int), unsigned_int);
  EXPECT_EQ(usual_conversion(table, integer, unsigned_int), unsigned_int);
  EXPECT_EQ(usual_conversion(table, unsigned_int, long_type), long_type);
}

TEST_F(TypeRules, CountAnEnumAsInt) {
  const TypeId color = table.add(types::Enum{.tag = "color"});
  EXPECT_EQ(usual_conversion(table, color, character), integer);
}

TEST_F(TypeRules, LetZeroAndVoidStandForAnyPointer) {
  const TypeId pointer = table.pointer_to(integer);
  const TypeId void_pointer = table.pointer_to(table.void_type());
  EXPECT_EQ(common_pointer(table, {pointer}, {integer, true}), pointer);
  EXPECT_EQ(common_pointer(table, {pointer}, {integer, false}), std::nullopt);
  EXPECT_EQ(common_pointer(table, {void_pointer}, {pointer}), pointer);
  EXPECT_EQ(common_pointer(table, {pointer}, {void_pointer}), pointer);
  EXPECT_EQ(common_pointer(table, {pointer}, {table.pointer_to(long_type)}),
            std::nullopt);
}

TEST_F(TypeRules, KeepUserAndKernelPointersApart) {
  const TypeId user = table.pointer_to(integer, types::AddressSpace::User);
  EXPECT_EQ(common_pointer(table, {user}, {table.pointer_to(integer)}), std::nullopt);
}

TEST_F(TypeRules, TakeCharactersForStrings) {
  const TypeId string = table.string_type();
  EXPECT_TRUE(is_assignable(table, string, {table.pointer_to(character)}));
  EXPECT_TRUE(is_assignable(table, table.array_of(character, 16), {string}));
  EXPECT_FALSE(is_assignable(table, string, {table.pointer_to(integer)}));
  EXPECT_FALSE(is_assignable(table, string, {integer}));
}

TEST_F(TypeRules, CutToSizeAndExtendBySign) {
  EXPECT_EQ(cut(table, character, 0x180), 0xffff'ffff'ffff'ff80U);
  EXPECT_EQ(cut(table, unsigned_char, 0x180), 0x80U);
  EXPECT_EQ(cut(table, long_type, 0x8000'0000'0000'0000U), 0x8000'0000'0000'0000U);
}

TEST_F(TypeRules, GiveLiteralsTheFirstTypeThatHoldsThem) {
  const auto type = [&](std::uint64_t value, bool is_decimal) {
    return *base.of(IntegerLiteral{.value = value, .is_decimal = is_decimal});
  };
  EXPECT_EQ(type(0x7fff'ffff, true), integer);
  EXPECT_EQ(type(0x8000'0000, true), long_type);
  EXPECT_EQ(type(0x8000'0000, false), unsigned_int);
  EXPECT_EQ(type(0x8000'0000'0000'0000U, false), base.of(BuiltinType::UnsignedLong));
  EXPECT_FALSE(base.of(IntegerLiteral{.value = 0x8000'0000'0000'0000U}));
  EXPECT_EQ(*base.of(IntegerLiteral{.value = 1, .has_unsigned_suffix = true}),
            unsigned_int);
}

}  // namespace
}  // namespace kinst::d
