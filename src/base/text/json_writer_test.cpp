#include "base/text/json_writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace kinst {
namespace {

template <typename Value>
std::string json_of(const Value& value) {
  std::string out;
  JsonWriter(out).value(value);
  return out;
}

TEST(JsonWriter, PutsCommasBetweenMembersAndElements) {
  std::string out = "before ";
  {
    JsonWriter json(out);
    json.begin_object();
    json.member("name", "read");
    json.key("empty");
    json.begin_array();
    json.end_array();
    json.key("list");
    json.begin_array();
    json.value(1);
    json.begin_object();
    json.end_object();
    json.begin_array();
    json.null();
    json.value(true);
    json.end_array();
    json.value("last");
    json.end_array();
    json.member("is_over", false);
    json.end_object();
  }
  EXPECT_EQ(out, R"(before {"name":"read","empty":[],"list":[1,{},[null,true],"last"],)"
                 R"("is_over":false})");
}

TEST(JsonWriter, LeavesOutMembersWithoutText) {
  std::string out;
  append_json_line(out, "line", [](JsonWriter& json) {
    json.member_unless_empty("absent", "");
    json.member_unless_empty("present", "text");
  });
  append_json_line(out, "empty", [](JsonWriter&) {});
  EXPECT_EQ(out,
            "{\"type\":\"line\",\"present\":\"text\"}\n"
            "{\"type\":\"empty\"}\n");
}

TEST(JsonWriter, WritesNumbersWhole) {
  EXPECT_EQ(json_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(json_of(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(json_of(std::int8_t{-1}), "-1");
  EXPECT_EQ(json_of(std::uint8_t{255}), "255");
}

TEST(JsonWriter, WritesRealNumbersAndNullForWhatJsonDoesNotHave) {
  EXPECT_EQ(json_of(0.5), "0.5");
  EXPECT_EQ(json_of(-2.0F), "-2");
  EXPECT_EQ(json_of(1e22), "1e+22");
  EXPECT_EQ(json_of(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(json_of(std::numeric_limits<float>::quiet_NaN()), "null");
}

TEST(JsonWriter, WritesNullForAnOptionalThatHoldsNothing) {
  EXPECT_EQ(json_of(std::optional<std::uint32_t>()), "null");
  EXPECT_EQ(json_of(std::optional<std::uint32_t>(7)), "7");
}

TEST(JsonWriter, EscapesWhatJsonDoesNotAllowInStringsAndKeys) {
  EXPECT_EQ(json_of("a\"b\\c\n\t\x01\x7f/"), R"("a\"b\\c\n\t\u0001\u007f/")");
  EXPECT_EQ(json_of("\xc2\x9b"), R"("\u009b")");
  EXPECT_EQ(json_of(""), R"("")");
  EXPECT_EQ(json_of(std::string_view("a\0b", 3)), R"("a\u0000b")");
  std::string out;
  {
    JsonWriter json(out);
    json.begin_object();
    json.member("\"", 1);
    json.end_object();
  }
  EXPECT_EQ(out, R"({"\"":1})");
}

TEST(JsonWriter, KeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(json_of("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x90"),
            "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x90\"");
  const std::string none = "\xef\xbf\xbd";
  EXPECT_EQ(json_of("\xff"), "\"" + none + "\"");
  EXPECT_EQ(json_of("\xc3"), "\"" + none + "\"");             // cut off
  EXPECT_EQ(json_of("\xc0\x80"), "\"" + none + none + "\"");  // too long
  EXPECT_EQ(json_of("\xed\xa0\x80"), "\"" + none + none + none + "\"");
}

#ifndef NDEBUG
TEST(JsonWriterDeathTest, RefusesWhatWouldBeNoJson) {
  std::string out;
  EXPECT_DEATH(
      {
        JsonWriter json(out);
        json.begin_array();
      },
      "open_.empty");
  EXPECT_DEATH(
      {
        JsonWriter json(out);
        json.begin_array();
        json.end_object();
      },
      "ends_with");
  EXPECT_DEATH(
      {
        JsonWriter json(out);
        json.begin_object();
        json.value(1);
      },
      "has_key_");
  EXPECT_DEATH(
      {
        JsonWriter json(out);
        json.value(1);
        json.value(2);
      },
      "is_first_");
}
#endif

}  // namespace
}  // namespace kinst
