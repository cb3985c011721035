// /proc/PID/maps grouped by file, with the files' symbols behind them.
#include "user/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <sstream>
#include <utility>

#include "base/file_descriptor.h"
#include "base/glob.h"
#include "base/read_file.h"

namespace kinst::user {
namespace {

constexpr std::string_view virtual_object = "[vdso]";

// Field 22 of /proc/PID/stat; the name before it may hold blanks and brackets.
Result<std::uint64_t> read_start_time(pid_t process) {
  const std::string stat = KINST_TRY(read_file(fmt::format("/proc/{}/stat", process)));
  std::istringstream fields(
      stat.substr(std::min(stat.rfind(')'), stat.size() - 1) + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number) {
    fields >> field;
  }
  return std::strtoull(field.c_str(), nullptr, 10);
}

std::string link_target(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t length = readlink(path.c_str(), target.data(), target.size());
  std::string text(target.data(), length < 0 ? 0 : static_cast<std::size_t>(length));
  constexpr std::string_view deleted = " (deleted)";
  if (text.ends_with(deleted)) {
    text.resize(text.size() - deleted.size());
  }
  return text;
}

bool is_same_file(const Mapping& left, const Mapping& right) {
  return left.path == right.path && left.inode == right.inode &&
         left.device == right.device;
}

LoadedObject object_of(pid_t process, const Mapping& first,
                       const std::string& program) {
  LoadedObject object;
  object.path = first.path;
  object.name = first.path.substr(first.path.rfind('/') + 1);
  object.is_program = first.path == program;
  object.is_deleted = first.is_deleted;
  object.openable = openable_path(process, first);
  object.begin = first.begin;
  return object;
}

// Mappings of one file follow each other, but for anonymous memory in between.
std::vector<LoadedObject> objects_of(pid_t process, const std::vector<Mapping>& maps,
                                     const std::string& program) {
  std::vector<LoadedObject> objects;
  const Mapping* previous = nullptr;
  for (const Mapping& mapping : maps) {
    if (!mapping.is_file() && mapping.path != virtual_object) {
      continue;
    }
    if (previous == nullptr || !is_same_file(*previous, mapping)) {
      objects.push_back(object_of(process, mapping, program));
    }
    previous = &mapping;
    objects.back().end = mapping.end;
    if (mapping.is_executable && !objects.back().text) {
      objects.back().text = mapping;
      objects.back().openable = openable_path(process, mapping);
    }
  }
  // What is mapped but never executed is data: locale archives, databases.
  std::erase_if(objects, [](const LoadedObject& object) { return !object.text; });
  std::stable_partition(objects.begin(), objects.end(),
                        [](const LoadedObject& object) { return object.is_program; });
  return objects;
}

Result<ObjectFile> read_virtual_object(pid_t process, const Mapping& mapping) {
  const FileDescriptor memory(
      open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY | O_CLOEXEC));
  std::vector<std::byte> image(mapping.end - mapping.begin);
  if (!memory || pread(memory.get(), image.data(), image.size(),
                       static_cast<off_t>(mapping.begin)) < 0) {
    return system_error("read the vDSO", errno);
  }
  ObjectFile object;
  object.elf = KINST_TRY(read_elf(image, virtual_object));
  object.symbols = SymbolTable(std::exchange(object.elf.symbols, {}));
  return object;
}

// Whether the path leads this process to the file that is mapped.
bool is_at(const std::string& path, const Mapping& mapping) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && status.st_ino == mapping.inode;
}

bool is_name_of(std::string_view pattern, const LoadedObject& object) {
  if (pattern == "a.out") {
    return object.is_program;
  }
  if (glob_matches(pattern, object.name) || glob_matches(pattern, object.path)) {
    return true;
  }
  // "libc" and "libc.so" mean libc.so.6; "libc-2.31.so" is libc as well.
  return object.name.size() > pattern.size() && object.name.starts_with(pattern) &&
         object.name[pattern.size()] == '.';
}

}  // namespace

Result<Process> Process::open(pid_t process) {
  Process opened(process);
  const auto start_time = read_start_time(process);
  if (!start_time) {
    return error("there is no process {}", process);
  }
  opened.start_time_ = *start_time;
  const auto maps = KINST_TRY(read_mappings(process));
  if (maps.empty()) {
    return error("process {} is a kernel thread or has ended, so it has no program",
                 process);
  }
  opened.objects_ =
      objects_of(process, maps, link_target(fmt::format("/proc/{}/exe", process)));
  return opened;
}

bool Process::is_stale() const {
  // Stacks of code that a program made itself ask about uncovered addresses all along.
  constexpr auto worth_a_look = std::chrono::milliseconds(100);
  return std::chrono::steady_clock::now() - refreshed_ > worth_a_look;
}

bool Process::refresh() {
  refreshed_ = std::chrono::steady_clock::now();
  const auto start_time = read_start_time(id_);
  if (!start_time || *start_time != start_time_) {
    return false;
  }
  const auto maps = read_mappings(id_);
  if (!maps || maps->empty()) {
    return false;
  }
  remember(objects_of(id_, *maps, link_target(fmt::format("/proc/{}/exe", id_))));
  return true;
}

// What is not there any more may still be asked about: addresses are named later than
// they are recorded.
void Process::remember(std::vector<LoadedObject> now) {
  constexpr std::size_t most_looks = 4;
  const auto is_there = [&](const LoadedObject& before) {
    return std::ranges::any_of(now, [&](const LoadedObject& object) {
      return object.begin == before.begin && object.path == before.path &&
             object.text->inode == before.text->inode;
    });
  };
  if (!std::ranges::all_of(objects_, is_there)) {
    earlier_.insert(earlier_.begin(), std::move(objects_));
    earlier_.resize(std::min(earlier_.size(), most_looks));
  }
  objects_ = std::move(now);
}

const LoadedObject* Process::program() const {
  return objects_.empty() || !objects_.front().is_program ? nullptr : &objects_.front();
}

std::vector<const LoadedObject*> Process::find(std::string_view pattern) const {
  std::vector<const LoadedObject*> found;
  for (const LoadedObject& object : objects_) {
    if (pattern.empty() || is_name_of(pattern, object)) {
      found.push_back(&object);
    }
  }
  return found;
}

const Result<ObjectFile>& Process::file(const LoadedObject& object) {
  auto& file = files_[fmt::format("{} {}", object.path, object.text->inode)];
  if (file == nullptr) {
    file = std::make_unique<Result<ObjectFile>>(
        object.path == virtual_object ? read_virtual_object(id_, *object.text)
                                      : read_object(object.openable, object.path,
                                                    fmt::format("/proc/{}/root", id_)));
    // A process that has ended takes its view of files along, but rarely the files.
    if (!*file && is_at(object.path, *object.text)) {
      *file = read_object(object.path, object.path, "");
    }
  }
  return *file;
}

std::optional<std::uint64_t> Process::bias(const LoadedObject& object) {
  const Result<ObjectFile>& read = file(object);
  if (!read) {
    return std::nullopt;
  }
  const Mapping& text = *object.text;
  for (const ElfSegment& segment : read->elf.segments) {
    // A mapping begins at the page in which the segment does, or within the segment.
    const bool begins_here =
        segment.is_executable && text.file_offset <= segment.file_offset &&
        segment.file_offset < text.file_offset + text.end - text.begin;
    const bool is_within = segment.is_executable &&
                           segment.file_offset < text.file_offset &&
                           text.file_offset < segment.file_offset + segment.file_bytes;
    if (begins_here || is_within) {
      return text.begin - (segment.address + text.file_offset - segment.file_offset);
    }
  }
  return std::nullopt;
}

const LoadedObject* Process::object_at(std::uint64_t address) const {
  const auto covers = [&](const LoadedObject& object) {
    return address >= object.begin && address < object.end;
  };
  const auto found = std::ranges::find_if(objects_, covers);
  if (found != objects_.end()) {
    return &*found;
  }
  for (const std::vector<LoadedObject>& objects : earlier_) {
    const auto before = std::ranges::find_if(objects, covers);
    if (before != objects.end()) {
      return &*before;
    }
  }
  return nullptr;
}

std::optional<UserPlace> Process::place(std::uint64_t address) {
  const LoadedObject* object = object_at(address);
  if (object == nullptr) {
    return std::nullopt;
  }
  UserPlace place{.object = object->name, .symbol = {}, .offset = 0};
  const auto base = bias(*object);
  if (!base) {
    return place;
  }
  if (const ElfSymbol* symbol = file(*object)->symbols.at(address - *base)) {
    place.symbol = symbol->name;
    place.offset = address - *base - symbol->address;
  }
  return place;
}

Process* Processes::find(pid_t process) {
  const auto [place, is_new] = processes_.try_emplace(process);
  if (is_new) {
    if (auto opened = Process::open(process)) {
      place->second.emplace(std::move(*opened));
    }
  }
  return place->second ? &*place->second : nullptr;
}

std::optional<UserPlace> Processes::place(pid_t process, std::uint64_t address) {
  Process* found = find(process);
  if (found == nullptr) {
    return std::nullopt;
  }
  // What covered the address may have made room for something else: another program was
  // executed, a library unloaded, or the number is another process's now.
  if (found->is_stale() && !found->refresh()) {
    if (auto other = Process::open(process)) {
      *found = std::move(*other);
    }
  }
  return found->place(address);
}

}  // namespace kinst::user
