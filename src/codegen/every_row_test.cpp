// Every row of D's tables goes through all stages: it is checked, planned, generated
// and linked with the runtime. A row that one of them does not know fails here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "bpf/code/link.h"
#include "bpf/code/runtime_object.h"
#include "codegen/context/context.h"
#include "codegen/generated_fixture.h"
#include "codegen/plan/storage.h"
#include "d/tables/action.h"
#include "d/tables/builtin.h"
#include "d/tables/prototype.h"
#include "d/tables/subroutine.h"
#include "d/tables/symbolic.h"
#include "record/aggregating_function.h"

namespace kinst::codegen {
namespace {

using testing::generate_at;
using testing::GeneratedText;
using testing::TracedProbe;

const bpf::Runtime& runtime() {
  static const bpf::Runtime read = *bpf::read_runtime(bpf::embedded_runtime());
  return read;
}

// Why the text's programs cannot be loaded; empty if they can.
std::string fault_of(const GeneratedText& made) {
  if (!made.diagnostics.empty()) {
    return made.diagnostics;
  }
  const auto image = bpf::link(made.generated.object, runtime());
  return image ? std::string() : image.error().message;
}

TracedProbe instruction_probe() {
  const auto probes = testing::probes_of_all_contexts();
  return *std::ranges::find_if(probes, [](const TracedProbe& one) {
    return std::holds_alternative<provider::KernelInstruction>(one.probe.site);
  });
}

// The built-in variable as D programs write it.
std::string written(const d::BuiltinInfo& info) {
  switch (info.index) {
    case d::BuiltinIndex::None:
    case d::BuiltinIndex::MaximumFrames:
      return std::string(info.name);
    case d::BuiltinIndex::Argument:
      return fmt::format("{}[0]", info.name);
    case d::BuiltinIndex::Register:
    case d::BuiltinIndex::UserRegister:
      return fmt::format("{}[R_RSI]", info.name);
  }
  return {};
}

std::string recorded(std::string_view value) {
  return fmt::format("PROBE {{ trace({0}); @[{0}] = count(); }}", value);
}

std::string computed(std::string_view value) {
  return fmt::format("PROBE /{0} == {0}/ {{ trace(1); }}", value);
}

// Whether programs can compute with it, and not only record it.
bool can_be_computed(const d::BuiltinInfo& info) {
  return info.meaning == record::Meaning::Value ||
         info.meaning == record::Meaning::ProbeId ||
         std::ranges::find(probe_texts, info.meaning, &ProbeText::meaning) !=
             probe_texts.end();
}

// An argument of the type that a prototype has.
std::string argument_of(const d::PrototypeParameter& parameter) {
  if (parameter.is_aggregation) {
    return "@a";
  }
  if (parameter.type == "const char *") {
    return "\"text\"";
  }
  return parameter.type.ends_with('*') ? fmt::format("({})alloca(8)", parameter.type)
                                       : std::string("1");
}

// A call with the first `count` arguments.
std::string call_of(std::string_view name, const d::Prototype& prototype,
                    std::size_t count) {
  std::string arguments;
  for (std::size_t i = 0; i < count; ++i) {
    const d::PrototypeParameter& parameter = prototype.parameters[i];
    const bool is_any = parameter.type.empty() && !parameter.is_aggregation;
    // What can be anything, with more of it behind, is a format.
    const std::string_view any = prototype.is_variadic ? "\"text\"" : "curthread";
    arguments += fmt::format("{}{}", i == 0 ? "" : ", ",
                             is_any ? std::string(any) : argument_of(parameter));
  }
  return fmt::format("{}({})", name, arguments);
}

// What FakeKernel has no types of.
constexpr std::string_view declarations =
    "struct mutex { long owner; };\n"
    "struct in6_addr { char bytes[16]; };\n"
    "typedef struct { int readers; } rwlock_t;\n";

TEST(EveryRow, OfSitesHasASampleForEachContext) {
  std::set<std::size_t> sites;
  std::set<std::string_view> contexts;
  const auto probes = testing::probes_of_all_contexts();
  for (const TracedProbe& probe : probes) {
    const auto made = generate_at(probe, "PROBE { trace(1); }");
    EXPECT_EQ(fault_of(*made), "");
    ASSERT_EQ(made->plan.groups.size(), 1U);
    sites.insert(probe.probe.site.index());
    contexts.insert(context_of(made->plan.groups.front().context).name);
  }
  EXPECT_EQ(sites.size(), std::variant_size_v<provider::Site>);
  EXPECT_EQ(contexts.size(), probes.size());
}

TEST(EveryRow, OfContextsCanTellItsProbesApartIfItServesMany) {
  for (const TracedProbe& probe : testing::probes_of_all_contexts()) {
    const auto made = generate_at(probe, "PROBE { trace(1); }");
    const Context& context = context_of(made->plan.groups.front().context);
    EXPECT_EQ(context.serves_many, context.identify != nullptr) << context.name;
    EXPECT_TRUE(!context.begins_behind_probe || context.interrupted_register != nullptr)
        << context.name;
  }
}

TEST(EveryRow, OfBuiltinsIsRecordedAndIsAKey) {
  const TracedProbe probe = instruction_probe();
  for (const d::BuiltinInfo& info : d::all_builtins()) {
    EXPECT_EQ(fault_of(*generate_at(probe, recorded(written(info)))), "") << info.name;
  }
}

TEST(EveryRow, OfBuiltinsIsComputedWithUnlessOnlyTheConsumerKnowsIt) {
  const TracedProbe probe = instruction_probe();
  for (const d::BuiltinInfo& info : d::all_builtins()) {
    const std::string fault = fault_of(*generate_at(probe, computed(written(info))));
    if (can_be_computed(info)) {
      EXPECT_EQ(fault, "") << info.name;
    } else {
      EXPECT_NE(fault.find("can be recorded and be a key, but not computed with"),
                std::string::npos)
          << info.name << ": " << fault;
    }
  }
}

// Refused with a tag, or generated and linked.
TEST(EveryRow, OfBuiltinsIsKnownInEveryContext) {
  for (const TracedProbe& probe : testing::probes_of_all_contexts()) {
    for (const d::BuiltinInfo& info : d::all_builtins()) {
      for (const std::string& text :
           {recorded(written(info)), computed(written(info))}) {
        const auto made = generate_at(probe, text);
        if (made->diagnostics.find("[D_") == std::string::npos) {
          EXPECT_EQ(fault_of(*made), "")
              << text << " at site " << probe.probe.site.index();
        }
      }
    }
  }
}

TEST(EveryRow, OfStacksAndSymbolsIsKnownInEveryContext) {
  for (const TracedProbe& probe : testing::probes_of_all_contexts()) {
    for (const d::SymbolicInfo& info : d::all_symbolics()) {
      const d::Prototype prototype = d::parse_prototype(info.prototype);
      const std::string call = call_of(info.name, prototype, prototype.required());
      EXPECT_EQ(fault_of(*generate_at(probe, recorded(call))), "")
          << call << " at site " << probe.probe.site.index();
    }
  }
}

TEST(EveryRow, OfSubroutinesIsCalledWithAndWithoutWhatCanBeLeftOut) {
  const TracedProbe probe = instruction_probe();
  for (const d::SubroutineInfo& info : d::all_subroutines()) {
    const d::Prototype prototype = d::parse_prototype(info.prototype);
    for (const std::size_t count :
         {prototype.required(), prototype.parameters.size()}) {
      const std::string call = call_of(info.name, prototype, count);
      const std::string text = fmt::format(
          "{}PROBE {{ {}; }}", declarations,
          prototype.result == "void" ? call : fmt::format("trace({})", call));
      EXPECT_EQ(fault_of(*generate_at(probe, text)), "") << call;
    }
  }
}

TEST(EveryRow, OfActionsIsRecordedOrDone) {
  const TracedProbe probe = instruction_probe();
  for (const d::ActionInfo& info : d::all_actions()) {
    const d::Prototype prototype = d::parse_prototype(info.prototype);
    for (const std::size_t count :
         {prototype.required(), prototype.parameters.size()}) {
      const std::string call = call_of(info.name, prototype, count);
      const std::string text =
          fmt::format("PROBE {{ @a = count(); }} PROBE {{ {}; }}", call);
      EXPECT_EQ(fault_of(*generate_at(probe, text)), "") << call;
    }
  }
}

// The parameters of a function, and the value in front of them.
std::string arguments_of(const record::AggregatingFunctionInfo& info) {
  switch (info.buckets) {
    case record::Buckets::None:
      return d::parse_prototype(info.prototype).parameters.empty() ? "" : "pid";
    case record::Buckets::Powers:
      return "pid";
    case record::Buckets::Linear:
      return "pid, 0, 100, 10";
    case record::Buckets::LogLinear:
      return "pid, 10, 0, 3, 10";
  }
  return {};
}

TEST(EveryRow, OfAggregatingFunctionsIsUpdatedAndHasAPlaceForItsValue) {
  const TracedProbe probe = instruction_probe();
  for (const auto& info : record::all_aggregating_functions()) {
    const auto made = generate_at(probe, fmt::format("PROBE {{ @[pid] = {}({}); }}",
                                                     info.name, arguments_of(info)));
    EXPECT_EQ(fault_of(*made), "") << info.name;
    ASSERT_EQ(made->generated.layouts.aggregations.size(), 1U) << info.name;
    const record::Aggregation& layout = made->generated.layouts.aggregations.front();
    EXPECT_GE(layout.value_words, info.keeps_updates ? 1U : 2U) << info.name;
    EXPECT_EQ(layout.parameters.size(), info.parameters) << info.name;
  }
}

}  // namespace
}  // namespace kinst::codegen
