// Compares the rows that kinst's reader of .eh_frame makes with those that libdw's
// interpreter makes of the same sections, and what each of them costs.
//
// usage: compare_with_libdw FILE...     "[vdso]": this process's own
//
// For each file: its rows, at how many addresses the two have different rules, how many
// rules a row of the runtime has no room for, and what each costs: processor time of
// the first reading in a process, that of one more, and by how much the first raises
// the peak of resident memory. Times are medians of five. Exit status 1: there are
// differences.
#include <elf.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "unwind/call_frames.h"
#include "unwind/libdw_rows.h"
#include "unwind/unwind_row.h"
#include "user/elf_file.h"
#include "user/object_bytes.h"
#include "user/object_file.h"
#include "user/process.h"

namespace {

using kinst::user::CallFrameSection;
using kinst::user::FrameRegisters;
using kinst::user::FrameRow;
using kinst::user::FrameRule;
using Reader = std::vector<FrameRow> (*)(const CallFrameSection&,
                                         const FrameRegisters&);

constexpr FrameRegisters x86_64{.stack_pointer = 7, .frame_pointer = 6, .link = {}};
constexpr FrameRegisters arm64{.stack_pointer = 31, .frame_pointer = 29, .link = 30};

CallFrameSection section_of_vdso() {
  auto process = kinst::user::Process::open(getpid());
  if (process) {
    for (const kinst::user::LoadedObject& object : process->objects()) {
      if (object.name == "[vdso]") {
        return process->call_frames(object);
      }
    }
  }
  return {};
}

struct Subject {
  CallFrameSection section;
  FrameRegisters registers = x86_64;
};

// Without bytes if there is none that can be read.
Subject subject_of(const std::string& name) {
  if (name == "[vdso]") {
    return {.section = section_of_vdso()};
  }
  auto file = kinst::RegularFile::open(name);
  if (!file) {
    return {};
  }
  const kinst::user::ObjectBytes bytes(*std::move(file), name);
  const auto elf = read_elf(bytes);
  if (!elf) {
    return {};
  }
  return {.section = kinst::user::read_call_frame_section(name, *elf),
          .registers = elf->is_for(EM_AARCH64) ? arm64 : x86_64};
}

std::string text_of(const FrameRule& rule) {
  static constexpr std::array kinds = {"unknown", "sp",   "fp",     "*sp",
                                       "*fp",     "stub", "signal", "outermost"};
  static constexpr std::array addresses = {"below CFA", "in link"};
  static constexpr std::array pointers = {"kept", "below CFA", "pointed to"};
  return fmt::format(
      "{} place {} offset {}, fp {} {}, return address {} {}",
      kinds.at(static_cast<std::size_t>(rule.kind)), rule.place, rule.offset,
      pointers.at(static_cast<std::size_t>(rule.frame_pointer)), rule.saved_below,
      addresses.at(static_cast<std::size_t>(rule.return_address)), rule.return_below);
}

FrameRule rule_at(const std::vector<FrameRow>& rows, std::uint64_t address) {
  const auto after = std::ranges::upper_bound(rows, address, {}, &FrameRow::address);
  return after == rows.begin() ? FrameRule{} : std::prev(after)->rule;
}

// Prints the first few addresses from which on the rules differ, and counts all.
std::size_t differences(const std::vector<FrameRow>& own,
                        const std::vector<FrameRow>& other) {
  constexpr std::size_t most_printed = 10;
  std::vector<std::uint64_t> addresses;
  for (const auto* rows : {&own, &other}) {
    for (const FrameRow& row : *rows) {
      addresses.push_back(row.address);
    }
  }
  std::ranges::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  std::size_t count = 0;
  for (const std::uint64_t address : addresses) {
    const FrameRule left = rule_at(own, address);
    const FrameRule right = rule_at(other, address);
    if (left != right && ++count <= most_printed) {
      fmt::print("  {:#x}: kinst: {}; libdw: {}\n", address, text_of(left),
                 text_of(right));
    }
  }
  return count;
}

// How many rules the runtime's rows have no room for.
std::size_t without_room(const std::vector<FrameRow>& rows) {
  return static_cast<std::size_t>(std::ranges::count_if(rows, [](const FrameRow& row) {
    return row.rule.kind != FrameRule::Kind::Unknown &&
           kinst::user::unwind_row(0, row.rule) == 0;
  }));
}

// What reading a section costs a process that does nothing else.
struct Cost {
  double first_ms = 0;  ///< processor time, as all times here
  double again_ms = 0;  ///< one more reading, which finds its memory at hand
  long kib = 0;         ///< by how much the first raises the peak of resident memory
};

double processor_ms() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 +
         static_cast<double>(time.tv_nsec) / 1e6;
}

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

Cost cost_here(Reader read, const Subject& subject) {
  constexpr int more = 8;
  // What is freed is kept for the next reading.
  mallopt(M_MMAP_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  const long at_rest = peak_kib();
  const double begin = processor_ms();
  read(subject.section, subject.registers);
  const double first = processor_ms();
  const long kib = peak_kib() - at_rest;
  for (int i = 0; i < more; ++i) {
    read(subject.section, subject.registers);
  }
  return {.first_ms = first - begin,
          .again_ms = (processor_ms() - first) / more,
          .kib = kib};
}

// Of a process of its own; zeros if it fails.
Cost cost(Reader read, const Subject& subject) {
  std::array<int, 2> ends{};
  Cost found;
  if (pipe(ends.data()) != 0) {
    return found;
  }
  const pid_t child = fork();
  if (child == 0) {
    found = cost_here(read, subject);
    _exit(write(ends[1], &found, sizeof found) == sizeof found ? 0 : 1);
  }
  close(ends[1]);
  if (::read(ends[0], &found, sizeof found) != sizeof found) {
    found = {};
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return found;
}

constexpr std::size_t runs = 5;

template <typename Number>
Number median(std::array<Cost, runs> costs, Number Cost::*member) {
  std::ranges::sort(costs, {}, member);
  return costs[runs / 2].*member;
}

Cost median(const std::array<Cost, runs>& costs) {
  return {.first_ms = median(costs, &Cost::first_ms),
          .again_ms = median(costs, &Cost::again_ms),
          .kib = median(costs, &Cost::kib)};
}

bool agree(const std::string& name) {
  const Subject subject = subject_of(name);
  const CallFrameSection& section = subject.section;
  if (section.bytes.empty()) {
    fmt::print("{}: has no call frame information that can be read\n", name);
    return false;
  }
  malloc_trim(0);  // what earlier files took is not to be found again
  std::array<Cost, runs> own;
  std::array<Cost, runs> other;
  for (std::size_t i = 0; i < runs; ++i) {
    own.at(i) = cost(kinst::user::read_call_frames, subject);
    other.at(i) = cost(kinst::user::rows_by_libdw, subject);
  }
  const auto rows = read_call_frames(section, subject.registers);
  const std::size_t count =
      differences(rows, rows_by_libdw(section, subject.registers));
  fmt::print("{}: {} KiB, {} rows, {} differ, {} without room\n",
             std::filesystem::path(name).filename().string(),
             section.bytes.size() / 1024, rows.size(), count, without_room(rows));
  const auto print = [](const char* reader, const Cost& cost) {
    fmt::print("  {}: {:.2f} ms, again {:.2f} ms, {} KiB\n", reader, cost.first_ms,
               cost.again_ms, cost.kib);
  };
  print("kinst", median(own));
  print("libdw", median(other));
  return !rows.empty() && count == 0;
}

}  // namespace

int main(int argc, char** argv) {
  bool all_agree = argc > 1;
  for (int i = 1; i < argc; ++i) {
    all_agree = agree(argv[i]) && all_agree;
  }
  return all_agree ? 0 : 1;
}
