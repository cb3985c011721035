#include "listing/annotation_page.h"

#include <gtest/gtest.h>

#include "listing/code_for_tests.h"
#include "listing/graph_source.h"

namespace kinst::listing {
namespace {

class AnnotatedPage : public testing::Test {
 protected:
  Annotation annotated() const {
    const CountedPart part = part_for_tests(work, symbols);
    const FindSource find_source = [](KernelAddress) {
      return std::optional(SourcePlace{.file = "a/b.c", .line = 3, .text = "a<b"});
    };
    return annotate(std::span(&part, 1), counts_for_tests(), symbols, find_source, {});
  }

  kernel::Symbols symbols = symbols_for_tests();
  kernel::Function work = work_for_tests(symbols);
};

// The lines of `text` that contain `what`, up to a '['.
std::string lines_with(std::string_view text, std::string_view what) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.find(what) != std::string_view::npos) {
      out += std::string(line.substr(2, line.find(" [") - 2)) + "\n";
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return out;
}

TEST_F(AnnotatedPage, DrawsEveryBlockAndEveryEdge) {
  const std::string graph = graph_source(annotated(), "f0");
  EXPECT_EQ(lines_with(graph, "id=\"f0_box_"), "b0\nb1\nb2\nb3\nb4\n");
  EXPECT_EQ(lines_with(graph, " -> "),
            "entry -> b0\nb0 -> b2\nb0 -> b1\nb1 -> b2\nb2 -> b2\nb2 -> b3\n"
            "b3 -> b4\nb3 -> x6\nb4 -> x7\n");
}

TEST_F(AnnotatedPage, MakesFrequentEdgesThick) {
  const std::string graph = graph_source(annotated(), "f0");
  EXPECT_NE(graph.find("b2 -> b2 [id=\"f0_edge_3\", label=\" 15 \", color=\"#2e7d32\", "
                       "fontcolor=\"#2e7d32\", penwidth=5.00, weight=10];"),
            std::string::npos);
  EXPECT_NE(graph.find("b0 -> b2 [id=\"f0_edge_0\", label=\" 3 \", color=\"#2e7d32\", "
                       "fontcolor=\"#2e7d32\", penwidth=1.64, weight=3];"),
            std::string::npos);
}

TEST_F(AnnotatedPage, LeavesOutFillersThatNothingLeadsTo) {
  std::vector<std::byte> text;
  for (const unsigned value : {0x74, 0x03, 0xc3, 0xcc, 0xcc, 0x85, 0xff, 0xc3}) {
    text.push_back(static_cast<std::byte>(value));
  }
  const kernel::Function code =
      kernel::decode_function(symbols, *symbols.find("", "work"), text, isa::x86_64());
  CountedPart part = part_for_tests(code, symbols);
  part.is_counted[2] = false;
  part.is_counted[3] = false;
  const Annotation annotation = annotate(
      std::span(&part, 1), {}, symbols, [](KernelAddress) { return std::nullopt; }, {});
  EXPECT_EQ(lines_with(graph_source(annotation, "f0"), "id=\"f0_box_"), "b0\nb1\nb3\n");
}

TEST_F(AnnotatedPage, PutsPicturesInPlaceOfGraphs) {
  const Annotation annotation = annotated();
  const std::string page =
      lay_out_page(page_source(std::span(&annotation, 1)), [](std::string_view graph) {
        EXPECT_TRUE(graph.starts_with("digraph"));
        return Result<std::string>(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE svg SYSTEM \"http://w3\">\n<svg "
            "width=\"8\" xmlns=\"http://w3\" "
            "xmlns:xlink=\"http://w3/x\">picture</svg>");
      }).value();
  EXPECT_NE(page.find("<div class=\"graph\">\n<svg width=\"8\">picture</svg>\n</div>"),
            std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("digraph"), std::string::npos);
}

TEST_F(AnnotatedPage, ListsInstructionsWithCountsUnderTheirLines) {
  const Annotation annotation = annotated();
  const std::string page = page_source(std::span(&annotation, 1));
  EXPECT_NE(page.find("title=\"a/b.c\">b.c:3  a&lt;b</td></tr>\n"
                      "<tr id=\"f0_0\" class=\"usual first\"><td "
                      "class=\"count\">10</td><td class=\"bar\"><i "
                      "style=\"width:40%\"></i></td><td class=\"number\">0</td>"
                      "<td>+0x0</td><td>test %edi,%edi</td><td class=\"note\"></td>"
                      "</tr>\n"),
            std::string::npos);
  EXPECT_NE(page.find("<td class=\"note\">6 to +0xf<br>4 to kfree</td>"),
            std::string::npos);
  EXPECT_NE(page.find("<li>entered 10 = left 10 (6 returns, 4 to kfree) + 0 still "
                      "inside</li>"),
            std::string::npos);
}

TEST_F(AnnotatedPage, IsFoundBetweenOtherOutput) {
  const Annotation annotation = annotated();
  const std::string page = page_source(std::span(&annotation, 1));
  const auto place = find_page("before\n" + page + "after\n");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->begin, 7U);
  EXPECT_EQ(place->end, 7 + page.size());
  EXPECT_FALSE(find_page("before\nafter\n"));
}

TEST_F(AnnotatedPage, PassesOnWhyAGraphCannotBeLaidOut) {
  const Annotation annotation = annotated();
  const auto page =
      lay_out_page(page_source(std::span(&annotation, 1)),
                   [](std::string_view) -> Result<std::string> { return error("no"); });
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().message, "no");
}

}  // namespace
}  // namespace kinst::listing
