#include "consumer/aggregation_text.h"

#include <gtest/gtest.h>

#include "consumer/fixture_for_tests.h"

namespace kinst::consumer {
namespace {

using record::AggregatingFunction;

class AggregationText : public testing::Test {
 protected:
  // An aggregation keyed by `keys` ints.
  std::uint32_t add(AggregatingFunction function, std::uint32_t keys,
                    std::vector<std::int64_t> parameters = {}) {
    record::Aggregation aggregation{.function = function,
                                    .parameters = std::move(parameters)};
    for (std::uint32_t key = 0; key < keys; ++key) {
      aggregation.keys.push_back({4 * key, 4, table_.int_type()});
    }
    aggregation.key_size_bytes = 4 * keys;
    aggregation.value_words = record::value_words(function, aggregation.parameters);
    layouts_.aggregations.push_back(std::move(aggregation));
    return static_cast<std::uint32_t>(layouts_.aggregations.size() - 1);
  }
  void set(std::uint32_t aggregation, std::initializer_list<std::int32_t> keys,
           std::vector<std::uint64_t> words) {
    Bytes key;
    for (const std::int32_t part : keys) {
      key.add(part);
    }
    words.resize(layouts_.aggregations[aggregation].value_words);
    maps_.put(aggregation, {key.get(), std::move(words)});
  }
  Aggregations snapshot() {
    Aggregations aggregations(table_, layouts_, maps_, names_);
    EXPECT_TRUE(aggregations.refresh());
    return aggregations;
  }
  std::string printa(Aggregations& aggregations, std::vector<std::uint32_t> numbers,
                     std::string_view format = {}, const SortOptions& sort = {}) {
    const auto parsed = record::parse_format(format);
    EXPECT_TRUE(parsed);
    std::string out;
    append_printa(out, {names_}, aggregations,
                  {numbers, format.empty() ? nullptr : &*parsed}, sort);
    return out;
  }
  std::string unprinted(const Aggregations& aggregations,
                        const SortOptions& sort = {}) {
    std::string out;
    append_unprinted(out, {names_}, aggregations, sort);
    return out;
  }

  types::TypeTable table_;
  record::Layouts layouts_;
  MapsInMemory maps_;
  TableOfNames names_;
};

TEST_F(AggregationText, PrintsColumnsInOrderOfValues) {
  const auto sum = add(AggregatingFunction::Sum, 2);
  set(sum, {1, 10}, {1, 300});
  set(sum, {2, 20}, {1, 100});
  set(sum, {3, 15}, {1, 100});
  Aggregations aggregations = snapshot();
  EXPECT_EQ(printa(aggregations, {sum}),
            "\n"
            "        2       20              100\n"
            "        3       15              100\n"
            "        1       10              300\n");
  EXPECT_EQ(printa(aggregations, {sum}, "%d ", {.reversed = true}), "1 3 2 ");
  EXPECT_EQ(printa(aggregations, {sum}, "%d ", {.by_key = true}), "1 2 3 ");
  EXPECT_EQ(printa(aggregations, {sum}, "%d ", {.by_key = true, .key_position = 1}),
            "1 3 2 ");
}

TEST_F(AggregationText, PrintsProbesOfOneNameAsOneKey) {
  const auto sum = add(AggregatingFunction::Sum, 0);
  record::Aggregation& aggregation = layouts_.aggregations[sum];
  aggregation.keys = {{0, 8, table_.int64_type(), record::Meaning::ProbeFunction}};
  aggregation.key_size_bytes = 8;
  names_.probes[1] = {.function = "work", .name = "entry"};
  names_.probes[2] = {.function = "other", .name = "entry"};
  names_.probes[3] = {.function = "work", .name = "7"};
  for (const std::uint64_t probe : {1, 2, 3}) {
    maps_.put(sum, {Bytes().add(probe).get(), {1, 10 * probe}});
  }
  Aggregations aggregations = snapshot();
  EXPECT_EQ(printa(aggregations, {sum}, "%s %@d, "), "other 20, work 40, ");
  ASSERT_TRUE(aggregations.truncate(sum, 1));
  ASSERT_TRUE(aggregations.refresh());
  EXPECT_EQ(printa(aggregations, {sum}, "%s %@d, "), "work 40, ");
  ASSERT_TRUE(aggregations.clear(sum));
  ASSERT_TRUE(aggregations.refresh());
  EXPECT_EQ(printa(aggregations, {sum}, "%s %@d, "), "work 0, ");
}

TEST_F(AggregationText, FormatsKeysAndValues) {
  const auto average = add(AggregatingFunction::Avg, 1);
  set(average, {-4}, {2, 30});
  Aggregations aggregations = snapshot();
  EXPECT_EQ(printa(aggregations, {average}, "%d: %@-4d|%@x|\n"), "-4: 15  |f|\n");
  const auto count = add(AggregatingFunction::Count, 0);
  set(count, {}, {~std::uint64_t{0}});
  Aggregations counts = snapshot();
  EXPECT_EQ(printa(counts, {count}, "%@d"), "18446744073709551615");
}

TEST_F(AggregationText, DrawsDistributionsForAnyConversion) {
  const auto quantize = add(AggregatingFunction::Quantize, 0);
  std::vector<std::uint64_t> words(128);
  words[0] = 1;
  words[1 + 63] = 1;
  set(quantize, {}, words);
  Aggregations aggregations = snapshot();
  EXPECT_EQ(printa(aggregations, {quantize}, "[%@8d]"),
            "[\n           value  ------------- Distribution ------------- count    \n"
            "              -1 |                                         0        \n"
            "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
            "               1 |                                         0        \n]");
}

TEST_F(AggregationText, JoinsSeveralByTheirKeys) {
  const auto first = add(AggregatingFunction::Sum, 1);
  const auto second = add(AggregatingFunction::Sum, 1);
  set(first, {1}, {1, 5});
  set(first, {2}, {1, 4});
  set(second, {2}, {1, 9});
  set(second, {3}, {1, 1});
  Aggregations aggregations = snapshot();
  EXPECT_EQ(printa(aggregations, {first, second}),
            "\n"
            "        3                0                1\n"
            "        2                4                9\n"
            "        1                5                0\n");
  EXPECT_EQ(printa(aggregations, {first, second}, "%d ", {.position = 1}), "1 3 2 ");
  EXPECT_EQ(printa(aggregations, {first, second}, "%d ", {.by_key = true}), "1 2 3 ");
  EXPECT_EQ(printa(aggregations, {first, second, first}, "%d %@d %@d %@d %@d\n"),
            "3 0 1 0 0\n2 4 9 4 4\n1 5 0 5 5\n");
}

TEST_F(AggregationText, PrintsAtTheEndWhatWasNotPrinted) {
  const auto printed = add(AggregatingFunction::Count, 0);
  const auto left = add(AggregatingFunction::Count, 0);
  const auto never = add(AggregatingFunction::Count, 0);
  set(printed, {}, {1});
  set(left, {}, {2});
  set(never, {}, {0});
  Aggregations aggregations = snapshot();
  printa(aggregations, {printed});
  EXPECT_EQ(unprinted(aggregations), "                2\n");
}

TEST_F(AggregationText, KeepsKeysThatWereClearedAndDropsThoseTruncated) {
  const auto sum = add(AggregatingFunction::Sum, 1);
  set(sum, {1}, {1, 10});
  set(sum, {2}, {1, 20});
  set(sum, {3}, {1, 30});
  Aggregations aggregations = snapshot();
  ASSERT_TRUE(aggregations.truncate(sum, 2));
  EXPECT_EQ(printa(aggregations, {sum}, "%d=%@d "), "2=20 3=30 ");
  ASSERT_TRUE(aggregations.truncate(sum, -1));
  EXPECT_EQ(printa(aggregations, {sum}, "%d=%@d "), "2=20 ");
  ASSERT_TRUE(aggregations.clear(sum));
  EXPECT_EQ(printa(aggregations, {sum}, "%d=%@d "), "2=0 ");
  ASSERT_TRUE(aggregations.refresh());
  EXPECT_EQ(printa(aggregations, {sum}, "%d=%@d "), "2=0 ");
  ASSERT_TRUE(aggregations.truncate(sum, 0));
  ASSERT_TRUE(aggregations.refresh());
  EXPECT_EQ(printa(aggregations, {sum}, "%d=%@d "), "");
}

TEST_F(AggregationText, DividesByTheNormalUntilDenormalized) {
  const auto sum = add(AggregatingFunction::Sum, 0);
  set(sum, {}, {1, 19000});
  Aggregations aggregations = snapshot();
  aggregations.normalize(sum, 5);
  EXPECT_EQ(printa(aggregations, {sum}, "%@d"), "3800");
  aggregations.normalize(sum, 0);
  EXPECT_EQ(printa(aggregations, {sum}, "%@d"), "19000");
}

TEST_F(AggregationText, DrawsCountsAsBarsBesideTheirKeys) {
  const std::uint32_t count = add(AggregatingFunction::Count, 1);
  set(count, {7}, {3});
  set(count, {8}, {1});
  Aggregations aggregations = snapshot();
  std::string out;
  append_printa(out, {names_, 14, {.heads = true}}, aggregations,
                {std::span(&count, 1), nullptr}, {});
  EXPECT_EQ(out,
            "\n\n"
            "      key  ------------- Distribution ------------- count    \n"
            "        8 |@@@@@@@@@@                               1        \n"
            "        7 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n");
}

TEST_F(AggregationText, ZoomsToTheLargestBarByWholeCounts) {
  const std::uint32_t count = add(AggregatingFunction::Count, 1);
  set(count, {7}, {3});
  set(count, {8}, {1});
  Aggregations aggregations = snapshot();
  std::string out;
  append_unprinted(out, {names_, 14, {.heads = true, .zooms = true}}, aggregations, {});
  EXPECT_EQ(out,
            "\n"
            "      key  ------------- Distribution ------------- count    \n"
            "        8 |@@@@@@@@@@@@@                            1        \n"
            "        7 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3        \n");
}

TEST_F(AggregationText, LeavesSpaceBesideALargeZoomedBar) {
  const std::uint32_t count = add(AggregatingFunction::Count, 1);
  set(count, {7}, {100});
  set(count, {8}, {1});
  Aggregations aggregations = snapshot();
  std::string out;
  append_unprinted(out, {names_, 14, {.heads = true, .zooms = true}}, aggregations, {});
  // Of 105, which 100 is 95 of 100 parts of.
  EXPECT_EQ(out,
            "\n"
            "      key  ------------- Distribution ------------- count    \n"
            "        8 |                                         1        \n"
            "        7 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   100      \n");
}

TEST_F(AggregationText, PacksADistributionIntoALine) {
  const std::uint32_t sizes = add(AggregatingFunction::Quantize, 1);
  std::vector<std::uint64_t> words(layouts_.aggregations[sizes].value_words);
  const std::size_t first = words.size() - record::quantize_buckets;
  words[first + record::quantize_zero_bucket + 1] = 7;
  words[first + record::quantize_zero_bucket + 2] = 1;
  words[0] = words[0] == 0 ? 8 : words[0];
  set(sizes, {7}, words);
  Aggregations aggregations = snapshot();
  const auto drawn = [&](const DrawingOptions& drawing) {
    std::string out;
    append_unprinted(out, {names_, 14, drawing}, aggregations, {});
    return out;
  };
  EXPECT_EQ(drawn({.packs = true, .is_ascii = true}),
            "\n"
            "      key  min .----. max  | count\n"
            "        7    0 : X_ : 4    | 8\n");
  EXPECT_EQ(drawn({.packs = true}),
            "\n"
            "      key  min .----. max  | count\n"
            "        7    0 : ▇▂ : 4    | 8\n");
}

}  // namespace
}  // namespace kinst::consumer
