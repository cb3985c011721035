// What sections of call frame information that somebody has made for the purpose do to
// kinst's reader and to libdw's interpreter.
//
// usage: hostile_sections kinst|libdw INPUTS FILE...
//
// First a few sections made by hand, each read in a process of its own that may have a
// gibibyte of memory and five seconds of the processor's time; then INPUTS mutations of
// what the files have. Every buffer ends where memory ends, so that reading one byte
// too far is a crash. Exit status 1: the reader failed.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unwind/call_frames.h"
#include "unwind/libdw_rows.h"
#include "user/elf_file.h"
#include "user/object_bytes.h"
#include "user/object_file.h"

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t least_guarded = 256;

std::size_t pages_of(std::size_t bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

}  // namespace

// Larger blocks end at a page that cannot be read.
void* operator new(std::size_t bytes) {
  if (bytes < least_guarded) {
    return std::malloc(bytes);
  }
  const std::size_t room = pages_of(bytes);
  void* begin = mmap(nullptr, room + page_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) {
    std::abort();
  }
  auto* first = static_cast<char*>(begin);
  mprotect(first + room, page_bytes, PROT_NONE);
  return first + room - bytes;
}

void operator delete(void* block, std::size_t bytes) noexcept {
  if (bytes < least_guarded) {
    std::free(block);
    return;
  }
  const std::size_t room = pages_of(bytes);
  munmap(static_cast<char*>(block) + bytes - room, room + page_bytes);
}

// Only for blocks whose size the compiler does not know; they are small ones.
void operator delete(void* block) noexcept {
  std::free(block);
}

namespace {

using kinst::user::CallFrameSection;
using kinst::user::FrameRegisters;
using kinst::user::FrameRow;
using Reader = std::vector<FrameRow> (*)(const CallFrameSection&,
                                         const FrameRegisters&);
using Bytes = std::vector<std::uint8_t>;

constexpr FrameRegisters x86_64{.stack_pointer = 7, .frame_pointer = 6};
constexpr std::uint64_t section_address = 0x100000;
constexpr int most_seconds = 5;
constexpr rlim_t most_memory = rlim_t{1} << 30U;

void append(Bytes& to, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) {
    to.push_back(static_cast<std::uint8_t>(word >> shift));
  }
}

void append_entry(Bytes& to, std::uint32_t back, const Bytes& contents) {
  append(to, static_cast<std::uint32_t>(contents.size() + 4));
  append(to, back);
  to.insert(to.end(), contents.begin(), contents.end());
}

// A CIE as gcc writes them, and a function of 256 MiB.
Bytes with_function(const Bytes& instructions) {
  Bytes bytes;
  append_entry(bytes, 0,
               {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0});
  Bytes entry;
  append(entry, 0);
  append(entry, 0x10000000);
  entry.push_back(0);
  entry.insert(entry.end(), instructions.begin(), instructions.end());
  append_entry(bytes, static_cast<std::uint32_t>(bytes.size() + 4), entry);
  append(bytes, 0);
  return bytes;
}

Bytes repeated(std::size_t count, const Bytes& instructions) {
  Bytes all;
  for (std::size_t i = 0; i < count; ++i) {
    all.insert(all.end(), instructions.begin(), instructions.end());
  }
  return all;
}

Bytes with_expression(std::size_t count) {
  Bytes instructions = {0x0f};
  for (std::size_t rest = count;; rest >>= 7U) {
    const auto low = static_cast<std::uint8_t>(rest & 0x7fU);
    instructions.push_back(rest < 0x80 ? low : low | 0x80U);
    if (rest < 0x80) {
      break;
    }
  }
  instructions.insert(instructions.end(), count, 0x96);  // DW_OP_nop
  return with_function(instructions);
}

// The time from now on that this process may take, of the processor's.
void limit_time() {
  const itimerval time{.it_interval = {}, .it_value = {.tv_sec = most_seconds}};
  setitimer(ITIMER_PROF, &time, nullptr);
}

struct Made {
  const char* name;
  Bytes bytes;
};

std::vector<Made> made_sections() {
  return {
      {"a register with the number 2^25",
       with_function({0x41, 0x07, 0x80, 0x80, 0x80, 0x10})},
      {"a million states to remember", with_function(Bytes(1000000, 0x0a))},
      {"register 65535, and 2000 states to remember", with_function([] {
         Bytes all = {0x07, 0xff, 0xff, 0x03};
         all.insert(all.end(), 2000, 0x0a);
         return all;
       }())},
      {"a function of 30,000 rows",
       with_function(repeated(15000, {0x41, 0x0e, 16, 0x41, 0x0e, 24}))},
      {"a function of 300,000 rows",
       with_function(repeated(150000, {0x41, 0x0e, 16, 0x41, 0x0e, 24}))},
      {"an expression of eight million operations", with_expression(8000000)},
  };
}

CallFrameSection section_of(std::span<const std::uint8_t> bytes) {
  const auto view = std::as_bytes(bytes);
  return {.address = section_address, .bytes = {view.begin(), view.end()}};
}

void limit_this_process() {
  const rlimit memory{.rlim_cur = most_memory, .rlim_max = most_memory};
  setrlimit(RLIMIT_AS, &memory);
  const rlimit no_core{};
  setrlimit(RLIMIT_CORE, &no_core);
}

const char* how(int signal) {
  return signal == 0         ? "ends"
         : signal == SIGPROF ? "is stopped for its time"
                             : strsignal(signal);
}

// What became of a process.
struct End {
  int signal = 0;
  double seconds = 0;
  long mebibytes = 0;
};

End read_in_process(Reader read, const CallFrameSection& section) {
  const pid_t child = fork();
  if (child == 0) {
    limit_this_process();
    limit_time();
    read(section, x86_64);
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return {
      .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
      .seconds =
          static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
          static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
      .mebibytes = usage.ru_maxrss / 1024};
}

bool survives_made_sections(const char* name, Reader read) {
  bool all = true;
  fmt::print("{}\n", name);
  for (const Made& made : made_sections()) {
    const End end = read_in_process(read, section_of(made.bytes));
    fmt::print("  {} ({} KiB): {}, {:.2f} s, {} MiB\n", made.name,
               made.bytes.size() / 1024, how(end.signal), end.seconds, end.mebibytes);
    all = all && end.signal == 0;
  }
  return all;
}

// What the file's section begins with: a CIE and some entries. Empty if it has none.
Bytes seed_of(const std::string& name) {
  constexpr std::size_t most = 2048;
  auto file = kinst::RegularFile::open(name);
  if (!file) {
    return {};
  }
  const auto elf = read_elf(kinst::user::ObjectBytes(*std::move(file), name));
  Bytes seed;
  if (elf) {
    for (const std::byte byte : read_call_frame_section(name, *elf).bytes) {
      if (seed.size() < most) {
        seed.push_back(std::to_integer<std::uint8_t>(byte));
      }
    }
  }
  return seed;
}

std::uint8_t odd_byte(std::mt19937& random) {
  static constexpr std::array<std::uint8_t, 16> odd = {
      0x00, 0xff, 0x80, 0x7f, 0x0a, 0x0b, 0x0f, 0x10,
      0x16, 0x07, 0x0c, 0x01, 0x04, 'P',  'R',  0x50};
  return random() % 2 == 0 ? odd.at(random() % odd.size())
                           : static_cast<std::uint8_t>(random());
}

Bytes mutated(Bytes bytes, std::mt19937& random) {
  for (unsigned times = 1 + random() % 8; times > 0 && bytes.size() > 8; --times) {
    const std::size_t at = random() % bytes.size();
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random() % 6) {
      case 0:
        bytes.resize(at + 1);
        break;
      case 1:  // a length or a number of four bytes that lies
        for (std::size_t i = at / 4 * 4; i < std::min(at / 4 * 4 + 4, bytes.size());
             ++i) {
          bytes[i] = odd_byte(random);
        }
        break;
      case 2:
        bytes.insert(place, 1 + random() % 64, odd_byte(random));
        break;
      case 3:
        bytes.erase(place);
        break;
      default:
        *place = odd_byte(random);
    }
  }
  return bytes;
}

// What the processes that read mutations have in common.
struct Progress {
  std::size_t next;
  std::size_t costly;  ///< inputs that took more than 64 MiB
};

void read_mutations(Reader read, const std::vector<Bytes>& seeds, std::size_t inputs,
                    Progress& progress) {
  limit_this_process();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  long peak = usage.ru_maxrss;
  while (progress.next < inputs) {
    std::mt19937 random(static_cast<std::uint32_t>(progress.next));
    const Bytes& seed = seeds.at(progress.next++ % seeds.size());
    const CallFrameSection section = section_of(mutated(seed, random));
    limit_time();
    read(section, x86_64);
    getrusage(RUSAGE_SELF, &usage);
    if (usage.ru_maxrss > peak + (64L << 10U)) {
      ++progress.costly;
      _exit(0);  // the next one's peak is to be seen, too
    }
  }
}

bool survives_mutations(const char* name, Reader read, const std::vector<Bytes>& seeds,
                        std::size_t inputs) {
  void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    std::abort();
  }
  auto& progress = *new (shared) Progress{};
  std::size_t crashes = 0;
  std::size_t late = 0;
  while (progress.next < inputs) {
    const pid_t child = fork();
    if (child == 0) {
      read_mutations(read, seeds, inputs, progress);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
      (WTERMSIG(status) == SIGPROF ? late : crashes) += 1;
      if (crashes + late <= 5) {
        fmt::print("  {}: input {}: {}\n", name, progress.next - 1,
                   how(WTERMSIG(status)));
      }
    }
  }
  fmt::print(
      "{}: of {} mutations {} crash, {} take more than {} s, {} more than 64 MiB\n",
      name, inputs, crashes, late, most_seconds, progress.costly);
  return crashes + late + progress.costly == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    return 2;
  }
  const std::string name = argv[1];
  const Reader read =
      name == "libdw" ? kinst::user::rows_by_libdw : kinst::user::read_call_frames;
  std::vector<Bytes> seeds;
  for (int i = 3; i < argc; ++i) {
    seeds.push_back(seed_of(argv[i]));
  }
  // What a process prints is not to be printed again by the next.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  const bool survives = survives_made_sections(argv[1], read);
  const std::size_t inputs = std::strtoul(argv[2], nullptr, 10);
  return survives_mutations(argv[1], read, seeds, inputs) && survives ? 0 : 1;
}
