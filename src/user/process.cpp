// /proc/PID/maps grouped by file, with the files' symbols behind them.
#include "user/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <set>
#include <sstream>
#include <utility>

#include "base/system/file_descriptor.h"
#include "base/system/read_file.h"
#include "base/text/glob.h"

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
  constexpr std::size_t most_objects = 2048;
  objects.resize(std::min(objects.size(), most_objects));
  std::stable_partition(objects.begin(), objects.end(),
                        [](const LoadedObject& object) { return object.is_program; });
  return objects;
}

Result<ObjectBytes> read_virtual_object(pid_t process, const Mapping& mapping) {
  constexpr std::uint64_t most_bytes = 1U << 16U;
  const FileDescriptor memory(
      open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY | O_CLOEXEC));
  if (!memory) {
    return system_error("read the vDSO", errno);
  }
  std::vector<std::byte> image(std::min(mapping.end - mapping.begin, most_bytes));
  image.resize(KINST_TRY(read_at(memory.get(), mapping.begin, image, "the vDSO")));
  return ObjectBytes(std::move(image), std::string(virtual_object));
}

std::string name_and_inode(const LoadedObject& object) {
  return fmt::format("{} {}", object.path, object.text->inode);
}

// What must be added to the file's addresses to get those of the mapping.
std::optional<std::uint64_t> bias_of(const ElfFile& elf, const Mapping& text) {
  for (const ElfSegment& segment : elf.segments) {
    // A mapping begins at the page in which the segment does, or within the segment.
    const bool begins_here =
        segment.is_executable && text.file_offset <= segment.file_offset &&
        segment.file_offset - text.file_offset < text.end - text.begin;
    const bool is_within = segment.is_executable &&
                           segment.file_offset < text.file_offset &&
                           text.file_offset - segment.file_offset < segment.file_bytes;
    if (begins_here || is_within) {
      return text.begin - (segment.address + text.file_offset - segment.file_offset);
    }
  }
  return std::nullopt;
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

FileKey key_of(const LoadedObject& object) {
  return {object.text->device, object.text->inode};
}

Result<Process> Process::open(pid_t process, std::shared_ptr<ObjectFiles> files) {
  Process opened(process, std::move(files));
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

// Objects that are gone may still be needed: addresses get their names later than they
// are recorded.
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
  forget_unmapped();
}

void Process::forget_unmapped() {
  std::set<std::string> mapped;
  for (const LoadedObject& object : objects_) {
    mapped.insert(name_and_inode(object));
  }
  for (const std::vector<LoadedObject>& objects : earlier_) {
    for (const LoadedObject& object : objects) {
      mapped.insert(name_and_inode(object));
    }
  }
  std::erase_if(known_, [&](const auto& known) {
    // A file that could not be read is tried again.
    return !mapped.contains(known.first) ||
           (known.second.kept != nullptr && !*known.second.kept);
  });
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

// Through the process, whatever its mount namespace; where it has ended, its path often
// still leads to the file. `place` says where debug files are then.
Result<ObjectBytes> Process::open_object(const LoadedObject& object,
                                         ObjectPlace& place) const {
  place = {.path = object.path, .root = fmt::format("/proc/{}/root", id_)};
  if (object.path == virtual_object) {
    return read_virtual_object(id_, *object.text);
  }
  auto file = RegularFile::open(object.openable);
  if (!file) {
    auto named = RegularFile::open(object.path);
    if (!named || named->identity().inode != object.text->inode) {
      return tl::unexpected(file.error());
    }
    file = std::move(named);
    place.root.clear();
  }
  return ObjectBytes(*std::move(file), object.path);
}

Process::Known& Process::known(const LoadedObject& object) {
  return known_[name_and_inode(object)];
}

SharedObject Process::shared(const LoadedObject& object) {
  Known& known = this->known(object);
  SharedObject held = known.kept       ? known.kept
                      : known.identity ? files_->find(*known.identity)
                                       : known.copy.lock();
  if (held != nullptr) {
    return held;
  }
  ObjectPlace place;
  const auto bytes = open_object(object, place);
  if (!bytes) {
    // Until the next look at what is mapped.
    known.kept =
        std::make_shared<const Result<ObjectFile>>(tl::unexpected(bytes.error()));
    return known.kept;
  }
  held = files_->get(*bytes, place);
  known.identity = bytes->identity();
  known.copy = held;
  return held;
}

const Result<ObjectFile>& Process::file(const LoadedObject& object) {
  SharedObject read = shared(object);
  return *(known(object).kept = std::move(read));
}

CallFrameSection Process::call_frames(const LoadedObject& object) {
  const Result<ObjectFile>& read = file(object);
  if (!read || read->elf.call_frames.size_bytes > CallFrameSection::most_bytes) {
    return {};
  }
  ObjectPlace place;
  const auto bytes = open_object(object, place);
  if (!bytes || bytes->identity() != known(object).identity) {
    return {};
  }
  const ElfSectionPlace& section = read->elf.call_frames;
  return {.address = section.address,
          .bytes = bytes->bytes(section.file_offset, section.size_bytes)};
}

std::optional<std::uint64_t> Process::bias(const LoadedObject& object) {
  const Result<ObjectFile>& read = file(object);
  return read ? bias_of(read->elf, *object.text) : std::nullopt;
}

std::size_t Process::memory_bytes() const {
  std::size_t bytes = sizeof(Process);
  const auto add = [&](const std::vector<LoadedObject>& objects) {
    for (const LoadedObject& object : objects) {
      constexpr std::size_t paths = 3;  // in the object, its mapping, and as a key
      bytes += sizeof object + sizeof(Known) + paths * object.path.capacity() +
               object.name.capacity() + object.openable.capacity();
    }
  };
  add(objects_);
  std::ranges::for_each(earlier_, add);
  return bytes;
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
  const SharedObject read = shared(*object);
  const auto base = *read ? bias_of((*read)->elf, *object->text) : std::nullopt;
  if (!base) {
    return place;
  }
  if (const ElfSymbol* symbol = (*read)->symbols.at(address - *base)) {
    place.symbol = symbol->name;
    place.offset = address - *base - symbol->address;
  }
  return place;
}

Process* Processes::find(pid_t process) {
  const auto [place, is_new] = processes_.try_emplace(process);
  Entry& entry = place->second;
  entry.last_use = ++uses_;
  if (is_new) {
    if (auto opened = Process::open(process, files_)) {
      entry.process.emplace(std::move(*opened));
    }
    make_room();
  }
  return entry.process ? &*entry.process : nullptr;
}

// Makes a quarter of the room free at once, so that sorting by age is rare.
void Processes::make_room() {
  std::size_t bytes = 0;
  for (const auto& [number, entry] : processes_) {
    bytes += entry.process ? entry.process->memory_bytes() : sizeof entry;
  }
  if (processes_.size() <= limits_.processes && bytes <= limits_.bytes) {
    return;
  }
  std::vector<std::pair<std::uint64_t, pid_t>> by_use;
  for (const auto& [number, entry] : processes_) {
    by_use.emplace_back(entry.last_use, number);
  }
  std::ranges::sort(by_use);
  by_use.pop_back();  // the newest is about to be used
  for (const auto& [use, number] : by_use) {
    const std::optional<Process>& process = processes_.at(number).process;
    if (processes_.size() <= limits_.processes / 4 * 3 &&
        bytes <= limits_.bytes / 4 * 3) {
      return;
    }
    bytes -= process ? process->memory_bytes() : sizeof(Entry);
    processes_.erase(number);
  }
}

std::optional<UserPlace> Processes::place(pid_t process, std::uint64_t address) {
  Process* found = find(process);
  if (found == nullptr) {
    return std::nullopt;
  }
  // The address may belong to something else now: the process has executed another
  // program or unloaded a library, or its number is another process's.
  if (found->is_stale() && !found->refresh()) {
    if (auto other = Process::open(process, files_)) {
      *found = std::move(*other);
    }
  }
  return found->place(address);
}

}  // namespace kinst::user
