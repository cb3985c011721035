// From the call frame information of a process's files to what runtime/unwind.c reads.
#include "compile/unwinding.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compile/kernel_platform.h"
#include "unwind/frame_registers.h"
#include "unwind/unwind_row.h"

namespace kinst::compile {
namespace {

kinst_unwinding settings_of(const isa::Isa& isa, types::KernelTypes& types) {
  kinst_unwinding settings{};
  settings.signal_ip = isa.signal_frame.program_counter;
  settings.signal_sp = isa.signal_frame.stack_pointer;
  settings.signal_fp = isa.signal_frame.frame_pointer;
  settings.signal_link = isa.signal_frame.link_register;
  settings.call_bytes = std::uint32_t{8} * isa.return_address_words;
  if (const auto here = pid_namespace(types)) {
    settings.task_layout = here->task_layout;
    settings.pid_layout = here->pid_layout;
    settings.name_space = here->number;
  }
  const auto task = types.member_offset("task_struct", "utask");
  const auto instances = types.member_offset("uprobe_task", "return_instances");
  const auto stack = types.member_offset("return_instance", "stack");
  const auto address = types.member_offset("return_instance", "orig_ret_vaddr");
  const auto next = types.member_offset("return_instance", "next");
  if (task && instances && stack && address && next) {
    settings.has_return_instances = 1;
    settings.task_utask = *task;
    settings.utask_instances = *instances;
    settings.instance_stack = *stack;
    settings.instance_return = *address;
    settings.instance_next = *next;
  }
  return settings;
}

// Tables while they are made. A file that several processes have gets its rows once.
class Tables {
 public:
  Tables(const user::FrameRegisters& registers, std::uint16_t elf_machine,
         codegen::UnwindTables& made)
      : registers_(registers), elf_machine_(elf_machine), made_(&made) {}

  void add(user::Process& process) {
    const std::vector<user::LoadedObject>& objects = process.objects();
    for (const user::LoadedObject& object : objects) {
      const auto& file = process.file(object);
      const auto bias = process.bias(object);
      if (!file || !bias || !file->elf.is_for(elf_machine_)) {
        continue;
      }
      const Rows rows = rows_of(process, object, *bias);
      made_->ranges.push_back({.begin = object.begin,
                               .end = object.end,
                               .process = static_cast<std::uint32_t>(process.id()),
                               .first_row = rows.first,
                               .rows = rows.count,
                               .unused = 0});
    }
  }

 private:
  struct Rows {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  Rows rows_of(user::Process& process, const user::LoadedObject& object,
               std::uint64_t bias) {
    // What addresses of the file must be less for the range to begin at 0.
    const std::uint64_t base = object.begin - bias;
    const auto [place, is_new] = known_.try_emplace(
        std::tuple(object.path, object.text->device, object.text->inode, base));
    if (!is_new) {
      return place->second;
    }
    Rows rows{.first = static_cast<std::uint32_t>(made_->rows.size())};
    for (const user::FrameRow& row :
         user::read_call_frames(process.call_frames(object), registers_)) {
      const std::uint64_t address = row.address - base;
      if (address <= std::numeric_limits<std::uint32_t>::max()) {
        made_->rows.push_back(
            user::unwind_row(static_cast<std::uint32_t>(address), row.rule));
        ++rows.count;
      }
    }
    place->second = rows;
    return rows;
  }

  user::FrameRegisters registers_;
  std::uint16_t elf_machine_;
  codegen::UnwindTables* made_;
  std::map<std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>, Rows>
      known_;
};

}  // namespace

codegen::UnwindTables make_unwind_tables(const std::set<pid_t>& processes,
                                         user::Processes& known, const isa::Isa& isa,
                                         types::KernelTypes& types) {
  codegen::UnwindTables made;
  const auto registers = user::frame_registers(isa);
  if (!registers) {
    return made;
  }
  made.ranges.push_back({});  // where every search can end
  Tables tables(*registers, isa.elf_machine, made);
  for (const pid_t number : processes) {
    if (user::Process* process = known.find(number)) {
      tables.add(*process);
    }
  }
  if (made.ranges.size() == 1) {
    return {};
  }
  std::ranges::sort(made.ranges, {}, [](const kinst_unwind_range& range) {
    return std::pair(range.process, range.begin);
  });
  made.settings = settings_of(isa, types);
  made.settings.ranges = static_cast<std::uint32_t>(made.ranges.size());
  return made;
}

Result<UnwindTablesInUse> UnwindTablesInUse::open(const bpf::Object& object,
                                                  System& system) {
  UnwindTablesInUse tables(system);
  const bpf::Map* settings = object.find_map("unwinding");
  const bpf::Map* ranges = object.find_map("unwind_ranges");
  const bpf::Map* rows = object.find_map("unwind_rows");
  if (settings == nullptr || ranges == nullptr || rows == nullptr) {
    return tables;
  }
  tables.settings_ = KINST_TRY(settings->mapped());
  tables.ranges_ = KINST_TRY(ranges->mapped());
  tables.rows_ = KINST_TRY(rows->mapped());
  const std::span<const std::byte> bytes = tables.ranges_.bytes();
  for (std::size_t at = 0; at + sizeof(kinst_unwind_range) <= bytes.size();
       at += sizeof(kinst_unwind_range)) {
    kinst_unwind_range range{};
    std::memcpy(&range, bytes.data() + at, sizeof range);
    if (range.process != 0) {
      tables.processes_.insert(static_cast<pid_t>(range.process));
    }
  }
  tables.mapped_ = tables.look();
  return tables;
}

std::vector<UnwindTablesInUse::Mapped> UnwindTablesInUse::look() {
  std::vector<Mapped> mapped;
  for (const pid_t number : processes_) {
    user::Process* process = system_->processes.find(number);
    if (process == nullptr || !process->refresh()) {
      continue;
    }
    for (const user::LoadedObject& object : process->objects()) {
      mapped.emplace_back(number, object.begin, object.end, object.text->inode);
    }
  }
  return mapped;
}

void UnwindTablesInUse::follow() {
  // Reading what a process has mapped takes some 50 µs.
  constexpr auto worth_a_look = std::chrono::milliseconds(100);
  const auto time = std::chrono::steady_clock::now();
  if (processes_.empty() || time - looked_ < worth_a_look) {
    return;
  }
  looked_ = time;
  std::vector<Mapped> now = look();
  // A process that has ended has nothing mapped; its last stacks may still be wanted.
  if (now.empty() || now == mapped_) {
    return;
  }
  mapped_ = std::move(now);
  replace(make_unwind_tables(processes_, system_->processes, system_->code.isa,
                             system_->kernel_types));
}

void UnwindTablesInUse::replace(const codegen::UnwindTables& tables) {
  const auto put = [](const bpf::MappedArray& to, auto elements) {
    std::ranges::copy(std::as_bytes(elements), to.bytes().begin());
  };
  auto& count = *reinterpret_cast<kinst_u32*>(settings_.bytes().data() +
                                              offsetof(kinst_unwinding, ranges));
  // Of the first range alone, which is no process's.
  std::atomic_ref(count).store(1, std::memory_order_release);
  if (std::as_bytes(std::span(tables.ranges)).size() > ranges_.bytes().size() ||
      std::as_bytes(std::span(tables.rows)).size() > rows_.bytes().size()) {
    return;
  }
  put(rows_, std::span(tables.rows));
  put(ranges_, std::span(tables.ranges));
  std::atomic_ref(count).store(tables.settings.ranges, std::memory_order_release);
}

}  // namespace kinst::compile
