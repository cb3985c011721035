#include "command/options/setting_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>

#include "base/text/words.h"
#include "command/options/setting_values.h"
#include "consumer/output_format.h"
#include "runtime/abi.h"

namespace kinst::command::setting {
namespace {

using codegen::StorageOptions;
using compile::CompileOptions;
using compile::LibraryOptions;
using consumer::DrawingOptions;
using consumer::OutputOptions;
using consumer::SortOptions;
using d::CheckOptions;
using run::RunOptions;

using Value = std::optional<std::string_view>;

// ---------------------------------------------------------------- where values go

Settings& whole(Settings& settings) {
  return settings;
}
PreprocessorOptions& preprocessing(Settings& settings) {
  return settings.preprocessing;
}
LibraryOptions& libraries(Settings& settings) {
  return settings.libraries;
}
CompileOptions& compilation(Settings& settings) {
  return settings.compilation;
}
CheckOptions& check(Settings& settings) {
  return settings.compilation.check;
}
StorageOptions& storage(Settings& settings) {
  return settings.compilation.storage;
}
RunOptions& tracing(Settings& settings) {
  return settings.tracing;
}
OutputOptions& output(Settings& settings) {
  return settings.output;
}
SortOptions& sorting(Settings& settings) {
  return settings.output.sort;
}
DrawingOptions& drawing(Settings& settings) {
  return settings.output.drawing;
}

// A member of one of these parts.
template <auto part, auto member>
auto& place(Settings& settings) {
  return part(settings).*member;
}

template <auto part, auto member, typename Given>
void store(Settings& settings, Given value) {
  auto& stored = place<part, member>(settings);
  stored = static_cast<std::remove_reference_t<decltype(stored)>>(value);
}

template <auto value, auto part, auto member>
void set_to(Settings& settings) {
  place<part, member>(settings) = value;
}

// ---------------------------------------------------------------- choices

template <typename Meaning>
struct Named {
  std::string_view name;
  Meaning value;
};

// "switch, fill or ring"
template <auto names>
std::string names_of() {
  std::string out;
  const auto& all = names();
  for (std::size_t at = 0; at < all.size(); ++at) {
    out += at == 0 ? "" : at + 1 == all.size() ? " or " : ", ";
    out += all[at].name;
  }
  return out;
}

// names: a function that gives the names with what they mean.
template <auto names, auto part, auto member>
bool choose(Settings& settings, std::string_view name) {
  for (const auto& one : names()) {
    if (one.name == name) {
      place<part, member>(settings) = one.value;
      return true;
    }
  }
  return false;
}

template <auto names, auto part, auto member>
constexpr Choice one_of{.set = choose<names, part, member>, .names = names_of<names>};

constexpr auto evaluation_times() {
  using user::EvaluationTime;
  return std::to_array<Named<EvaluationTime>>({{"exec", EvaluationTime::Exec},
                                               {"preinit", EvaluationTime::Preinit},
                                               {"postinit", EvaluationTime::Postinit},
                                               {"main", EvaluationTime::Main}});
}

constexpr auto conformances() {
  return std::to_array<Named<char>>({{"a", 'a'}, {"c", 'c'}, {"s", 's'}, {"t", 't'}});
}

constexpr auto buffer_policies() {
  using run::BufferPolicy;
  return std::to_array<Named<BufferPolicy>>({{"switch", BufferPolicy::Switch},
                                             {"fill", BufferPolicy::Fill},
                                             {"ring", BufferPolicy::Ring}});
}

constexpr auto buffer_resizings() {
  return std::to_array<Named<bool>>({{"auto", true}, {"manual", false}});
}

constexpr auto encodings() {
  return std::to_array<Named<bool>>({{"ascii", true}, {"utf8", false}});
}

constexpr auto function_ways() {
  using compile::FunctionWay;
  return std::to_array<Named<FunctionWay>>({{"fentry", FunctionWay::Fentry},
                                            {"kprobe.multi", FunctionWay::KprobeMulti},
                                            {"breakpoint", FunctionWay::Breakpoint},
                                            {"kprobe", FunctionWay::Kprobe},
                                            {"fastest", FunctionWay::Fastest}});
}

// ---------------------------------------------------------------- custom values

// A string takes its zero byte, too.
void set_string_size(Settings& settings, std::uint64_t bytes) {
  settings.string_size = static_cast<std::uint32_t>(bytes + 1);
}

// Programs give up on the others, and timers are set on this one alone.
void set_cpu(Settings& settings, std::uint64_t cpu) {
  settings.compilation.only_cpu = static_cast<std::uint32_t>(cpu);
  settings.tracing.only_cpu = static_cast<int>(cpu);
}

bool set_variable(Settings& settings, Value value) {
  if (!value || value->empty() || value->front() == '=') {
    return false;
  }
  const bool has_value = value->find('=') != std::string_view::npos;
  settings.target_environment.push_back(std::string(*value) + (has_value ? "" : "="));
  return true;
}

bool unset_variable(Settings& settings, Value value) {
  if (!value || value->empty() || value->find('=') != std::string_view::npos) {
    return false;
  }
  settings.target_environment.emplace_back(*value);
  return true;
}

bool check_number(Settings& /*settings*/, Value value) {
  return value && read_number(*value).has_value();
}

// The versions of the D language that scripts may ask for; all mean the same here.
bool check_version(Settings& /*settings*/, Value value) {
  constexpr std::array<std::string_view, 15> versions = {
      "1.0", "1.1", "1.2",   "1.2.1", "1.2.2", "1.3",   "1.4", "1.4.1",
      "1.5", "1.6", "1.6.1", "1.6.2", "1.6.3", "1.6.4", "2.0"};
  return value && std::ranges::find(versions, *value) != versions.end();
}

bool add_preprocessor_arguments(Settings& settings, Value value) {
  auto words = split_words(value.value_or(""));
  if (!words) {
    return false;
  }
  std::ranges::move(*words, std::back_inserter(settings.preprocessing.arguments));
  return value.has_value();
}

bool check_rate(Settings& /*settings*/, Value value) {
  return value && read_rate(*value).has_value();
}

bool accept_as_is(Settings& /*settings*/, Value /*value*/) {
  return true;
}

// ---------------------------------------------------------------- the table

constexpr std::string_view of_user_objects =
    "it is for making objects with probes, which is not done here";
constexpr std::string_view of_kernel_types = "the kernel's types come from its BTF";
constexpr std::string_view of_bpf_debugging =
    "it is for another compiler's inside; -S shows this one's code";

// What maps and buffers may take. The kernel would take more for them than most
// machines have, and some only when it is used: too late for an error.
constexpr std::uint64_t most_map_bytes = std::uint64_t{1} << 30U;
// A number of speculations takes 8 bytes each.
constexpr std::uint64_t most_speculations = most_map_bytes / 8;
constexpr std::uint64_t most_scratch_bytes = KINST_SCRATCH_BYTES;

// With a string's zero the runtime's largest.
constexpr std::uint64_t most_string_bytes = KINST_STRING_MAX - 1;

constexpr std::array table = {
    // Of compilation.
    Row{"argref", SettingMoment::Pragma,
        Flag{set_to<true, compilation, &CompileOptions::allows_unused_arguments>}},
    Row{"defaultargs", SettingMoment::Pragma,
        Flag{set_to<true, whole, &Settings::default_arguments>}},
    Row{"empty", SettingMoment::Pragma,
        Flag{set_to<true, compilation, &CompileOptions::allows_empty>}},
    Row{"errtags", SettingMoment::Pragma,
        Flag{set_to<true, whole, &Settings::shows_error_tags>}},
    Row{"zdefs", SettingMoment::Pragma,
        Flag{set_to<compile::Unmatched::IsAllowed, compilation,
                    &CompileOptions::unmatched>}},
    Row{"pspec", SettingMoment::Pragma,
        Flag{set_to<true, whole, &Settings::prefers_descriptions>}},
    // In a program it comes too late, as in DTrace: the libraries have been read.
    Row{"nolibs", SettingMoment::Pragma,
        Flag{set_to<false, libraries, &LibraryOptions::loads_own>}},
    Row{"syslibdir", SettingMoment::CommandLine,
        Text{place<libraries, &LibraryOptions::system_folder>},
        SettingInGuest::FolderCarried},
    Row{"libdir", SettingMoment::CommandLine,
        Addition{place<libraries, &LibraryOptions::folders>, ""},
        SettingInGuest::FolderCarried},
    Row{"verbose", SettingMoment::Pragma,
        Flag{set_to<true, whole, &Settings::shows_code>}},
    Row{"evaltime", SettingMoment::Pragma,
        one_of<evaluation_times, whole, &Settings::evaluation_time>},
    Row{"version", SettingMoment::Pragma,
        Custom{check_version, "a version of D, 1.0 to 2.0"}},
    // Symbols that are not known are errors; that is how they behave at first.
    Row{"kdefs", SettingMoment::Pragma, Custom{accept_as_is, ""}},
    Row{"udefs", SettingMoment::Pragma, Custom{accept_as_is, ""}},
    Row{"knodefs", SettingMoment::Pragma, Refused{of_user_objects}},
    Row{"unodefs", SettingMoment::Pragma, Refused{of_user_objects}},
    Row{"amin", SettingMoment::Pragma, Refused{"kinst keeps no stability attributes"}},
    Row{"ctfpath", SettingMoment::CommandLine, Refused{of_kernel_types}},
    Row{"modpath", SettingMoment::CommandLine, Refused{of_kernel_types}},
    Row{"ctypes", SettingMoment::CommandLine, Refused{of_kernel_types}},
    Row{"dtypes", SettingMoment::CommandLine, Refused{of_kernel_types}},
    Row{"late", SettingMoment::Pragma,
        Refused{"translators are applied as they are used"}},
    Row{"linkmode", SettingMoment::CommandLine, Refused{of_user_objects}},
    Row{"linktype", SettingMoment::CommandLine, Refused{of_user_objects}},
    Row{"ldpath", SettingMoment::CommandLine, Refused{of_user_objects}},
    Row{"strip", SettingMoment::CommandLine, Refused{of_user_objects}},
    Row{"lazyload", SettingMoment::CommandLine, Refused{of_user_objects}},
    Row{"core", SettingMoment::CommandLine, Refused{"kinst dumps no core of itself"}},
    Row{"debug", SettingMoment::CommandLine, Refused{of_bpf_debugging}},
    Row{"disasm", SettingMoment::CommandLine, Refused{of_bpf_debugging}},
    Row{"tree", SettingMoment::CommandLine, Refused{of_bpf_debugging}},
    Row{"iregs", SettingMoment::CommandLine, Refused{of_bpf_debugging}},
    Row{"tregs", SettingMoment::CommandLine, Refused{of_bpf_debugging}},
    // Of the C preprocessor.
    Row{"cpp", SettingMoment::CommandLine,
        Flag{set_to<true, whole, &Settings::runs_preprocessor>}, SettingInGuest::Done},
    Row{"cpphdrs", SettingMoment::CommandLine,
        Flag{set_to<true, preprocessing, &PreprocessorOptions::shows_included_files>},
        SettingInGuest::Done},
    Row{"cpppath", SettingMoment::CommandLine,
        Text{place<preprocessing, &PreprocessorOptions::program>},
        SettingInGuest::Done},
    Row{"cppargs", SettingMoment::CommandLine,
        Custom{add_preprocessor_arguments, "cpp's arguments"}, SettingInGuest::Done},
    Row{"define", SettingMoment::CommandLine,
        Addition{place<preprocessing, &PreprocessorOptions::arguments>, "-D"},
        SettingInGuest::Done},
    Row{"undef", SettingMoment::CommandLine,
        Addition{place<preprocessing, &PreprocessorOptions::arguments>, "-U"},
        SettingInGuest::Done},
    Row{"incdir", SettingMoment::CommandLine,
        Addition{place<preprocessing, &PreprocessorOptions::arguments>, "-I"},
        SettingInGuest::Done},
    Row{"stdc", SettingMoment::CommandLine,
        one_of<conformances, preprocessing, &PreprocessorOptions::c_conformance>,
        SettingInGuest::Done},
    // Of a run.
    Row{"destructive", SettingMoment::Pragma,
        Switch{store<check, &CheckOptions::destructive>}},
    Row{"bufsize", SettingMoment::Pragma,
        Size{store<storage, &StorageOptions::buffer_size>, 1}},
    Row{"bufpolicy", SettingMoment::Pragma,
        one_of<buffer_policies, tracing, &RunOptions::buffer_policy>},
    Row{"bufresize", SettingMoment::Pragma,
        one_of<buffer_resizings, tracing, &RunOptions::resizes_buffer>},
    Row{"aggsize", SettingMoment::Pragma,
        Size{store<storage, &StorageOptions::aggregations_size>, 1, most_map_bytes}},
    Row{"dynvarsize", SettingMoment::Pragma,
        Size{store<storage, &StorageOptions::dynamic_variables_size>, 0,
             most_map_bytes}},
    Row{"strsize", SettingMoment::Pragma, Size{set_string_size, 2, most_string_bytes}},
    Row{"scratchsize", SettingMoment::Pragma,
        Size{store<check, &CheckOptions::scratch_bytes>, 0, most_scratch_bytes}},
    Row{"nspec", SettingMoment::Pragma,
        Number{store<storage, &StorageOptions::speculations>, most_speculations}},
    Row{"specsize", SettingMoment::Pragma,
        Size{store<storage, &StorageOptions::speculation_size>, 0, most_map_bytes}},
    Row{"stackframes", SettingMoment::Pragma,
        Number{store<check, &CheckOptions::stack_frames>}},
    Row{"ustackframes", SettingMoment::Pragma,
        Number{store<check, &CheckOptions::user_stack_frames>}},
    Row{"jstackframes", SettingMoment::Pragma,
        Number{store<check, &CheckOptions::jstack_frames>}},
    Row{"jstackstrsize", SettingMoment::Pragma,
        Size{store<check, &CheckOptions::jstack_string_bytes>, 0, most_map_bytes}},
    Row{"maxframes", SettingMoment::Pragma,
        Number{store<check, &CheckOptions::maximum_frames>}},
    Row{"statusrate", SettingMoment::Pragma,
        Rate{store<tracing, &RunOptions::status_interval>}},
    // What is cleaned up is free at once.
    Row{"cleanrate", SettingMoment::Pragma, Custom{check_rate, a_rate}},
    Row{"cpu", SettingMoment::Pragma, Number{set_cpu, INT32_MAX}},
    // Of processes no more is kept than what is asked for.
    Row{"pgmax", SettingMoment::Pragma, Custom{check_number, "a number"}},
    Row{"setenv", SettingMoment::CommandLine, Custom{set_variable, "NAME=VALUE"}},
    Row{"unsetenv", SettingMoment::CommandLine,
        Custom{unset_variable, "a variable's name"}},
    // BPF's memory is no locked memory since Linux 5.11.
    Row{"lockmem", SettingMoment::CommandLine, Custom{accept_as_is, ""}},
    Row{"bpflog", SettingMoment::Pragma,
        Switch{store<tracing, &RunOptions::shows_verifier_log>}},
    Row{"bpflogsize", SettingMoment::Pragma,
        Size{store<tracing, &RunOptions::verifier_log_bytes>, 1,
             std::uint64_t{1} << 30U}},
    Row{"noresolve", SettingMoment::Pragma,
        Switch{store<tracing, &RunOptions::leaves_user_addresses>}},
    Row{"grabanon", SettingMoment::Pragma,
        Refused{"there is no anonymous tracing on Linux"}},
    Row{"pcapsize", SettingMoment::Pragma, Refused{"packets are not captured"}},
    // Records of all CPUs are printed in the order of their time anyhow.
    Row{"temporal", SettingMoment::Pragma, Custom{accept_as_is, ""}},
    Row{"aggpercpu", SettingMoment::Pragma,
        Refused{"values are not printed for each CPU; make it a key: @[cpu]"}},
    // kinst's own.
    Row{"maxprobes", SettingMoment::Pragma,
        Number{store<compilation, &CompileOptions::most_probes>}},
    Row{"expedite", SettingMoment::Pragma,
        Switch{store<tracing, &RunOptions::expedites>}},
    // Of the output.
    Row{"quiet", SettingMoment::Running, Switch{store<output, &OutputOptions::quiet>}},
    Row{"flowindent", SettingMoment::Running,
        Switch{store<output, &OutputOptions::flow_indent>}},
    Row{"rawbytes", SettingMoment::Running,
        Switch{store<output, &OutputOptions::raw_bytes>}},
    Row{"droptags", SettingMoment::Running,
        Flag{set_to<true, output, &OutputOptions::drop_tags>}},
    Row{"stackindent", SettingMoment::Running,
        Number{store<output, &OutputOptions::stack_indent>, 1024}},
    Row{"printsize", SettingMoment::Running,
        Size{store<output, &OutputOptions::print_bytes>, 1, 65536}},
    Row{"aggsortkey", SettingMoment::Running,
        Switch{store<sorting, &SortOptions::by_key>}},
    Row{"aggsortkeypos", SettingMoment::Running,
        Number{store<sorting, &SortOptions::key_position>}},
    Row{"aggsortpos", SettingMoment::Running,
        Number{store<sorting, &SortOptions::position>}},
    Row{"aggsortrev", SettingMoment::Running,
        Switch{store<sorting, &SortOptions::reversed>}},
    Row{"aggpack", SettingMoment::Running,
        Switch{store<drawing, &DrawingOptions::packs>}},
    Row{"aggzoom", SettingMoment::Running,
        Switch{store<drawing, &DrawingOptions::zooms>}},
    Row{"agghist", SettingMoment::Running,
        Switch{store<drawing, &DrawingOptions::heads>}},
    Row{"encoding", SettingMoment::Pragma,
        one_of<encodings, drawing, &DrawingOptions::is_ascii>},
    Row{"fbt", SettingMoment::Pragma,
        one_of<function_ways, compilation, &CompileOptions::function_way>},
    Row{"oformat", SettingMoment::Pragma,
        one_of<consumer::output_formats, output, &OutputOptions::format>},
    Row{"switchrate", SettingMoment::Running,
        Rate{store<tracing, &RunOptions::switch_interval>}},
    Row{"aggrate", SettingMoment::Running,
        Rate{store<output, &OutputOptions::aggregation_interval>}},
};

}  // namespace

std::span<const Row> rows() {
  return table;
}

}  // namespace kinst::command::setting
