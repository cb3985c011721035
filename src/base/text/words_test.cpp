#include "base/text/words.h"

#include <gtest/gtest.h>

namespace kinst {
namespace {

TEST(SplitWords, KeepsQuotedBlanksAndEscapes) {
  EXPECT_EQ(split_words(R"(ls  "a b" 'c\d' e\ f "")"),
            (std::vector<std::string>{"ls", "a b", "c\\d", "e f", ""}));
}

TEST(SplitWords, RefusesAQuoteThatDoesNotEnd) {
  for (const char* command : {"sh -c \"exit 3", "echo 'it is", "ls \"a\" 'b"}) {
    EXPECT_FALSE(split_words(command)) << command;
  }
  EXPECT_EQ(split_words("sh -c \"exit 3").error().message,
            "a quote does not end: \"exit 3");
}

}  // namespace
}  // namespace kinst
