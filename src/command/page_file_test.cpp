#include "command/page_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/system/read_file.h"
#include "listing/annotation_page.h"
#include "listing/code_for_tests.h"

namespace kinst::command {
namespace {

bool has_graphviz() {
  return std::system("command -v dot > /dev/null") == 0;
}

std::size_t occurrences(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos;
       at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

std::string written_page() {
  const kernel::Symbols symbols = listing::symbols_for_tests();
  const kernel::Function work = listing::work_for_tests(symbols);
  const listing::CountedPart part = listing::part_for_tests(work, symbols);
  const listing::Annotation one =
      listing::annotate(std::span(&part, 1), listing::counts_for_tests(), symbols,
                        [](KernelAddress) { return std::nullopt; }, {});
  const std::string path =
      std::filesystem::temp_directory_path() / "kinst_page_file_test.html";
  EXPECT_TRUE(write_page(path, listing::page_source(std::span(&one, 1))));
  std::string page = read_file(path).value_or("");
  std::filesystem::remove(path);
  return page;
}

TEST(PageFile, HoldsEveryBlockAndEdgeWithItsCountAndRefersToNothingOutside) {
  if (!has_graphviz()) {
    GTEST_SKIP() << "Graphviz is not installed";
  }
  const std::string page = written_page();
  // Spaces that do not break.
  for (const std::string_view block :
       {"block\u00a00:\u00a010</text>", "block\u00a01:\u00a07</text>",
        "block\u00a02:\u00a025</text>", "block\u00a03:\u00a010</text>",
        "block\u00a04:\u00a06</text>"}) {
    EXPECT_EQ(occurrences(page, block), 1U) << block;
  }
  EXPECT_EQ(occurrences(page, "<g id=\"f0_box_"), 5U);
  EXPECT_EQ(occurrences(page, "<g id=\"f0_edge_"), 8U);
  for (std::size_t block = 0; block < 5; ++block) {
    EXPECT_EQ(occurrences(page, fmt::format("<tr id=\"f0_{}\"", block)), 1U);
  }
  EXPECT_EQ(occurrences(page, "http:") + occurrences(page, "https:"), 0U);
  EXPECT_EQ(occurrences(page, " src="), 0U);
  EXPECT_EQ(occurrences(page, "href=\""), occurrences(page, "href=\"#f0_"));
  EXPECT_EQ(occurrences(page, "<svg"), 1U);
}

TEST(PageFile, NamesThePackageIfGraphvizIsMissing) {
  const char* const usual = std::getenv("PATH");
  ASSERT_NE(usual, nullptr);
  const std::string path = usual;
  setenv("PATH", "/nonexistent", 1);
  const auto checked = check_graph_layout();
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "--html needs Graphviz, which lays graphs out (Debian's package graphviz): "
            "cannot run dot: No such file or directory");
}

}  // namespace
}  // namespace kinst::command
