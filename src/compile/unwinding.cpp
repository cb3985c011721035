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

namespace kinst::compile {
namespace {

using user::FrameRule;

constexpr std::int64_t word_bytes = 8;

bool is_words(std::int64_t bytes, std::int64_t least, std::int64_t most) {
  return bytes % word_bytes == 0 && bytes / word_bytes >= least &&
         bytes / word_bytes <= most;
}

// The rule's CFA field; nothing where it has no room.
std::optional<std::uint32_t> cfa_field(const FrameRule& rule) {
  switch (rule.kind) {
    case FrameRule::Kind::FromStackPointer:
    case FrameRule::Kind::FromFramePointer:
      return is_words(rule.offset, 0, 0xffff)
                 ? std::optional(static_cast<std::uint32_t>(rule.offset / word_bytes))
                 : std::nullopt;
    case FrameRule::Kind::SavedByStackPointer:
    case FrameRule::Kind::SavedByFramePointer:
      if (!is_words(rule.place, -128, 127) || !is_words(rule.offset, 0, 0xff)) {
        return std::nullopt;
      }
      return static_cast<std::uint32_t>(
          (static_cast<std::uint64_t>(rule.place / word_bytes) & 0xffU) << 8U |
          static_cast<std::uint64_t>(rule.offset / word_bytes));
    case FrameRule::Kind::LinkageStub:
      return static_cast<std::uint32_t>(rule.offset);
    default:
      return 0;
  }
}

std::optional<std::uint32_t> frame_pointer_field(const FrameRule& rule) {
  switch (rule.frame_pointer) {
    case FrameRule::FramePointer::Kept:
      return KINST_FRAME_FP_KEPT;
    case FrameRule::FramePointer::PointedTo:
      return KINST_FRAME_FP_POINTED_TO;
    case FrameRule::FramePointer::BelowCfa:
      return is_words(rule.saved_below, 1, KINST_FRAME_FP_POINTED_TO - 1)
                 ? std::optional(
                       static_cast<std::uint32_t>(rule.saved_below / word_bytes))
                 : std::nullopt;
  }
  return std::nullopt;
}

kinst_frame_kind kind_of(FrameRule::Kind kind) {
  switch (kind) {
    case FrameRule::Kind::Unknown:
      return KINST_FRAME_UNKNOWN;
    case FrameRule::Kind::FromStackPointer:
      return KINST_FRAME_SP;
    case FrameRule::Kind::FromFramePointer:
      return KINST_FRAME_FP;
    case FrameRule::Kind::SavedByStackPointer:
      return KINST_FRAME_SP_SAVED;
    case FrameRule::Kind::SavedByFramePointer:
      return KINST_FRAME_FP_SAVED;
    case FrameRule::Kind::LinkageStub:
      return KINST_FRAME_STUB;
    case FrameRule::Kind::SignalReturn:
      return KINST_FRAME_SIGNAL;
    case FrameRule::Kind::Outermost:
      return KINST_FRAME_OUTERMOST;
  }
  return KINST_FRAME_UNKNOWN;
}

std::uint64_t row_of(std::uint64_t address, const FrameRule& rule) {
  const auto cfa = cfa_field(rule);
  const auto frame_pointer = frame_pointer_field(rule);
  std::uint32_t packed = 0;
  if (cfa && frame_pointer) {
    packed = static_cast<std::uint32_t>(kind_of(rule.kind)) << KINST_FRAME_KIND_SHIFT |
             *cfa << KINST_FRAME_CFA_SHIFT | *frame_pointer;
  }
  return address << 32U | packed;
}

// The numbers by which DWARF knows the two registers.
std::optional<user::FrameRegisters> frame_registers(const isa::Isa& isa) {
  const auto number = [&](isa::RegisterId id) {
    return static_cast<std::size_t>(std::ranges::find(isa.dwarf_registers, id) -
                                    isa.dwarf_registers.begin());
  };
  const user::FrameRegisters registers{.stack_pointer = number(isa.stack_pointer),
                                       .frame_pointer = number(isa.frame_pointer)};
  const std::size_t count = isa.dwarf_registers.size();
  return registers.stack_pointer < count && registers.frame_pointer < count
             ? std::optional(registers)
             : std::nullopt;
}

kinst_unwinding settings_of(const isa::Isa& isa, types::KernelTypes& types) {
  kinst_unwinding settings{};
  settings.signal_ip = isa.signal_frame.program_counter;
  settings.signal_sp = isa.signal_frame.stack_pointer;
  settings.signal_fp = isa.signal_frame.frame_pointer;
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
  Tables(const user::FrameRegisters& registers, codegen::UnwindTables& made)
      : registers_(registers), made_(&made) {}

  void add(user::Process& process) {
    const std::vector<user::LoadedObject>& objects = process.objects();
    for (const user::LoadedObject& object : objects) {
      const auto& file = process.file(object);
      const auto bias = process.bias(object);
      if (!file || !bias || file->elf.width != user::ElfClass::Bits64) {
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
        made_->rows.push_back(row_of(address, row.rule));
        ++rows.count;
      }
    }
    place->second = rows;
    return rows;
  }

  user::FrameRegisters registers_;
  codegen::UnwindTables* made_;
  std::map<std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>, Rows>
      known_;
};

}  // namespace

codegen::UnwindTables make_unwind_tables(const std::set<pid_t>& processes,
                                         user::Processes& known, const isa::Isa& isa,
                                         types::KernelTypes& types) {
  codegen::UnwindTables made;
  const auto registers = frame_registers(isa);
  if (!registers) {
    return made;
  }
  made.ranges.push_back({});  // where every search can end
  Tables tables(*registers, made);
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
