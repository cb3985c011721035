#include "compile/libraries.h"

#include <gtest/gtest.h>

namespace kinst::compile {
namespace {

LibraryFile file(const std::string& name, std::string text) {
  return {.name = name, .path = name, .text = std::move(text)};
}

struct Loaded {
  std::vector<std::size_t> items;  // of each unit
  Diagnostics diagnostics;
};

Loaded load(std::vector<LibraryFile> files, std::string_view wanted) {
  Libraries libraries(std::move(files), 1);
  const d::ParseOptions options{.is_type_name = [](std::string_view) { return false; }};
  Loaded loaded;
  libraries.want(wanted, options, loaded.diagnostics);
  for (const d::Unit& unit : libraries.units(
           [](const d::DependsOnPragma& needed) { return needed.name == "present"; })) {
    loaded.items.push_back(unit.program->items.size());
  }
  return loaded;
}

TEST(Libraries, AreNotReadUnlessMentioned) {
  const Loaded loaded =
      load({file("a.d", "inline int a = 1;"), file("bad.d", "inline")}, "a");
  EXPECT_EQ(loaded.items, std::vector<std::size_t>{1});
  EXPECT_TRUE(loaded.diagnostics.all().empty());
}

TEST(Libraries, ComeBehindThoseThatTheyDependOn) {
  const Loaded loaded = load({file("a.d",
                                   "#pragma D depends_on library b.d\n"
                                   "inline b_t a = 1;"),
                              file("b.d", "typedef int b_t; typedef int c_t;")},
                             "a");
  EXPECT_TRUE(loaded.diagnostics.all().empty());
  EXPECT_EQ(loaded.items, (std::vector<std::size_t>{1, 1}));
}

TEST(Libraries, WarnOfABrokenFileAndGoOn) {
  const Loaded loaded =
      load({file("a.d", "inline int a ="), file("b.d", "inline int b = 1;")}, "a b");
  ASSERT_EQ(loaded.diagnostics.all().size(), 1U);
  EXPECT_EQ(loaded.diagnostics.all().front().severity, Severity::Warning);
  EXPECT_EQ(loaded.diagnostics.all().front().span.source, 1U);
  EXPECT_EQ(loaded.items, std::vector<std::size_t>{1});
}

TEST(Libraries, ForOtherMachinesArePassedOver) {
  const Loaded loaded =
      load({file("a.d", "#pragma D depends_on module absent\ninline int a = 1;"),
            file("b.d", "#pragma D depends_on provider present\ninline int b = 1;")},
           "a b");
  EXPECT_TRUE(loaded.diagnostics.all().empty());
  EXPECT_EQ(loaded.items, std::vector<std::size_t>{1});
}

TEST(Libraries, RefuseToDependOnThemselvesOrOnNothing) {
  for (const std::string other : {"a.d", "c.d"}) {
    const Loaded loaded = load(
        {file("a.d", "#pragma D depends_on library b.d\n"),
         file("b.d", "#pragma D depends_on library " + other + "\ninline int b = 1;")},
        "b a.d");
    ASSERT_FALSE(loaded.diagnostics.all().empty());
    EXPECT_EQ(loaded.diagnostics.all().front().tag, "D_PRAGMA_DEPEND");
    EXPECT_EQ(loaded.diagnostics.has_errors(), true);
  }
}

TEST(Libraries, OfTheUserAreCheckedWhole) {
  LibraryFile users = file("a.d", "inline int a = 1; inline int b = 2;");
  users.is_users = true;
  EXPECT_EQ(load({users}, "").items, std::vector<std::size_t>{2});
}

}  // namespace
}  // namespace kinst::compile
