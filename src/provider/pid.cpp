// From a description to functions of a process's files, and from those, by decoding
// their text as the files have it, to instructions: the kernel does not check that a
// probe is put where an instruction begins, and a wrong one breaks the program.
#include "provider/pid.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "base/file_descriptor.h"
#include "base/glob.h"
#include "base/near_names.h"
#include "isa/user_probes.h"
#include "provider/nop_probes.h"
#include "provider/reachable_code.h"

namespace kinst::provider {
namespace {

// A function of a process, and what is needed to probe it.
struct Function {
  pid_t process = -1;
  const user::LoadedObject* object = nullptr;
  const user::ElfFile* elf = nullptr;
  const user::ElfSymbol* symbol = nullptr;
  std::uint64_t bias = 0;
  ReachableCode* code = nullptr;  ///< of its file
};

// DTrace's reasons why a description means nothing, with its tags for them.
Match none(std::string tag, std::string why) {
  Match match;
  match.tag = std::move(tag);
  match.why_none = std::move(why);
  return match;
}

bool is_everything(std::string_view name) {
  return name.empty() || is_glob(name);
}

bool name_covers(std::string_view pattern, std::string_view name) {
  return pattern.empty() || glob_matches(pattern, name);
}

std::optional<std::uint64_t> parse_offset(std::string_view text) {
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || failure != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

Probe probe_at(const Function& function, UserPlaceKind kind, std::uint64_t offset,
               std::string name) {
  const std::uint64_t address = function.symbol->address + offset;
  return Probe{
      .id = 0,
      .provider = fmt::format("pid{}", function.process),
      .module = function.object->name,
      .function = function.symbol->name,
      .name = std::move(name),
      .site =
          UserInstruction{.process = function.process,
                          .kind = kind,
                          .address = address + function.bias,
                          .file = function.object->openable,
                          .file_offset = function.elf->offset_of(address).value_or(0)},
      .key = 0};
}

// The function's bytes as its file has them, so without anybody's breakpoints.
Result<std::vector<std::byte>> read_text(const Function& function,
                                         std::uint64_t most_bytes) {
  const FileDescriptor file(
      open(function.object->openable.c_str(), O_RDONLY | O_CLOEXEC));
  const auto offset = function.elf->offset_of(function.symbol->address);
  std::vector<std::byte> text(std::min(function.symbol->size_bytes, most_bytes));
  if (!file || !offset) {
    return system_error("read " + function.object->path, file ? EINVAL : errno);
  }
  const ssize_t got =
      pread(file.get(), text.data(), text.size(), static_cast<off_t>(*offset));
  if (got < 0) {
    return system_error("read " + function.object->path, errno);
  }
  text.resize(static_cast<std::size_t>(got));
  return text;
}

Result<std::vector<isa::Instruction>> decode(const Function& function,
                                             const isa::Isa& isa,
                                             std::uint64_t most_bytes = UINT64_MAX) {
  const std::vector<std::byte> text = KINST_TRY(read_text(function, most_bytes));
  return isa.decode(text, KernelAddress{function.symbol->address + function.bias});
}

Result<std::vector<FunctionPlace>> places_of(const Function& function) {
  const std::vector<std::byte> text = KINST_TRY(read_text(function, UINT64_MAX));
  return function.code->places(*function.symbol, text,
                               function.symbol->address + function.bias);
}

// Why no instruction begins at the offset.
std::string why_no_instruction(const Function& function,
                               const std::vector<FunctionPlace>& places,
                               std::uint64_t offset) {
  for (const FunctionPlace& place : places) {
    const isa::Instruction& one = place.instruction;
    if (number(one.offset) < offset && offset < number(one.end())) {
      return fmt::format(
          "{}+{:#x} is inside the instruction at {:x}; the next one is at {:x}",
          function.symbol->name, offset, number(one.offset), number(one.end()));
    }
  }
  return fmt::format("{} has {:#x} bytes, so there is nothing at {:x}",
                     function.symbol->name, function.symbol->size_bytes, offset);
}

// The probe of one offset that was named.
Result<Match> match_offset(const Function& function, std::uint64_t offset,
                           const std::string& name) {
  const auto places = KINST_TRY(places_of(function));
  const auto place = std::ranges::find_if(places, [&](const FunctionPlace& one) {
    return number(one.instruction.offset) == offset;
  });
  if (place == places.end()) {
    return none("D_PROC_OFF", why_no_instruction(function, places, offset));
  }
  if (!place->why_not.empty()) {
    return none("D_PROC_OFF", fmt::format("{}+{:#x}: {}", function.symbol->name, offset,
                                          place->why_not));
  }
  Match found;
  found.probes.push_back(probe_at(function, UserPlaceKind::Instruction, offset, name));
  return found;
}

void add_instructions(const Function& function, const std::string& pattern,
                      Match& found) {
  const auto skip = [&](std::string_view name, std::string reason) {
    found.skipped.push_back(
        {.probe = fmt::format("pid{}:{}:{}:{}", function.process, function.object->name,
                              function.symbol->name, name),
         .reason = std::move(reason)});
  };
  const auto places = places_of(function);
  if (!places) {
    skip("", places.error().message);
    return;
  }
  for (const FunctionPlace& place : *places) {
    const auto offset = number(place.instruction.offset);
    const std::string name = fmt::format("{:x}", offset);
    if (offset == 0 || !name_covers(pattern, name)) {
      continue;
    }
    if (!place.why_not.empty()) {
      skip(name, place.why_not);
    } else {
      found.probes.push_back(
          probe_at(function, UserPlaceKind::Instruction, offset, name));
    }
  }
}

// Entry and return: both are had by a breakpoint at the first instruction.
Result<void> add_edges(const Function& function, const std::string& pattern,
                       const isa::Isa& isa, Match& found) {
  constexpr std::uint64_t longest_instruction = 15;
  std::string why_not;
  if (const auto first = decode(function, isa, longest_instruction); !first) {
    why_not = first.error().message;
  } else if (!first->empty()) {
    why_not = isa::why_no_uprobe(first->front().encoding());
    if (isa::may_become_a_call(first->front().encoding())) {
      const auto places = KINST_TRY(places_of(function));
      why_not = places.empty() ? why_not : places.front().why_not;
    }
  }
  for (const auto& [kind, name] : {std::pair(UserPlaceKind::Entry, "entry"),
                                   std::pair(UserPlaceKind::Return, "return")}) {
    if (!name_covers(pattern, name)) {
      continue;
    }
    if (why_not.empty()) {
      found.probes.push_back(probe_at(function, kind, 0, name));
    } else {
      found.skipped.push_back(
          {.probe = fmt::format("pid{}:{}:{}:{}", function.process,
                                function.object->name, function.symbol->name, name),
           .reason = "at its first instruction, " + why_not});
    }
  }
  if (found.probes.empty() && !found.skipped.empty()) {
    found.why_none = found.skipped.front().reason;
  }
  return {};
}

Result<Match> match_function(const Function& function, const std::string& name,
                             const isa::Isa& isa) {
  Match found;
  const bool is_pattern = is_everything(name);
  KINST_CHECK(add_edges(function, name, isa, found));
  if (is_pattern) {
    add_instructions(function, name, found);
  } else if (const auto offset = parse_offset(name);
             offset && name != "entry" && name != "return") {
    return match_offset(function, *offset, name);
  }
  return found;
}

// Why the description cannot mean anything, before any process is looked at.
std::optional<Match> refuse_names(const d::Description& description) {
  const std::string& name = description.name;
  if (description.function == "-") {
    if (is_everything(name) || description.module.empty()) {
      return none("D_PROC_NAME", "the function '-' needs one offset and one object");
    }
    return none("D_PROC_LIB",
                "offsets from an object's beginning ('-') are not traced: name the "
                "function");
  }
  if (!is_everything(name) && name != "entry" && name != "return" &&
      !parse_offset(name)) {
    return none(
        "D_PROC_NAME",
        fmt::format("'{}' is neither entry, return nor a hexadecimal offset", name));
  }
  return std::nullopt;
}

// The code of files, each of which stays where it is.
class FilesOfCode {
 public:
  FilesOfCode(const isa::Isa& isa, std::function<bool()> nops_stay)
      : isa_(&isa), nops_stay_(std::move(nops_stay)) {}
  ReachableCode& of(const user::ObjectFile& file, const std::string& openable) {
    return files_.emplace_back(file, openable, *isa_, nops_stay_);
  }

 private:
  const isa::Isa* isa_;
  std::function<bool()> nops_stay_;
  std::deque<ReachableCode> files_;
};

std::string object_names(const user::Process& process) {
  std::vector<std::string> names;
  for (const user::LoadedObject& object : process.objects()) {
    names.push_back(object.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// The functions of those objects that the pattern means. `skipped` gets objects whose
// functions are not known.
std::vector<Function> functions_of(
    user::Process& process, const std::vector<const user::LoadedObject*>& objects,
    const std::string& pattern, FilesOfCode& files, std::vector<Skipped>& skipped) {
  std::vector<Function> functions;
  for (const user::LoadedObject* object : objects) {
    if (object->path.front() != '/') {
      continue;  // the vDSO is nobody's file, so the kernel cannot probe it
    }
    const auto& file = process.file(*object);
    const auto bias = process.bias(*object);
    if (!file || !bias) {
      skipped.push_back({.probe = fmt::format("pid{}:{}::", process.id(), object->name),
                         .reason = file ? "its text cannot be found in its file"
                                        : file.error().message});
      continue;
    }
    ReachableCode& code = files.of(*file, object->openable);
    for (const user::ElfSymbol* symbol : file->symbols.functions(pattern)) {
      if (std::string why_not = code.why_no_function(*symbol); !why_not.empty()) {
        skipped.push_back({.probe = fmt::format("pid{}:{}:{}:", process.id(),
                                                object->name, symbol->name),
                           .reason = std::move(why_not)});
      } else if (file->elf.offset_of(symbol->address)) {
        functions.push_back({.process = process.id(),
                             .object = object,
                             .elf = &file->elf,
                             .symbol = symbol,
                             .bias = *bias,
                             .code = &code});
      }
    }
  }
  return functions;
}

std::string why_no_function(user::Process& process,
                            const std::vector<const user::LoadedObject*>& objects,
                            const std::string& wanted) {
  NearNames near(wanted);
  std::vector<std::string> stripped;
  for (const user::LoadedObject* object : objects) {
    const auto& file = process.file(*object);
    if (!file) {
      continue;
    }
    if (!file->elf.has_full_symbols && file->debug_file.empty()) {
      stripped.push_back(object->name);
    }
    for (const user::ElfSymbol& symbol : file->symbols.all()) {
      near.offer(symbol.name);
    }
  }
  std::string why = near.question();
  if (!stripped.empty()) {
    const bool is_one = stripped.size() == 1;
    // What was executed may be another program than one thinks: a script's shell.
    const bool is_program =
        is_one && objects.size() == 1 && objects.front()->is_program;
    why +=
        fmt::format("{}{}{} {} stripped, so only what {} to other programs has names",
                    why.empty() ? "" : "; ", is_program ? "the program is " : "",
                    fmt::join(stripped, ", "),
                    is_program ? "and"
                    : is_one   ? "is"
                               : "are",
                    is_one ? "it shows" : "they show");
  }
  if (why.empty()) {
    std::vector<std::string> names;
    names.reserve(objects.size());
    for (const user::LoadedObject* object : objects) {
      names.push_back(object->name);
    }
    why = fmt::format("no function of {} is called so", fmt::join(names, ", "));
  }
  return why;
}

Result<Match> match_process(const d::Description& description, user::Process& process,
                            const isa::Isa& isa, FilesOfCode& files, std::size_t most) {
  const auto objects = process.find(description.module);
  if (objects.empty()) {
    return none("", fmt::format("process {} has {} loaded", process.id(),
                                object_names(process)));
  }
  if (const user::LoadedObject* program = process.program()) {
    const auto& file = process.file(*program);
    if (file &&
        (file->elf.width != user::ElfClass::Bits64 || !file->elf.is_native_machine)) {
      return none("", fmt::format("process {} is a program of another kind of machine "
                                  "or a 32-bit one, whose instructions are not known",
                                  process.id()));
    }
  }
  Match found;
  const auto functions =
      functions_of(process, objects, description.function, files, found.skipped);
  if (functions.empty()) {
    found.tag = is_everything(description.function) ? "" : "D_PROC_FUNC";
    found.why_none = found.skipped.empty()
                         ? why_no_function(process, objects, description.function)
                         : found.skipped.front().reason;
    return found;
  }
  for (const Function& function : functions) {
    Match one = KINST_TRY(match_function(function, description.name, isa));
    std::ranges::move(one.probes, std::back_inserter(found.probes));
    std::ranges::move(one.skipped, std::back_inserter(found.skipped));
    found.tag = std::move(one.tag);
    found.why_none = std::move(one.why_none);
    if (found.probes.size() > most) {
      return none("D_PROC_CREATEFAIL",
                  fmt::format("it means more than {} probes: name an object or a "
                              "function",
                              most));
    }
  }
  return found;
}

}  // namespace

std::optional<pid_t> process_of(std::string_view provider_field) {
  const std::size_t digits = provider_field.find_last_not_of("0123456789") + 1;
  const std::string_view number = provider_field.substr(digits);
  pid_t process = 0;
  const auto [end, failure] =
      std::from_chars(number.data(), number.data() + number.size(), process);
  if (number.empty() || failure != std::errc()) {
    return std::nullopt;
  }
  return process;
}

bool PidProvider::is_meant_by(std::string_view provider_field) const {
  const std::size_t digits = provider_field.find_last_not_of("0123456789") + 1;
  // "pid" alone is told what it lacks.
  return provider_field == name() ||
         (digits < provider_field.size() && digits != 0 &&
          glob_matches(provider_field.substr(0, digits), name()));
}

Result<Match> PidProvider::match(const d::Description& description) {
  const auto number = process_of(description.provider);
  if (!number || *number <= 0) {
    return none("D_PROC_BADPID",
                fmt::format("{} names no process: pid$target is that of -c or -p, "
                            "pid123 is process 123",
                            description.provider));
  }
  if (auto refused = refuse_names(description)) {
    return *std::move(refused);
  }
  user::Process* process = processes_->find(*number);
  if (process == nullptr) {
    return none("D_PROC_BADPID",
                fmt::format("there is no process {} with a program", *number));
  }
  process->refresh();
  FilesOfCode files(*isa_, [this] {
    if (!nops_stay_) {
      nops_stay_ = nops_stay_when_probed();
    }
    return *nops_stay_;
  });
  return match_process(description, *process, *isa_, files, most_);
}

}  // namespace kinst::provider
