#include "guest/end_mark.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace kinst::guest {
namespace {

constexpr const char* mark = "<<end>";

TEST(EndMark, IsCutOffWhereverItFallsApart) {
  const std::string stream = std::string("a<b<<<e") + mark;
  for (std::size_t first = 0; first <= stream.size(); ++first) {
    for (std::size_t second = first; second <= stream.size(); ++second) {
      EndMark end{mark};
      std::string text = end.take(stream.substr(0, first));
      text += end.take(stream.substr(first, second - first));
      text += end.take(stream.substr(second));
      EXPECT_EQ(text, "a<b<<<e");
      EXPECT_TRUE(end.seen());
    }
  }
}

TEST(EndMark, HoldsNothingBackThatCannotBeginIt) {
  EndMark end{mark};
  EXPECT_EQ(end.take("line\n"), "line\n");
  EXPECT_FALSE(end.seen());
}

TEST(EndMark, GivesBackAFalseBeginning) {
  EndMark end{mark};
  EXPECT_EQ(end.take("x<<e"), "x");
  EXPECT_EQ(end.take("lse"), "<<else");
  EXPECT_FALSE(end.seen());
}

TEST(EndMark, GivesBackWhatItHeldWhenTheStreamBreaksOff) {
  EndMark end{mark};
  EXPECT_EQ(end.take("x<<"), "x");
  EXPECT_EQ(end.rest(), "<<");
}

TEST(EndMark, DropsWhatFollowsIt) {
  EndMark end{mark};
  EXPECT_EQ(end.take("a<<end>b"), "a");
  EXPECT_EQ(end.take("c"), "");
}

}  // namespace
}  // namespace kinst::guest
