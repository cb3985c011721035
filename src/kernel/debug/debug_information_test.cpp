#include "kernel/debug/debug_information.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/system/read_file.h"

namespace kinst::kernel {
namespace {

constexpr KernelAddress load_address{0xffffffffa0000000};

// The fixture's function of that name, where it is loaded, from its symbol table.
AddressRange function(std::string_view name) {
  const std::string file = read_file(KINST_DEBUG_FIXTURE).value();
  const auto at = [&]<typename T>(T, std::size_t offset) {
    T out{};
    std::memcpy(&out, file.data() + offset, sizeof(out));
    return out;
  };
  const auto header = at(Elf64_Ehdr{}, 0);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto table = at(Elf64_Shdr{}, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (table.sh_type != SHT_SYMTAB) {
      continue;
    }
    const auto names =
        at(Elf64_Shdr{}, header.e_shoff + table.sh_link * sizeof(Elf64_Shdr));
    for (std::size_t k = 0; k < table.sh_size; k += sizeof(Elf64_Sym)) {
      const auto symbol = at(Elf64_Sym{}, table.sh_offset + k);
      if (file.c_str() + names.sh_offset + symbol.st_name == name) {
        const KernelAddress begin = load_address + FunctionOffset{symbol.st_value};
        return {.begin = begin, .end = begin + FunctionOffset{symbol.st_size}};
      }
    }
  }
  return {};
}

std::unique_ptr<DebugInformation> opened() {
  auto out =
      DebugInformation::open_file(KINST_DEBUG_FIXTURE, load_address, isa::x86_64());
  EXPECT_TRUE(out) << out.error().message;
  return std::move(out).value();
}

TEST(DebugInformation, LinesOfAFunctionAreItsOwnAndThoseOfWhatIsInlined) {
  const auto rows = opened()->lines(function("fixture_single"));
  ASSERT_FALSE(rows.empty());
  EXPECT_TRUE(std::ranges::is_sorted(rows, {}, &LineRow::address));
  std::set<std::uint32_t> lines;
  for (const LineRow& row : rows) {
    EXPECT_TRUE(row.file.ends_with("tests/debug_information/fixture.c")) << row.file;
    lines.insert(row.line);
  }
  EXPECT_EQ(rows.front().line, 15U) << "the function's first line";
  EXPECT_TRUE(lines.contains(4)) << "the inlined return";
  EXPECT_EQ(line_at(rows, rows.back().address), &rows.back());
  EXPECT_EQ(line_at(rows, KernelAddress{0}), nullptr);
}

TEST(DebugInformation, FindsEveryCopyOfAnInlinedFunction) {
  const auto copies = opened()->inlined_copies("twice");
  ASSERT_EQ(copies.size(), 2U);
  const auto within = [&](std::string_view name, const InlinedCopy& copy) {
    return function(name).contains(copy.entry);
  };
  EXPECT_TRUE(within("fixture_sum", copies[0]) || within("fixture_sum", copies[1]));
  EXPECT_TRUE(within("fixture_single", copies[0]) ||
              within("fixture_single", copies[1]));
  EXPECT_TRUE(opened()->inlined_copies("thrice").empty());
}

TEST(DebugInformation, FindsTheCodeOfALineInEveryFunction) {
  const auto is_fixture = [](std::string_view path) {
    return is_end_of_path("debug_information/fixture.c", path);
  };
  const auto debug = opened();
  const FoundLine found = debug->find_line(is_fixture, 4);
  EXPECT_TRUE(found.has_file);
  for (const char* name : {"fixture_sum", "fixture_single"}) {
    EXPECT_TRUE(std::ranges::any_of(found.addresses, [&](KernelAddress address) {
      return function(name).contains(address);
    })) << name;
  }
  const FoundLine none = debug->find_line(is_fixture, 6);
  EXPECT_TRUE(none.addresses.empty());
  EXPECT_EQ(none.below, 4U);
  EXPECT_EQ(none.above, 7U);
  EXPECT_FALSE(debug->find_line([](std::string_view) { return false; }, 4).has_file);
}

TEST(DebugInformation, CountsCopiesInTheUnitOfAFunction) {
  const auto debug = opened();
  const auto near = debug->copies_beside(function("fixture_sum").begin, "twice");
  EXPECT_EQ(near.count, debug->inlined_copies("twice").size());
  EXPECT_FALSE(near.may_be_more) << "it is of the unit's own file";
  EXPECT_EQ(debug->copies_beside(function("fixture_sum").begin, "fixture_sum").count,
            0U);
}

TEST(DebugInformation, PathsEndWithWholeComponents) {
  EXPECT_TRUE(is_end_of_path("read_write.c", "/build/fs/read_write.c"));
  EXPECT_TRUE(is_end_of_path("fs/read_write.c", "fs/read_write.c"));
  EXPECT_FALSE(is_end_of_path("write.c", "/build/fs/read_write.c"));
}

TEST(DebugInformation, ParametersAreInTheirRegistersAtTheEntry) {
  const auto variables = opened()->variables(function("fixture_sum").begin);
  const auto named = [&](std::string_view name) {
    return *std::ranges::find(variables, name, &LocalVariable::name);
  };
  ASSERT_GE(variables.size(), 2U);
  EXPECT_EQ(named("numbers").type, "const int *");
  EXPECT_EQ(named("numbers").size_bytes, 8U);
  EXPECT_EQ(named("numbers").location,
            (VariableLocation{.kind = VariableLocation::Kind::Register,
                              .base = *isa::find_register(isa::x86_64(), "R_RDI")}));
  EXPECT_EQ(named("count").type, "long int");
  EXPECT_EQ(named("count").location.base, *isa::find_register(isa::x86_64(), "R_RSI"));
}

TEST(DebugInformation, DescribesTypesALevelAtATime) {
  const auto debug = opened();
  const auto variables = debug->variables(function("fixture_sum").begin);
  const auto numbers = std::ranges::find(variables, "numbers", &LocalVariable::name);
  ASSERT_NE(numbers, variables.end());
  const DebugType pointer = debug->type(numbers->type_id);
  EXPECT_EQ(pointer.kind, DebugTypeKind::Pointer);
  const DebugType constant = debug->type(pointer.target);
  EXPECT_EQ(constant.kind, DebugTypeKind::Const);
  const DebugType integer = debug->type(constant.target);
  EXPECT_EQ(integer.kind, DebugTypeKind::Integer);
  EXPECT_EQ(integer.name, "int");
  EXPECT_EQ(integer.size_bytes, 4U);
  EXPECT_TRUE(integer.is_signed);
  EXPECT_EQ(debug->type(DebugTypeId::Void).kind, DebugTypeKind::Void);
}

TEST(DebugInformation, NamesTheVariablesOfWhatAnInlinedCopyIsIn) {
  const auto debug = opened();
  const auto copies = debug->inlined_copies("twice");
  const auto within = std::ranges::find_if(copies, [&](const InlinedCopy& copy) {
    return function("fixture_sum").contains(copy.entry);
  });
  ASSERT_NE(within, copies.end());
  std::set<std::string> names;
  for (const LocalVariable& one : debug->variables(within->entry)) {
    names.insert(one.name);
  }
  for (const char* name : {"doubled", "number", "sum", "numbers", "count"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(DebugInformation, SaysWhichFileHasNone) {
  const auto none =
      DebugInformation::open_file("/nowhere", load_address, isa::x86_64());
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().message.starts_with(
      "cannot read debug information from /nowhere: "));
}

}  // namespace
}  // namespace kinst::kernel
