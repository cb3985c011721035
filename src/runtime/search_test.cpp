#include <climits>
#include <cstdint>
#include <string>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

using Search = NativeRuntime;
using Strtok = NativeRuntime;

std::string from_first(const std::string& text, char character) {
  return text_at(kinst_strchr(address_of(text), static_cast<std::uint64_t>(character)));
}
std::string from_last(const std::string& text, char character) {
  return text_at(
      kinst_strrchr(address_of(text), static_cast<std::uint64_t>(character)));
}
std::string from_string(const std::string& text, const std::string& wanted) {
  return text_at(kinst_strstr(address_of(text), address_of(wanted)));
}
std::int64_t first_index(const std::string& text, const std::string& wanted,
                         int start = 0) {
  return kinst_index(address_of(text), address_of(wanted), start);
}
std::int64_t last_index(const std::string& text, const std::string& wanted,
                        int start = INT_MAX) {
  return kinst_rindex(address_of(text), address_of(wanted), start);
}
std::string token(const std::string& text, const std::string& delimiters) {
  return text_at(kinst_strtok(address_of(text), address_of(delimiters)));
}
std::string next_token(const std::string& delimiters) {
  return text_at(kinst_strtok(0, address_of(delimiters)));
}

TEST_F(Search, FindsCharactersFromEitherEnd) {
  EXPECT_EQ(from_first("fooeyfooeyfoo", 'y'), "yfooeyfoo");
  EXPECT_EQ(from_first("fooeyfooeyfoo", 'f'), "fooeyfooeyfoo");
  EXPECT_EQ(from_last("fooeyfooeyfoo", 'y'), "yfoo");
  EXPECT_EQ(from_last("fooeyfooeyfoo", 'f'), "foo");
}

TEST_F(Search, GivesNothingForWhatIsNotThere) {
  EXPECT_EQ(from_first("fooey", 'a'), "(none)");
  EXPECT_EQ(from_last("fooey", 'a'), "(none)");
  EXPECT_EQ(from_first("", 'a'), "(none)");
  EXPECT_EQ(from_last("", 'a'), "(none)");
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
}

TEST_F(Search, FindsTheZeroAtTheEnd) {
  EXPECT_EQ(from_first("fooey", '\0'), "");
  EXPECT_EQ(from_last("fooey", '\0'), "");
}

TEST_F(Search, FindsCharactersFarAway) {
  reset(KINST_STRING_MAX);
  const std::string far = std::string(5000, 'x') + "y" + std::string(3000, 'x');
  EXPECT_EQ(from_first(far, 'y'), "y" + std::string(3000, 'x'));
  EXPECT_EQ(from_last(far, 'y'), "y" + std::string(3000, 'x'));
}

TEST_F(Search, DoesNotFindWhatIsCutOff) {
  reset(5);
  EXPECT_EQ(from_first("abcdefgh", 'e'), "(none)");
  EXPECT_EQ(from_last("abcdefgh", 'e'), "(none)");
}

TEST_F(Search, TakesCharactersAsBytes) {
  const std::string text = "a\xff";
  EXPECT_EQ(text_at(kinst_strchr(address_of(text), ~std::uint64_t{0})), "\xff");
}

TEST_F(Search, FindsStrings) {
  EXPECT_EQ(from_string("foobarbarbazbarbop", "barba"), "barbarbazbarbop");
  EXPECT_EQ(from_string("foobarbarbazbarbop", "bazbarbop"), "bazbarbop");
  EXPECT_EQ(from_string("foobarbarbazbarbop", "barbarf"), "(none)");
  EXPECT_EQ(from_string("foobar", "foobarbop"), "(none)");
  EXPECT_EQ(from_string("foobar", ""), "foobar");
  EXPECT_EQ(from_string("", ""), "");
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
}

TEST_F(Search, FindsLongStringsInLongOnes) {
  reset(KINST_STRING_MAX);
  const std::string wanted = std::string(3000, 'x') + "y";
  EXPECT_EQ(from_string(std::string(4000, 'x') + "yz", wanted), wanted + "z");
  EXPECT_EQ(from_string(std::string(8000, 'x'), wanted), "(none)");
}

TEST_F(Search, GivesTheFirstIndexFromTheStartOn) {
  EXPECT_EQ(first_index("boofoofoo", "foo"), 3);
  EXPECT_EQ(first_index("boofoofoo", "foo", -400), 3);
  EXPECT_EQ(first_index("boofoofoo", "foo", 3), 3);
  EXPECT_EQ(first_index("boofoofoo", "foo", 4), 6);
  EXPECT_EQ(first_index("boofoofoo", "foo", 7), -1);
  EXPECT_EQ(first_index("boofoofoo", "foo", 400), -1);
  EXPECT_EQ(first_index("foobar", "foobarbaz"), -1);
  EXPECT_EQ(first_index("", "foobar"), -1);
}

TEST_F(Search, GivesTheLastIndexUpToTheStart) {
  EXPECT_EQ(last_index("boofoofoo", "foo"), 6);
  EXPECT_EQ(last_index("boofoofoo", "foo", 400), 6);
  EXPECT_EQ(last_index("boofoofoo", "foo", 5), 3);
  EXPECT_EQ(last_index("boofoofoo", "foo", 2), -1);
  EXPECT_EQ(last_index("foofoofoo", "foo", 0), 0);
  EXPECT_EQ(last_index("foofoofoo", "foo", -1), -1);
  EXPECT_EQ(last_index("foobar", "foobarbaz"), -1);
}

TEST_F(Search, FindsTheEmptyStringEverywhere) {
  EXPECT_EQ(first_index("foobar", ""), 0);
  EXPECT_EQ(first_index("foobar", "", 3), 3);
  EXPECT_EQ(first_index("foobar", "", 400), 6);
  EXPECT_EQ(last_index("foobar", ""), 6);
  EXPECT_EQ(last_index("foobar", "", -400), 0);
  EXPECT_EQ(last_index("", "", 1), 0);
}

TEST_F(Search, FailsForNoString) {
  const std::string text = "foo";
  EXPECT_EQ(kinst_index(address_of(text), 0, 0), 0);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

TEST_F(Search, TakesNoScratchForNumbers) {
  first_index("boofoofoo", "foo");
  EXPECT_EQ(native_state()->scratch_top, 0U);
}

TEST_F(Strtok, GivesOneTokenAfterTheOther) {
  EXPECT_EQ(token(",,Carrots, Barley,,Beans,", ", "), "Carrots");
  EXPECT_EQ(next_token(", "), "Barley");
  EXPECT_EQ(next_token(", "), "Beans");
  EXPECT_EQ(next_token(", "), "(none)");
  EXPECT_EQ(next_token(", "), "(none)");
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
}

TEST_F(Strtok, MayChangeDelimiters) {
  EXPECT_EQ(token("abcdefghijk", "ce"), "ab");
  EXPECT_EQ(next_token("h"), "cdefg");
  EXPECT_EQ(next_token(""), "hijk");
}

TEST_F(Strtok, GivesNothingWhereThereIsNoToken) {
  EXPECT_EQ(token("", ""), "(none)");
  EXPECT_EQ(token("", "foo"), "(none)");
  EXPECT_EQ(token("---", "-"), "(none)");
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
}

TEST_F(Strtok, FailsWhereNoneHasBegun) {
  EXPECT_EQ(next_token("!"), "(none)");
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

TEST_F(Strtok, FailsWithoutDelimiters) {
  const std::string text = "abc";
  EXPECT_EQ(kinst_strtok(address_of(text), 0), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

TEST_F(Strtok, LeavesOtherStringsAlone) {
  const std::string text = "a,b";
  EXPECT_EQ(token(text, ","), "a");
  EXPECT_EQ(from_last("x/y", '/'), "/y");
  EXPECT_EQ(next_token(","), "b");
  EXPECT_EQ(text, "a,b");
}

TEST_F(Strtok, SeesTheLastOfManyDelimitersAndBytes) {
  reset(KINST_STRING_MAX);
  const std::string many = std::string(8000, '_') + "z";
  EXPECT_EQ(token("abczdef", many), "abc");
  EXPECT_EQ(token(many, "z"), std::string(8000, '_'));
}

}  // namespace
}  // namespace kinst::runtime
