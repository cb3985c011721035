#include "codegen/variable_listing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "codegen/generated_fixture.h"

namespace kinst::codegen {
namespace {

std::string list(std::string_view text) {
  const auto made = testing::generate_text(text);
  EXPECT_EQ(made->diagnostics, "");
  return list_variables(
      made->program, made->generated.storage, made->types, [&](const Span& span) {
        return 1 + static_cast<std::uint32_t>(
                       std::ranges::count(text.substr(0, span.begin), '\n'));
      });
}

TEST(ListVariables, PlacesVariablesAtTheirAlignment) {
  EXPECT_EQ(list("char c; short s[3]; this char tc; this int ti; self char sc; self "
                 "int si; struct { char m; } r;\n"
                 "BEGIN { c = 1; s[1] = 2; this->tc = 3; this->ti = 4; self->sc = 5;\n"
                 "self->si = 6; r.m = 7; }"),
            "NAME             ID   OFFSET KND SCP RANGE       FLAG TYPE\n"
            "c                500  0      scl glb [2-2]       w    D type (integer) "
            "(size 1)\n"
            "s                501  2      scl glb [2-2]       r    D type (array) by "
            "ref (size 6)\n"
            "tc               502  0      scl loc [2-2]       w    D type (integer) "
            "(size 1)\n"
            "ti               503  4      scl loc [2-2]       w    D type (integer) "
            "(size 4)\n"
            "sc               504  0      scl tls [2-2]       w    D type (integer) "
            "(size 1)\n"
            "si               505  0      scl tls [3-3]       w    D type (integer) "
            "(size 4)\n"
            "r                506  8      scl glb [3-3]       r    D type (struct) by "
            "ref (size 1)\n\n");
}

TEST(ListVariables, TellsReadingFromWriting) {
  EXPECT_EQ(list("BEGIN { a = 1; b = a; c[a] = 2;\nb++; }"),
            "NAME             ID   OFFSET KND SCP RANGE       FLAG TYPE\n"
            "a                500  0      scl glb [1-1]       r/w  D type (integer) "
            "(size 4)\n"
            "b                501  4      scl glb [1-2]       r/w  D type (integer) "
            "(size 4)\n"
            "c                502  0      arr glb [1-1]       w    D type (integer) "
            "(size 4)\n\n");
}

TEST(ListVariables, ListsWhatEachClauseNames) {
  EXPECT_EQ(list("BEGIN { a = execname; } BEGIN { trace(1); } END { trace(a); }"),
            "NAME             ID   OFFSET KND SCP RANGE       FLAG TYPE\n"
            "a                500  0      scl glb [1-1]       w    string (unknown) by "
            "ref (size 255)\n"
            "execname         110         scl glb [1-1]       r    string (unknown) by "
            "ref (size 255)\n\n"
            "NAME             ID   OFFSET KND SCP RANGE       FLAG TYPE\n"
            "a                500  0      scl glb [1-1]       r    string (unknown) by "
            "ref (size 255)\n\n");
}

}  // namespace
}  // namespace kinst::codegen
