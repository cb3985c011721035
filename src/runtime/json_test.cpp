#include <string>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

using Json = NativeRuntime;

std::string select(const std::string& text, const std::string& selector) {
  return text_at(kinst_json(address_of(text), address_of(selector)));
}

TEST_F(Json, SelectsFromAnArray) {
  const std::string text = "[ 1, \"two\" , true\t,{\"a\" : 9},100.3e10, null,[5, 6]]";
  EXPECT_EQ(select(text, "0"), "1");
  EXPECT_EQ(select(text, "[1]"), "two");
  EXPECT_EQ(select(text, "2"), "true");
  EXPECT_EQ(select(text, "3"), "{\"a\" : 9}");
  EXPECT_EQ(select(text, "3.a"), "9");
  EXPECT_EQ(select(text, "[4]"), "100.3e10");
  EXPECT_EQ(select(text, "5"), "null");
  EXPECT_EQ(select(text, "6"), "[5, 6]");
  EXPECT_EQ(select(text, "[6][1]"), "6");
}

TEST_F(Json, SelectsFromObjectsInObjects) {
  const std::string text = R"({ "top": { "mid"  : { "legs": "feet" }, "number": 9, )"
                           R"("array":[0,1,{"a":true,"bb":[1,2,false,{"x":"yz"}]}]}})";
  EXPECT_EQ(select(text, "top.mid"), R"({ "legs": "feet" })");
  EXPECT_EQ(select(text, "top.mid.legs"), "feet");
  EXPECT_EQ(select(text, "top.number"), "9");
  EXPECT_EQ(select(text, "top.array[2].bb[3].x"), "yz");
  EXPECT_EQ(select(text, "top.array[2].bb[2]"), "false");
}

TEST_F(Json, GivesNothingForWhatIsNotThere) {
  const std::string text = R"({"a": {"b": 1}, "c": [2], "d": "e"})";
  for (const std::string selector :
       {"x", "a.x", "a.b.c", "c[1]", "c[-1]", "c.x", "d.e", "b", "a[0]", "ab"}) {
    EXPECT_EQ(select(text, selector), "(none)") << selector;
  }
  EXPECT_EQ(select("[]", "0"), "(none)");
  EXPECT_EQ(select("{}", "a"), "(none)");
  EXPECT_EQ(select("", "a"), "(none)");
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
}

TEST_F(Json, LeavesEscapesAsTheyAre) {
  const std::string text = R"(["abcd \" \\ \/ \b \u0000 \uf00F ]", "final"])";
  EXPECT_EQ(select(text, "0"), R"(abcd \" \\ \/ \b \u0000 \uf00F ])");
  EXPECT_EQ(select(text, "1"), "final");
}

TEST_F(Json, StopsAtWhatIsNotJson) {
  const std::string text = R"(["fine here", "dodgy \u00AZ", "wont get here"])";
  EXPECT_EQ(select(text, "0"), "fine here");
  EXPECT_EQ(select(text, "1"), "(none)");
  EXPECT_EQ(select(text, "2"), "(none)");
  EXPECT_EQ(select("[0x1000]", "0"), "(none)");
  EXPECT_EQ(select("[truth]", "0"), "(none)");
  EXPECT_EQ(select("[1 2]", "1"), "(none)");
  EXPECT_EQ(select("[\"a", "0"), "(none)");
  EXPECT_EQ(select("{\"a\" 1}", "a"), "(none)");
}

TEST_F(Json, MindsBracketsInStrings) {
  EXPECT_EQ(select(R"([{"a":"}]\"]"},7])", "1"), "7");
  EXPECT_EQ(select(R"([{"a":"}]\"]"},7])", "0"), R"({"a":"}]\"]"})");
}

TEST_F(Json, ReadsTextsOfTheLargestSize) {
  reset(KINST_STRING_MAX);
  EXPECT_EQ(select("[\"" + std::string(8000, 'x') + "\", 5]", "1"), "5");
}

TEST_F(Json, FailsForNoText) {
  const std::string selector = "0";
  EXPECT_EQ(kinst_json(0, address_of(selector)), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

}  // namespace
}  // namespace kinst::runtime
