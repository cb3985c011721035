#include "kernel/code/cold_parts.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>

namespace kinst::kernel {
namespace {

constexpr std::string_view symbol_table =
    "ffffffff81000000 T _stext\n"
    "ffffffff81000100 T work_alias\n"
    "ffffffff81000100 T work\n"
    "ffffffff81000180 T other\n"
    "ffffffff81000200 t work.cold\n"
    "ffffffff81000280 t work_alias.cold.7\n"
    "ffffffff81000300 t other.cold\n"
    "ffffffff81000400 T _etext\n";

class ColdParts : public testing::Test {
 protected:
  Function function(std::string_view name, std::initializer_list<unsigned> code) const {
    std::vector<std::byte> text;
    for (const unsigned byte : code) {
      text.push_back(static_cast<std::byte>(byte));
    }
    return decode_function(symbols, *symbols.find("", name), text, isa::x86_64());
  }

  Symbols symbols = Symbols::parse(std::string(symbol_table)).value();
};

TEST_F(ColdParts, AreWhereJumpsGoAndNamedByAnyOfTheFunctionsNames) {
  const Function work = function("work", {0x0f, 0x84, 0xfa, 0x00, 0x00, 0x00,  // 0  je
                                          0x0f, 0x84, 0xf8, 0x00, 0x00, 0x00,  // 6  je
                                          0xe9, 0x6f, 0x01, 0x00, 0x00,        // 12 jmp
                                          0xe8, 0xea, 0x01, 0x00, 0x00,    // 17 call
                                          0xe9, 0x65, 0x00, 0x00, 0x00});  // 22 jmp
  std::vector<std::string> names;
  for (const Symbol& part : cold_parts_of(work, symbols)) {
    names.push_back(part.name);
  }
  // The call goes to other.cold, the last jump to other.
  EXPECT_EQ(names, (std::vector<std::string>{"work.cold", "work_alias.cold.7"}));
}

TEST_F(ColdParts, BelongToTheFunctionThatTheyWereSplitOffFrom) {
  const KernelAddress work{0xffffffff81000100};
  const KernelAddress other{0xffffffff81000180};
  const Function cold = function("work_alias.cold.7", {0xc3});
  EXPECT_TRUE(is_cold_part_of(cold, work + FunctionOffset{5}, symbols));
  EXPECT_FALSE(is_cold_part_of(cold, other, symbols));
  EXPECT_FALSE(is_cold_part_of(function("other", {0xc3}), other, symbols));
}

}  // namespace
}  // namespace kinst::kernel
