#include "consumer/json_presentation.h"

#include <gtest/gtest.h>

#include "consumer/fixture_for_tests.h"
#include "consumer/json_value.h"
#include "types/lay_out.h"

namespace kinst::consumer {
namespace {

class JsonValue : public testing::Test {
 protected:
  template <typename T>
  std::string write(types::TypeId type, const T& value, std::size_t limit = sizeof(T)) {
    std::string out;
    JsonWriter json(out);
    write_value(json, table_, type, std::as_bytes(std::span(&value, 1)).first(limit));
    return out;
  }
  types::TypeId record(const std::vector<types::MemberDeclaration>& members) {
    return table_.add(*types::lay_out(table_, types::RecordKind::Struct, "", members));
  }

  types::TypeTable table_;
};

TEST_F(JsonValue, NestsStructsAndArrays) {
  const types::TypeId inner =
      record({{.name = "low", .type = table_.int_type(), .width_bits = 3},
              {.name = "high", .type = table_.int_type(), .width_bits = 5}});
  const types::TypeId colour =
      table_.add(types::Enum{.tag = "colour", .enumerators = {{"RED", 1}}});
  const types::TypeId outer =
      record({{.type = inner},
              {.name = "numbers", .type = table_.array_of(table_.int_type(), 2)},
              {.name = "text", .type = table_.array_of(table_.char_type(), 4)},
              {.name = "shade", .type = colour},
              {.name = "inner", .type = inner}});
  const std::array<std::uint32_t, 6> words{0x2f,       1, ~std::uint32_t{0},
                                           0x00006968, 1, 1};
  EXPECT_EQ(write(outer, words),
            R"({"low":-1,"high":5,"numbers":[1,-1],"text":"hi","shade":"RED",)"
            R"("inner":{"low":1,"high":0}})");
  EXPECT_EQ(write(outer, words, 6),
            R"({"low":-1,"high":5,"numbers":[null,null],"text":"","shade":null,)"
            R"("inner":{"low":null,"high":null}})");
}

TEST_F(JsonValue, WritesNumbersWhole) {
  EXPECT_EQ(write(table_.int64_type(), std::numeric_limits<std::int64_t>::min()),
            "-9223372036854775808");
  EXPECT_EQ(write(table_.uint64_type(), ~std::uint64_t{0}), "18446744073709551615");
  const types::TypeId real = table_.add(types::Float{.name = "double"});
  EXPECT_EQ(write(real, 0.5), "0.5");
  EXPECT_EQ(write(real, std::numeric_limits<double>::infinity()), "null");
}

class JsonLines : public testing::Test {
 protected:
  JsonLines() {
    names_.probes[1] = provider::Probe{.id = 3, .provider = "kinst", .name = "4"};
  }
  static record::Value number(std::int64_t value) {
    return {.data = record::Integer{static_cast<std::uint64_t>(value), 8, true}};
  }
  // @ = lquantize(…, 0, 10, 10)
  static record::Aggregation linear() {
    constexpr auto function = record::AggregatingFunction::Lquantize;
    return {.name = "",
            .function = function,
            .parameters = {0, 10, 10},
            .value_words = record::value_words(function, {0, 10, 10})};
  }
  Firing firing() { return {.probe = names_.probe(1), .cpu = 1, .thread = 9}; }

  const std::string head_ =
      R"({"type":"record","probe":{"id":3,"provider":"kinst","module":"",)"
      R"("function":"","name":"4"},"cpu":1,"thread":9,"actions":[)";
  types::TypeTable table_;
  TableOfNames names_;
  OutputOptions options_;
  JsonPresentation presentation_{names_, table_, options_};
};

TEST_F(JsonLines, HoldARecordWithAllItsActions) {
  std::string out;
  presentation_.begin(out, firing());
  presentation_.trace(out, number(-5));
  presentation_.trace(out, {.meaning = record::Meaning::Symbol,
                            .data = record::Address{16, std::nullopt}});
  const auto format = record::parse_format("%d\n");
  presentation_.printf(out, {&*format, std::vector{number(7)}});
  const std::array<std::byte, 2> bytes{std::byte{0}, std::byte{0xff}};
  presentation_.tracemem(out, bytes);
  presentation_.exit(out, 1);
  presentation_.end(out);
  EXPECT_EQ(out, head_ + R"({"action":"trace","value":-5},)"
                         R"({"action":"trace","value":{"address":16,"symbol":"0x10"}},)"
                         R"({"action":"printf","text":"7\n","arguments":[7]},)"
                         R"({"action":"tracemem","bytes":"00ff"},)"
                         R"({"action":"exit","status":1}]})"
                         "\n");
}

TEST_F(JsonLines, PutWhatHappensWithinARecordBehindIt) {
  std::string out;
  presentation_.begin(out, firing());
  EXPECT_EQ(presentation_.drop(out, make_drop(DropKind::Record, 2, 0)), "");
  presentation_.end(out);
  EXPECT_EQ(presentation_.fault(out, "odd"), "");
  EXPECT_EQ(out, head_ +
                     "]}\n"
                     R"({"type":"drop","tag":"DTRACEDROP_PRINCIPAL","count":2,)"
                     R"("message":"2 drops on CPU 0"})"
                     "\n"
                     R"({"type":"error","message":"odd"})"
                     "\n");
}

TEST_F(JsonLines, TellFaultsWithTheirProbe) {
  std::string out;
  EXPECT_EQ(presentation_.error(out, {.header = {.probe = 7},
                                      .clause = 0,
                                      .action = 1,
                                      .place = 2,
                                      .fault = KINST_FAULT_DIVZERO}),
            "");
  EXPECT_EQ(
      out,
      R"({"type":"error","probe":null,"clause":0,"statement":1,"place":2,)"
      R"("fault":"divide-by-zero","address":0,"message":"error on enabled )"
      R"(probe ID 1 (unknown probe): divide-by-zero in action #1 at DIF offset 2"})"
      "\n");
}

TEST_F(JsonLines, ListWhatAggregationsHold) {
  record::Layouts layouts;
  layouts.aggregations.push_back({.name = "sizes",
                                  .function = record::AggregatingFunction::Sum,
                                  .keys = {{0, 4, table_.int_type()}},
                                  .key_size_bytes = 4,
                                  .value_words = 2});
  layouts.aggregations.push_back(linear());
  MapsInMemory maps;
  maps.put(0, {Bytes().add(std::int32_t{-1}).get(), {1, 42}});
  maps.put(1, {{}, {3, 1, 2, 0}});
  Aggregations aggregations(table_, layouts, maps, names_);
  ASSERT_TRUE(aggregations.refresh());
  std::string out;
  presentation_.finish(out, aggregations);
  EXPECT_EQ(out,
            R"({"type":"aggregation","aggregation":{"name":"sizes","function":"sum",)"
            R"("normal":1,"entries":[{"keys":[-1],"value":42}]}})"
            "\n"
            R"({"type":"aggregation","aggregation":{"name":"","function":"lquantize",)"
            R"("normal":1,"entries":[{"keys":[],"buckets":[{"most":-1,"count":1},)"
            R"({"least":0,"most":9,"count":2},{"least":10,"count":0}]}]}})"
            "\n");
}

TEST_F(JsonLines, DivideTheSmallestCountByAnyNormal) {
  record::Layouts layouts;
  layouts.aggregations.push_back(linear());
  MapsInMemory maps;
  maps.put(0, {{}, {1, 0, std::uint64_t{1} << 63U, 0}});
  Aggregations aggregations(table_, layouts, maps, names_);
  ASSERT_TRUE(aggregations.refresh());
  aggregations.normalize(0, -1);
  std::string out;
  presentation_.finish(out, aggregations);
  EXPECT_EQ(out,
            R"({"type":"aggregation","aggregation":{"name":"","function":"lquantize",)"
            R"("normal":-1,"entries":[{"keys":[],"buckets":[{"most":-1,"count":0},)"
            R"({"least":0,"most":9,"count":-9223372036854775808},)"
            R"({"least":10,"count":0}]}]}})"
            "\n");
}

}  // namespace
}  // namespace kinst::consumer
