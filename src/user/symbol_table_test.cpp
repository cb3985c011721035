#include "user/symbol_table.h"

#include <gtest/gtest.h>

#include <array>

namespace kinst::user {
namespace {

using Binding = ElfSymbol::Binding;

ElfSymbol function(std::uint64_t address, std::uint64_t size, std::string name,
                   Binding binding = Binding::Global) {
  return {.address = address,
          .size_bytes = size,
          .name = std::move(name),
          .is_function = true,
          .binding = binding};
}

std::string name_at(const SymbolTable& table, std::uint64_t address) {
  const ElfSymbol* symbol = table.at(address);
  return symbol == nullptr ? "" : symbol->name;
}

TEST(SymbolTable, FindsTheSymbolThatCoversAnAddress) {
  const SymbolTable table(
      {function(0x200, 0x10, "second"), function(0x100, 0x20, "first")});
  EXPECT_EQ(name_at(table, 0x100), "first");
  EXPECT_EQ(name_at(table, 0x11f), "first");
  EXPECT_EQ(name_at(table, 0x120), "");
  EXPECT_EQ(name_at(table, 0x20f), "second");
  EXPECT_EQ(name_at(table, 0xff), "");
}

TEST(SymbolTable, LetsASymbolWithoutSizeReachToTheNext) {
  const SymbolTable table({function(0x100, 0, "start"), function(0x140, 8, "main")});
  EXPECT_EQ(name_at(table, 0x13f), "start");
}

TEST(SymbolTable, PrefersGlobalNamesToWeakOnesAndPlainOnesToUnderscores) {
  const SymbolTable table(
      {function(0x100, 8, "__libc_malloc"), function(0x100, 8, "malloc"),
       function(0x200, 8, "go", Binding::Weak), function(0x200, 8, "_go")});
  EXPECT_EQ(name_at(table, 0x100), "malloc");
  EXPECT_EQ(name_at(table, 0x200), "_go");
}

TEST(SymbolTable, FindsAFunctionByAnyOfItsNamesOnce) {
  const SymbolTable table(
      {function(0x100, 8, "__libc_malloc"), function(0x100, 8, "malloc")});
  const auto found = table.functions("*malloc");
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found.front()->name, "malloc");
  EXPECT_EQ(table.functions("__libc_malloc").size(), 1);
  EXPECT_TRUE(table.functions("free").empty());
}

constexpr std::array sections = {CodeSection{.address = 0x100, .size_bytes = 0x20},
                                 CodeSection{.address = 0x140, .size_bytes = 0x100}};

TEST(SymbolTable, EndsAFunctionWhereItsSectionEnds) {
  // _init of .init, with the linkage stubs behind it, and a size that nobody believes.
  const SymbolTable table({function(0x100, 0, "_init"), function(0x180, 0, "last"),
                           function(0x140, 0x1000, "huge")},
                          sections);
  EXPECT_EQ(table.all()[0].size_bytes, 0x20);
  EXPECT_EQ(table.all()[1].size_bytes, 0x100);
  EXPECT_EQ(table.all()[2].size_bytes, 0xc0);
}

TEST(SymbolTable, HasNoFunctionsOutsideOfCode) {
  const SymbolTable table({function(0x120, 0, "gap"), function(0x300, 8, "behind")},
                          sections);
  EXPECT_TRUE(table.functions("").empty());
}

}  // namespace
}  // namespace kinst::user
