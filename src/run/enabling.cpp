// Loading, attaching and the two mapped arrays by which both sides steer each other.
#include "run/enabling.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>
#include <variant>

#include "bpf/code/link.h"
#include "bpf/code/runtime_object.h"
#include "codegen/context/context.h"
#include "codegen/generate.h"
#include "codegen/plan/storage.h"
#include "provider/attach.h"
#include "provider/attach_order.h"

namespace kinst::run {
namespace {

bool is_own(const codegen::ProgramGroup& group) {
  return codegen::context_of(group.context).is_run_by_kinst;
}

// The groups to attach, by their turns; within a turn, groups that slow down the
// attaching of others come last.
std::vector<std::size_t> order_of_attaching(
    std::span<const provider::Probe> probes,
    const std::vector<codegen::ProgramGroup>& groups) {
  std::vector<std::vector<std::size_t>> probes_of;
  for (const codegen::ProgramGroup& group : groups) {
    probes_of.push_back(group.probes);
  }
  std::vector<std::size_t> order =
      provider::attach_order(probes, probes_of, isa::native());
  std::erase_if(order, [&](std::size_t number) { return is_own(groups[number]); });
  std::ranges::stable_sort(order, {}, [&](std::size_t number) {
    return codegen::context_of(groups[number].context).turn_to_attach;
  });
  return order;
}

template <typename Row>
Result<void> fill(bpf::Map& map,
                  const std::vector<std::pair<std::uint64_t, Row>>& rows) {
  for (const auto& [key, row] : rows) {
    KINST_CHECK(map.update(std::as_bytes(std::span(&key, 1)),
                           std::as_bytes(std::span(&row, 1))));
  }
  return {};
}

// What programs look up by the probe that fired.
Result<void> fill_rows(const compile::Compilation& compilation, bpf::Object& object) {
  const codegen::Storage& storage = compilation.generated.storage;
  const std::vector<provider::Probe>& probes = compilation.matches.probes.all();
  if (storage.probes) {
    KINST_CHECK(fill(object.map(*storage.probes), storage.probe_rows));
  }
  if (storage.operands) {
    KINST_CHECK(fill(object.map(*storage.operands), codegen::operand_rows(probes)));
  }
  if (storage.breakpoints) {
    KINST_CHECK(fill(object.map(*storage.breakpoints),
                     codegen::breakpoint_rows({probes, compilation.tracing})));
  }
  return {};
}

// The process whose code the probe is in; -1 if it is in no process's code.
pid_t process_of(const provider::Probe& probe) {
  const auto* place = std::get_if<provider::UserInstruction>(&probe.site);
  return place == nullptr ? -1 : place->process;
}

// The probes of a group, by the process whose code they are in; -1 for those in no
// process's code.
std::map<pid_t, std::vector<std::size_t>> by_process(
    std::span<const provider::Probe> probes, const codegen::ProgramGroup& group) {
  std::map<pid_t, std::vector<std::size_t>> parts;
  for (const std::size_t index : group.probes) {
    if (!provider::is_awaited(probes[index])) {
      parts[process_of(probes[index])].push_back(index);
    }
  }
  return parts;
}

std::vector<std::size_t> numbers_below(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

// Reads a word that this process and the BPF programs may write at any time.
std::uint64_t read_shared(std::uint64_t& word) {
  return std::atomic_ref(word).load(std::memory_order_acquire);
}

}  // namespace

Enabling::Enabling(const compile::Compilation& compilation, Parts parts,
                   const RunOptions& options)
    : compilation_(&compilation),
      object_(std::move(parts.object)),
      records_(std::move(parts.records)),
      control_(std::move(parts.control)),
      states_(std::move(parts.states)),
      attacher_(std::make_unique<provider::Attacher>(
          options.only_cpu, options.expedites ? bpf::SettingPolicy::Borrow
                                              : bpf::SettingPolicy::Leave)) {}

tl::expected<Enabling, bpf::LoadError> Enabling::load(
    const compile::Compilation& compilation, const RunOptions& options) {
  const codegen::Storage& storage = compilation.generated.storage;
  // Taking it apart takes as long as all the rest up to here.
  const bpf::Runtime runtime =
      bpf::needs_runtime(compilation.generated.object)
          ? KINST_TRY(bpf::read_runtime(bpf::embedded_runtime()))
          : bpf::Runtime();
  const bpf::Image image = KINST_TRY(bpf::link(compilation.generated.object, runtime));
  bpf::Object object = KINST_TRY(
      bpf::load(image, options.shows_verifier_log ? options.verifier_log_bytes : 0));
  KINST_CHECK(fill_rows(compilation, object));
  bpf::RingBuffer records =
      KINST_TRY(bpf::RingBuffer::open(object.map(storage.records)));
  bpf::MappedArray control = KINST_TRY(object.map(storage.control).mapped());
  bpf::MappedArray states = KINST_TRY(object.map(storage.state).mapped());
  return Enabling(compilation,
                  {.object = std::move(object),
                   .records = std::move(records),
                   .control = std::move(control),
                   .states = std::move(states)},
                  options);
}

std::size_t Enabling::attached_probes() const {
  std::size_t all = 0;
  for (const codegen::ProgramGroup& group : compilation_->plan.groups) {
    for (const auto& [process, probes] :
         by_process(compilation_->matches.probes.all(), group)) {
      all += is_own(group) ? 0 : probes.size();
    }
  }
  return all;
}

Result<void> Enabling::attach_part(std::size_t group, pid_t process,
                                   const provider::TracedProbes& all,
                                   std::span<const std::size_t> probes,
                                   const ProgressReport& progress,
                                   std::vector<Attached>& attachments) {
  auto added =
      KINST_TRY(attacher_->attach(object_.programs[group], all, probes, progress));
  for (bpf::OwnedAttachment& one : added) {
    attachments.push_back(
        {.process = process, .module = {}, .attachment = std::move(one)});
  }
  return {};
}

Result<std::vector<provider::RefusedProbe>> Enabling::attach(
    const ProgressReport& progress) {
  const std::lock_guard<std::mutex> lock(*attaching_);
  if (provider::waits_for_modules(compilation_->matches.probes.all())) {
    KINST_CHECK(attacher_->prepare_kprobes());
  }
  std::vector<Attached> attachments;
  const std::vector<codegen::ProgramGroup>& groups = compilation_->plan.groups;
  const std::vector<provider::Probe>& probes = compilation_->matches.probes.all();
  const std::size_t all = attached_probes();
  std::size_t before = 0;
  for (const std::size_t number : order_of_attaching(probes, groups)) {
    for (const auto& [process, part] : by_process(probes, groups[number])) {
      const std::size_t count = part.size();
      const auto of_all = [&](std::size_t done, std::size_t parts) {
        return progress(before + (parts == 0 ? count : count * done / parts), all);
      };
      KINST_CHECK(attach_part(number, process, {probes, compilation_->tracing}, part,
                              of_all, attachments));
      before += count;
    }
  }
  attachments_ = std::move(attachments);
  return attacher_->refused();
}

Result<void> Enabling::attach_anew(pid_t process, const ProgressReport& progress) {
  const std::lock_guard<std::mutex> lock(*attaching_);
  // First, as it runs for threads of the process still, wherever others put probes.
  std::erase_if(attachments_,
                [&](const Attached& one) { return one.process == process; });
  const std::vector<codegen::ProgramGroup>& groups = compilation_->plan.groups;
  const std::vector<provider::Probe>& probes = compilation_->matches.probes.all();
  Result<void> outcome;
  for (const std::size_t number : order_of_attaching(probes, groups)) {
    const auto attach = [&](const provider::TracedProbes& all,
                            const std::vector<std::size_t>& part) {
      if (part.empty()) {
        return;
      }
      if (auto attached =
              attach_part(number, process, all, part, progress, attachments_);
          !attached) {
        outcome = std::move(attached);
      }
    };
    attach({probes, compilation_->tracing},
           by_process(probes, groups[number])[process]);
    std::vector<provider::Probe> later;
    for (const std::size_t index : later_of_group_[number]) {
      if (process_of(later_[index]) == process) {
        later.push_back(later_[index]);
      }
    }
    attach({later, tracing_of_later(groups[number], later.size())},
           numbers_below(later.size()));
  }
  return outcome;
}

// Probes that come are traced as the placeholders are that stood for them.
provider::TracingPlan Enabling::tracing_of_later(const codegen::ProgramGroup& group,
                                                 std::size_t probes) const {
  return provider::TracingPlan(probes, compilation_->tracing[group.probes.front()]);
}

// The names by which programs compute, and where they are.
Result<void> Enabling::name_later(std::span<const LaterProbe> probes) {
  const codegen::Storage& storage = compilation_->generated.storage;
  if (!storage.probes) {
    return {};
  }
  bpf::Map& constants = object_.map(storage.constants);
  std::vector<std::byte> bytes = KINST_TRY(constants.element(0));
  if (constants_end_ == 0) {
    for (const auto& [text, offset] : storage.strings) {
      constants_end_ = std::max<std::size_t>(constants_end_, offset + text.size() + 1);
    }
  }
  const auto place = [&](const std::string& text) -> std::uint32_t {
    if (const auto known = storage.strings.find(text); known != storage.strings.end()) {
      return known->second;
    }
    if (constants_end_ + text.size() >= bytes.size()) {
      return 0;
    }
    std::memcpy(bytes.data() + constants_end_, text.data(), text.size());
    const auto offset = static_cast<std::uint32_t>(constants_end_);
    constants_end_ += text.size() + 1;
    return offset;
  };
  std::vector<std::pair<std::uint64_t, codegen::ProbeRow>> rows;
  for (const LaterProbe& one : probes) {
    const provider::Probe& probe = one.probe;
    rows.emplace_back(probe.key,
                      codegen::ProbeRow{.id = probe.id,
                                        .provider = place(probe.provider),
                                        .module = place(probe.module),
                                        .function = place(probe.function),
                                        .name = place(probe.name),
                                        .instruction = place(one.instruction),
                                        .mnemonic = place(one.mnemonic)});
  }
  KINST_CHECK(constants.set_element(0, bytes));
  return fill(object_.map(*storage.probes), rows);
}

// Where those in modules are now, and no more where these were when they were loaded
// before.
Result<void> Enabling::place_later(std::span<const LaterProbe> probes) {
  if (!compilation_->generated.storage.breakpoints) {
    return {};
  }
  bpf::Map& places = object_.map(*compilation_->generated.storage.breakpoints);
  std::set<std::string> modules;
  for (const LaterProbe& one : probes) {
    if (one.place != 0) {
      modules.insert(one.probe.module);
    }
  }
  for (const std::string& module : modules) {
    for (const std::uint64_t place : places_of_module_[module]) {
      KINST_CHECK(places.remove(std::as_bytes(std::span(&place, 1))));
    }
    places_of_module_[module].clear();
    std::erase_if(attachments_,
                  [&](const Attached& one) { return one.module == module; });
  }
  std::vector<std::pair<std::uint64_t, codegen::BreakpointRow>> rows;
  for (const LaterProbe& one : probes) {
    if (one.place != 0) {
      rows.emplace_back(
          one.place, codegen::BreakpointRow{.probe = one.probe.key, .has_result = 1});
      places_of_module_[one.probe.module].push_back(one.place);
    }
  }
  return fill(places, rows);
}

// Numbers those that have not been there before.
void Enabling::number_later(std::vector<LaterProbe>& probes,
                            const std::function<void(const provider::Probe&)>& tell) {
  for (LaterProbe& one : probes) {
    if (one.probe.id == 0) {
      one.probe.id = static_cast<std::uint32_t>(
          compilation_->matches.probes.all().size() + later_.size() + 1);
      one.probe.key = one.probe.id;
      tell(later_.emplace_back(one.probe));
    }
    if (one.file != nullptr) {
      files_of_later_.insert(std::move(one.file));
    }
  }
}

Result<std::vector<provider::RefusedProbe>> Enabling::attach_later(
    std::vector<LaterProbe>& probes,
    const std::function<void(const provider::Probe&)>& tell,
    const ProgressReport& progress) {
  const std::lock_guard<std::mutex> lock(*attaching_);
  number_later(probes, tell);
  KINST_CHECK(name_later(probes));
  KINST_CHECK(place_later(probes));
  std::vector<provider::Probe> added;
  for (const LaterProbe& one : probes) {
    added.push_back(one.probe);
  }
  const std::vector<codegen::ProgramGroup>& groups = compilation_->plan.groups;
  const std::size_t refused_before = attacher_->refused().size();
  for (const std::size_t number :
       order_of_attaching(compilation_->matches.probes.all(), groups)) {
    std::map<std::pair<pid_t, std::string>, std::vector<std::size_t>> parts;
    for (std::size_t index = 0; index < added.size(); ++index) {
      if (std::ranges::any_of(groups[number].probes, [&](std::size_t probe) {
            return probes[index].awaited.contains(probe);
          })) {
        const bool is_of_module = probes[index].place != 0;
        parts[{process_of(added[index]),
               is_of_module ? added[index].module : std::string()}]
            .push_back(index);
        if (!is_of_module) {
          later_of_group_[number].push_back(added[index].id - 1 -
                                            compilation_->matches.probes.all().size());
        }
      }
    }
    for (const auto& [where, part] : parts) {
      const std::size_t before = attachments_.size();
      const provider::TracingPlan tracing =
          tracing_of_later(groups[number], added.size());
      KINST_CHECK(attach_part(number, where.first, {added, tracing}, part, progress,
                              attachments_));
      for (std::size_t index = before; index < attachments_.size(); ++index) {
        attachments_[index].module = where.second;
      }
    }
  }
  const auto& refused = attacher_->refused();
  return std::vector(refused.begin() + static_cast<std::ptrdiff_t>(refused_before),
                     refused.end());
}

// Attachments are detached in parts, and one part may be many probes. Progress is
// reported in probes, so the number of detached parts is converted in proportion.
void Enabling::detach(const TellProgress& tell) {
  const std::lock_guard<std::mutex> lock(*attaching_);
  std::size_t parts = 0;
  for (const Attached& one : attachments_) {
    parts += one.attachment->parts();
  }
  const std::size_t probes = attached_probes();
  const auto tell_gone = [&](std::size_t gone) {
    tell(parts == 0 ? probes : probes * gone / parts, probes);
  };
  tell_gone(0);
  std::size_t before = 0;
  for (Attached& one : attachments_) {
    const std::size_t of_this = one.attachment->parts();
    std::size_t gone = 0;
    one.attachment->detach([&] { tell_gone(before + ++gone); });
    one.attachment.reset();
    before += of_this;
    tell_gone(before);
  }
  attachments_.clear();
}

Result<void> Enabling::run_dtrace_probe(provider::DtraceProbe which) {
  const std::vector<codegen::ProgramGroup>& groups = compilation_->plan.groups;
  for (std::size_t number = 0; number < groups.size(); ++number) {
    const provider::Probe& probe =
        compilation_->matches.probes.all()[groups[number].probes.front()];
    const auto* own = std::get_if<provider::DtraceProbe>(&probe.site);
    if (own != nullptr && *own == which) {
      KINST_CHECK(bpf::run_once(object_.programs[number]));
    }
  }
  return {};
}

kinst_control& Enabling::control() const {
  return *reinterpret_cast<kinst_control*>(control_.bytes().data());
}

// Counts go on while they are read. The order makes what is missing of hits at the
// start too much, and at the stop too little, never the other way round.
void Enabling::set_active(bool is_active) {
  const auto store = [&] {
    std::atomic_ref(control().active)
        .store(is_active ? 1 : 0, std::memory_order_release);
  };
  Tally tally;
  if (is_active) {
    add_own_counts(tally);
    add_kernel_counts(tally);
    at_start_ = at_stop_ = tally;
    store();
  } else {
    store();
    add_kernel_counts(tally);
    add_own_counts(tally);
    at_stop_ = tally;
  }
}

bool Enabling::is_exiting() const {
  return read_shared(control().exiting) != 0;
}

int Enabling::exit_status() const {
  return static_cast<int>(read_shared(control().exit_status));
}

std::vector<kinst_counters> Enabling::counters() const {
  std::vector<kinst_counters> all;
  const std::size_t state_bytes = compilation_->generated.storage.state_bytes;
  const std::span<const std::byte> states = states_.bytes();
  for (std::size_t at = 0; at + state_bytes <= states.size(); at += state_bytes) {
    kinst_counters one{};
    std::memcpy(&one, states.data() + at + offsetof(kinst_state, counters), sizeof one);
    all.push_back(one);
  }
  return all;
}

void Enabling::add_own_counts(Tally& tally) const {
  for (const kinst_counters& one : counters()) {
    tally.entered += one.entered;
    tally.nested += one.nested;
  }
}

void Enabling::add_kernel_counts(Tally& tally) const {
  {
    const std::lock_guard<std::mutex> lock(*attaching_);
    for (const Attached& one : attachments_) {
      const auto counted = one.attachment->counted().value_or(bpf::ProbeCount{});
      tally.hits += counted.hits;
      tally.missed += counted.missed;
    }
  }
  const std::vector<codegen::ProgramGroup>& groups = compilation_->plan.groups;
  for (std::size_t number = 0; number < groups.size(); ++number) {
    const codegen::ContextKind context = groups[number].context;
    const bpf::LoadedProgram& program = object_.programs[number];
    if (codegen::has_counted_hits(context, program.expected_attach_type)) {
      tally.refused += bpf::recursion_misses(program);
    } else if (!codegen::context_of(context).is_called_everywhere) {
      tally.refused_others += bpf::recursion_misses(program);
    }
  }
}

std::uint64_t Enabling::missed() const {
  const auto grown = [&](std::uint64_t Tally::*count) {
    return at_stop_.*count - at_start_.*count;
  };
  const std::uint64_t hits = grown(&Tally::hits);
  const std::uint64_t entered = grown(&Tally::entered);
  // Kernels since 6.7 count these exactly; of others it is seen by their hits.
  const std::uint64_t refused =
      std::max(grown(&Tally::refused), hits > entered ? hits - entered : 0);
  return grown(&Tally::missed) + refused + grown(&Tally::refused_others) +
         grown(&Tally::nested);
}

}  // namespace kinst::run
