// Whole records in, text out.
#include "consumer/consumer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "consumer/fixture_for_tests.h"
#include "consumer/json_presentation.h"
#include "consumer/text_presentation.h"

namespace kinst::consumer {
namespace {

using record::Action;
using record::ActionKind;

constexpr std::uint64_t begin_key = 1;
constexpr std::uint64_t read_key = 0x1000;

class ConsumerTest : public testing::Test {
 protected:
  ConsumerTest() {
    names_.probes[begin_key] =
        provider::Probe{.id = 1, .provider = "dtrace", .name = "BEGIN"};
    names_.probes[read_key] = provider::Probe{.id = 77,
                                              .provider = "kinst",
                                              .module = "vmlinux",
                                              .function = "vfs_read",
                                              .name = "4"};
    options_.hides_cpu_and_id = true;
  }

  // Adds a clause; its fields begin behind the header.
  std::uint32_t clause(std::vector<Action> actions, bool is_speculative = false) {
    const auto number = static_cast<std::uint32_t>(layouts_.clauses.size());
    layouts_.clauses.push_back({.clause = number,
                                .actions = std::move(actions),
                                .is_speculative = is_speculative});
    return number;
  }
  // An action with an int behind the header and whatever is before it.
  Action on_int(ActionKind kind, std::string format = {}, std::uint32_t place = 0) {
    return Action{.kind = kind,
                  .fields = {{24 + 4 * place, 4, table_.int_type()}},
                  .format = std::move(format)};
  }
  static std::vector<std::byte> record(std::uint32_t clause, std::uint64_t key,
                                       const std::vector<std::int32_t>& numbers,
                                       std::uint32_t speculation = 0,
                                       std::uint32_t thread = 5) {
    Bytes bytes;
    bytes.add(kinst_record_header{.clause = clause,
                                  .cpu = 2,
                                  .speculation = speculation,
                                  .tid = thread,
                                  .probe = key});
    for (const std::int32_t number : numbers) {
      bytes.add(number);
    }
    return bytes.get();
  }

  // Consumes the records and gives back what was printed.
  std::string consume(const std::vector<std::vector<std::byte>>& records) {
    Aggregations aggregations(table_, layouts_, maps_, names_);
    EXPECT_TRUE(aggregations.refresh());
    TextPresentation presentation(names_, table_, options_);
    Output output(-1);
    ConsumerHost host{.set_option = [&](std::string_view name,
                                        std::string_view value) -> Result<void> {
                        set_options_ +=
                            std::string(name) + "=" + std::string(value) + ";";
                        if (name == "bad") {
                          return error("there is no such option");
                        }
                        options_.quiet = options_.quiet || name == "quiet";
                        return {};
                      },
                      .run = [](const std::string&) -> Result<void> { return {}; },
                      .report =
                          [&](std::string_view message) {
                            reported_ += std::string(message) + "\n";
                          }};
    auto consumer = Consumer::make({table_, layouts_, names_, aggregations,
                                    presentation, options_, output, std::move(host)});
    EXPECT_TRUE(consumer);
    for (const std::vector<std::byte>& bytes : records) {
      const auto result = consumer->consume(bytes);
      EXPECT_TRUE(result) << result.error().message;
    }
    exit_status_ = consumer->exit_status();
    return output.text();
  }

  types::TypeTable table_;
  record::Layouts layouts_;
  MapsInMemory maps_;
  TableOfNames names_;
  OutputOptions options_;
  std::string set_options_;
  std::string reported_;
  std::optional<std::int32_t> exit_status_;
};

TEST_F(ConsumerTest, PrintsARowForEachRecordUnderAHeading) {
  const auto traced = clause({on_int(ActionKind::Trace)});
  EXPECT_EQ(consume({record(traced, begin_key, {1}), record(traced, read_key, {-2})}),
            "                   FUNCTION:NAME\n"
            "                          :BEGIN           1\n"
            "                      vfs_read:4          -2\n");
}

TEST_F(ConsumerTest, ShowsCpuAndIdUnlessTheyAreHidden) {
  options_.hides_cpu_and_id = false;
  const auto traced = clause({on_int(ActionKind::Trace)});
  EXPECT_EQ(consume({record(traced, read_key, {7})}),
            "CPU     ID                    FUNCTION:NAME\n"
            "  2     77                       vfs_read:4           7\n");
}

TEST_F(ConsumerTest, PrintsOnlyWhatActionsSayWhenQuiet) {
  options_.quiet = true;
  const auto both =
      clause({on_int(ActionKind::Trace), on_int(ActionKind::Printf, " is %#x\n", 1)});
  EXPECT_EQ(consume({record(both, begin_key, {-3, 16})}), "-3 is 0x10\n");
}

TEST_F(ConsumerTest, PrintsTheProbeAloneForADefaultClause) {
  const auto nothing = clause({});
  layouts_.clauses[nothing].is_default = true;
  EXPECT_EQ(consume({record(nothing, read_key, {})}),
            "                   FUNCTION:NAME\n                      vfs_read:4 \n");
}

TEST_F(ConsumerTest, ShowsNothingOfARecordWhoseActionsDidNotRun) {
  Action guarded = on_int(ActionKind::Trace);
  guarded.guard_offset = 28;
  const auto traced = clause({guarded});
  EXPECT_EQ(consume({record(traced, begin_key, {1, 0})}), "");
}

TEST_F(ConsumerTest, IndentsByEntryAndReturnOfEachThread) {
  options_.flow_indent = true;
  const auto nothing = clause({});
  layouts_.clauses[nothing].is_default = true;
  const auto again = clause({});
  layouts_.clauses[again].is_default = true;
  names_.probes[10] = {.provider = "fbt", .function = "outer", .name = "entry"};
  names_.probes[11] = {.provider = "fbt", .function = "outer", .name = "return"};
  names_.probes[12] = {.provider = "syscall",
                       .function = "read",
                       .name = "entry",
                       .site = provider::SystemCall{}};
  const std::string out =
      consume({record(nothing, 12, {}), record(nothing, 10, {}), record(again, 10, {}),
               record(nothing, 10, {}, 0, 6), record(nothing, read_key, {}),
               record(nothing, 11, {}), record(nothing, 11, {})});
  const auto line = [](std::string text) {
    text.resize(42, ' ');
    return text + "\n";
  };
  EXPECT_EQ(out, line("FUNCTION").erase(41, 1) + line(" => read") +
                     line("   -> outer") + line("    | outer:entry") +
                     line(" -> outer") + line("    | vfs_read:4") +
                     line("   <- outer") + line(" <- outer"));
}

TEST_F(ConsumerTest, HoldsSpeculationsUntilTheyAreCommitted) {
  options_.quiet = true;
  const auto speculated = clause({on_int(ActionKind::Printf, "%d ")}, true);
  const auto committed = clause({on_int(ActionKind::Commit)});
  const auto discarded = clause({on_int(ActionKind::Discard)});
  EXPECT_EQ(
      consume({record(speculated, begin_key, {1}, 8),
               record(speculated, begin_key, {2}, 9),
               record(speculated, begin_key, {3}, 8), record(discarded, begin_key, {9}),
               record(committed, begin_key, {9}), record(committed, begin_key, {8})}),
      "1 3 ");
}

TEST_F(ConsumerTest, LosesSpeculativeRecordsOfNoSpeculation) {
  options_.quiet = true;
  const auto speculated = clause({on_int(ActionKind::Printf, "%d ")}, true);
  const auto committed = clause({on_int(ActionKind::Commit)});
  EXPECT_EQ(
      consume(
          {record(speculated, begin_key, {1}, 8), record(speculated, begin_key, {2}, 0),
           record(speculated, begin_key, {3}, 8), record(committed, begin_key, {8})}),
      "1 3 ");
}

TEST_F(ConsumerTest, ShowsNoRowForACommitItselfButForWhatItCommits) {
  const auto speculated = clause({on_int(ActionKind::Trace)}, true);
  const auto committed = clause({on_int(ActionKind::Commit)});
  EXPECT_EQ(consume({record(speculated, read_key, {1}, 8),
                     record(committed, begin_key, {8})}),
            "                   FUNCTION:NAME\n"
            "                      vfs_read:4           1\n");
}

TEST_F(ConsumerTest, EndsTheLineOfARecordInWhichAnActionFails) {
  layouts_.aggregations.push_back(
      {.function = record::AggregatingFunction::Count, .value_words = 1});
  const auto failing = clause({on_int(ActionKind::Trace),
                               Action{.kind = ActionKind::Clear, .aggregations = {0}},
                               on_int(ActionKind::Trace, {}, 1)});
  class RefusingMaps : public MapsInMemory {
   public:
    Result<void> clear(std::uint32_t /*aggregation*/,
                       std::span<const std::byte> /*key*/) override {
      return error("cannot clear it");
    }
  };
  RefusingMaps maps;
  maps.put(0, {{}, {1}});
  Aggregations aggregations(table_, layouts_, maps, names_);
  ASSERT_TRUE(aggregations.refresh());
  JsonPresentation presentation(names_, table_, options_);
  Output output(-1);
  auto consumer = Consumer::make(
      {table_, layouts_, names_, aggregations, presentation, options_, output, {}});
  ASSERT_TRUE(consumer);
  const auto result = consumer->consume(record(failing, begin_key, {1, 2}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "cannot clear it");
  EXPECT_EQ(output.text(),
            R"({"type":"record","probe":{"id":1,"provider":"dtrace","module":"",)"
            R"("function":"","name":"BEGIN"},"cpu":2,"thread":5,"actions":[)"
            R"({"action":"trace","value":1}]})"
            "\n");
}

TEST_F(ConsumerTest, TakesANewSnapshotForEachRecordThatNeedsOneUnlessToldOtherwise) {
  options_.quiet = true;
  layouts_.aggregations.push_back(
      {.function = record::AggregatingFunction::Count, .value_words = 1});
  const auto printed = clause(
      {Action{.kind = ActionKind::Printa, .format = "%@d ", .aggregations = {0}}});
  // Each reading finds one more.
  class GrowingMaps : public MapsInMemory {
   public:
    Result<std::vector<Entry>> read(std::uint32_t /*aggregation*/) override {
      return std::vector{Entry{{}, {++count_}}};
    }

   private:
    std::uint64_t count_ = 0;
  };
  const auto print = [&](std::chrono::nanoseconds interval) {
    options_.aggregation_interval = interval;
    GrowingMaps maps;
    Aggregations aggregations(table_, layouts_, maps, names_);
    TextPresentation presentation(names_, table_, options_);
    Output output(-1);
    auto consumer = Consumer::make(
        {table_, layouts_, names_, aggregations, presentation, options_, output, {}});
    for (int count = 0; count < 3; ++count) {
      EXPECT_TRUE(consumer->consume(record(printed, begin_key, {})));
    }
    // setopt("aggrate", "0")
    options_.aggregation_interval = {};
    EXPECT_TRUE(consumer->consume(record(printed, begin_key, {})));
    return output.text();
  };
  EXPECT_EQ(print(std::chrono::nanoseconds(0)), "1 2 3 4 ");
  EXPECT_EQ(print(std::chrono::hours(1)), "1 1 1 2 ");
}

TEST_F(ConsumerTest, KeepsTheStatusOfTheLastExit) {
  const auto exits = clause({on_int(ActionKind::Exit)});
  options_.quiet = true;
  EXPECT_EQ(consume({record(exits, begin_key, {3}), record(exits, begin_key, {4})}),
            "");
  EXPECT_EQ(exit_status_, 4);
}

TEST_F(ConsumerTest, TellsFaultsBesideTheOutput) {
  Bytes bytes;
  bytes.add(
      kinst_error_record{.header = {.clause = KINST_RECORD_ERROR, .probe = begin_key},
                         .clause = 1,
                         .action = 2,
                         .place = 16,
                         .fault = KINST_FAULT_BADADDR,
                         .address = 0x10});
  EXPECT_EQ(consume({bytes.get()}), "");
  EXPECT_EQ(reported_,
            "error on enabled probe ID 2 (ID 1: dtrace:::BEGIN): invalid address "
            "(0x10) in action #2 at DIF offset 16\n");
}

TEST_F(ConsumerTest, SetsOptionsAtOnceAndTellsThoseItCannot) {
  const auto sets = clause({Action{.kind = ActionKind::Setopt, .format = "bad=3"},
                            Action{.kind = ActionKind::Setopt, .format = "quiet"},
                            on_int(ActionKind::Trace)});
  EXPECT_EQ(consume({record(sets, begin_key, {5})}),
            "                   FUNCTION:NAME\n                          :BEGIN 5");
  EXPECT_EQ(set_options_, "bad=3;quiet=1;");
  EXPECT_EQ(reported_,
            "setopt(): cannot set \"bad\" to \"3\": there is no such option\n");
}

TEST_F(ConsumerTest, DumpsAsManyBytesAsTracememsSecondArgumentSays) {
  options_.quiet = true;
  const auto traced =
      clause({Action{.kind = ActionKind::Tracemem,
                     .fields = {{24, 4, table_.array_of(table_.char_type(), 4)},
                                {28, 4, table_.int_type()}}}});
  const auto dump = [](std::string_view hexadecimal, std::string_view characters) {
    std::string line = "         0: " + std::string(hexadecimal);
    line.resize(61, ' ');
    return "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  "
           "0123456789abcdef\n" +
           line + std::string(characters) + "\n";
  };
  const std::int32_t text = 0x64636261;
  EXPECT_EQ(consume({record(traced, begin_key, {text, 2})}), dump("61 62", "ab"));
  EXPECT_EQ(consume({record(traced, begin_key, {text, 99})}),
            dump("61 62 63 64", "abcd"));
  EXPECT_EQ(consume({record(traced, begin_key, {text, -1})}),
            dump("61 62 63 64", "abcd"));
  EXPECT_EQ(consume({record(traced, begin_key, {text, 0})}), "");
}

TEST_F(ConsumerTest, RefusesBytesThatAreNoRecord) {
  clause({on_int(ActionKind::Trace)});
  Aggregations aggregations(table_, layouts_, maps_, names_);
  TextPresentation presentation(names_, table_, options_);
  Output output(-1);
  auto consumer = Consumer::make(
      {table_, layouts_, names_, aggregations, presentation, options_, output, {}});
  ASSERT_TRUE(consumer);
  EXPECT_EQ(consumer->consume(record(0, begin_key, {})).error().message,
            "a record of clause 0 is cut off");
}

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Output, GoesWhereItWasReopenedAndBack) {
  const auto directory = std::filesystem::temp_directory_path() /
                         ("kinst-output-" + std::to_string(::getpid()));
  std::filesystem::create_directories(directory);
  const auto file = directory / "file";
  {
    Output output(-1);
    ASSERT_TRUE(output.reopen(file));
    output.text() += "lost";
    output.truncate();
    output.text() += "one";
    ASSERT_TRUE(output.flush());
    output.text() += "two";
    EXPECT_FALSE(output.reopen(directory / "missing" / "file"));
    ASSERT_TRUE(output.reopen(""));
    output.text() += "three";
    EXPECT_FALSE(output.flush());  // to descriptor -1
  }
  EXPECT_EQ(contents(file), "onetwo");
  std::filesystem::remove_all(directory);
}

TEST(Messages, CountWhatWasLostBetweenTwoReadings) {
  std::vector<kinst_counters> before(2);
  std::vector<kinst_counters> after(2);
  before[1].record_drops = 5;
  after[1].record_drops = 8;
  after[0].aggregation_drops = 1;
  after[0].dynamic_drops = 1;
  after[1].dynamic_drops = 1;
  after[1].speculation_busy = 1;
  std::string text;
  for (const Drop& drop : drops_between(before, after)) {
    text += drop_text(drop, true) + "\n";
  }
  EXPECT_EQ(text,
            "[DTRACEDROP_AGGREGATION] 1 aggregation drop on CPU 0\n"
            "[DTRACEDROP_PRINCIPAL] 3 drops on CPU 1\n"
            "[DTRACEDROP_DYNAMIC] 2 dynamic variable drops\n"
            "[DTRACEDROP_SPECUNAVAIL] 1 failed speculation (no speculative buffer "
            "available)\n");
}

}  // namespace
}  // namespace kinst::consumer
