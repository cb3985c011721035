#include "d/syntax/library.h"

#include <gtest/gtest.h>

#include "d/syntax/parse.h"
#include "d/syntax/print.h"

namespace kinst::d {
namespace {

constexpr std::string_view library_text = R"(
typedef int id_of_library;
struct info { id_of_library id; };
typedef struct info info_t;
translator info_t < int N > { id = base + N; };
inline int base = 7;
inline int other = 8;
BEGIN { exit(0); }
)";

std::string kept(std::string_view wanted) {
  Source source{.name = "library", .text = std::string(library_text)};
  Diagnostics diagnostics;
  Program program = parse(source, 0, {}, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  Words words;
  add_words(wanted, words);
  const LibraryProgram library{.program = &program, .text = source.text};
  keep_mentioned(std::span(&library, 1), words);
  std::string names;
  for (const Item& item : program.items) {
    for (const std::string_view name : declared_names(item)) {
      names += std::string(name) + " ";
    }
  }
  return names;
}

TEST(Library, LosesWhatAProgramDoesNotMention) {
  EXPECT_EQ(kept("BEGIN { trace(other); }"), "other ");
  EXPECT_EQ(kept("BEGIN { trace(another); }"), "");
}

TEST(Library, KeepsWhatTheMentionedNeeds) {
  EXPECT_EQ(kept("xlate <info_t> (3)"), "id_of_library info info_t info_t base ");
}

TEST(Library, KnowsWordsOfDAsNoNames) {
  Words words;
  add_words("int curthread printf(\"%d\", x1) // y", words);
  EXPECT_EQ(words, (Words{"d", "x1", "y"}));
  EXPECT_TRUE(mentions("a = x1;", words));
  EXPECT_FALSE(mentions("a = x12;", words));
}

}  // namespace
}  // namespace kinst::d
