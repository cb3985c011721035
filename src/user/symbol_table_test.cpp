#include "user/symbol_table.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace kinst::user
