// Every aggregating function is added up over the CPUs and shown in each way.
#include <gtest/gtest.h>

#include <string>

#include "consumer/fixture_for_tests.h"
#include "consumer/json_presentation.h"
#include "consumer/text_presentation.h"

namespace kinst::consumer {
namespace {

std::vector<std::int64_t> parameters_of(record::Buckets buckets) {
  switch (buckets) {
    case record::Buckets::None:
    case record::Buckets::Powers:
      return {};
    case record::Buckets::Linear:
      return {0, 100, 10};
    case record::Buckets::LogLinear:
      return {10, 0, 3, 10};
  }
  return {};
}

class EveryFunction : public testing::Test {
 protected:
  // What a presentation prints when the run is over, of an aggregation that two CPUs
  // have updated once each.
  template <typename Presentation>
  std::string shown(const record::AggregatingFunctionInfo& info,
                    const OutputOptions& options) {
    const auto parameters = parameters_of(info.buckets);
    record::Layouts layouts;
    layouts.aggregations.push_back(
        {.name = "a",
         .function = info.function,
         .parameters = parameters,
         .keys = {{0, 4, table_.int_type()}},
         .key_size_bytes = 4,
         .value_words = record::value_words(info.function, parameters)});
    MapsInMemory maps;
    maps.put(0, {Bytes().add(std::int32_t{7}).get(),
                 std::vector<std::uint64_t>(
                     std::size_t{2} * layouts.aggregations.front().value_words, 1)});
    Aggregations aggregations(table_, layouts, maps, names_);
    EXPECT_TRUE(aggregations.refresh());
    Presentation presentation(names_, table_, options);
    std::string out;
    presentation.finish(out, aggregations);
    return out;
  }

  types::TypeTable table_;
  TableOfNames names_;
};

TEST_F(EveryFunction, IsShownInJsonByItsNameWithANumberOrBuckets) {
  for (const auto& info : record::all_aggregating_functions()) {
    const std::string out = shown<JsonPresentation>(info, {});
    EXPECT_NE(out.find(R"("function":")" + std::string(info.name) + '"'),
              std::string::npos)
        << out;
    EXPECT_NE(
        out.find(is_distribution(info.function) ? R"("buckets":[{)" : R"("value":)"),
        std::string::npos)
        << out;
  }
}

TEST_F(EveryFunction, IsShownInTextWithItsKey) {
  OutputOptions drawn;
  drawn.drawing = {.packs = true, .heads = true};
  for (const auto& info : record::all_aggregating_functions()) {
    for (const OutputOptions& options : {OutputOptions{}, drawn}) {
      const std::string out = shown<TextPresentation>(info, options);
      EXPECT_NE(out.find(" 7"), std::string::npos) << info.name << ": " << out;
    }
  }
}

}  // namespace
}  // namespace kinst::consumer
