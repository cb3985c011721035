// From a description to functions of a process's files, and from those, by decoding
// their text as the files have it, to instructions: the kernel does not check that a
// probe is put where an instruction begins, and a wrong one breaks the program.
#include "provider/user/pid.h"

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

#include "base/text/glob.h"
#include "base/text/near_names.h"
#include "provider/user/indirect_functions.h"
#include "provider/user/nop_probes.h"
#include "provider/user/reachable_code.h"
#include "provider/user/user_exits.h"

namespace kinst::provider {
namespace {

// A function of a process, and what is needed to probe it.
struct UserFunction {
  pid_t process = -1;
  const user::LoadedObject* object = nullptr;
  const user::ElfFile* elf = nullptr;
  const user::ElfSymbol* symbol = nullptr;
  std::uint64_t bias = 0;
  ReachableCode* code = nullptr;  ///< of its file
  ExitFinder* exits = nullptr;    ///< of its file
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

Probe probe_at(const UserFunction& function, UserPlaceKind kind, std::uint64_t offset,
               std::string name) {
  const std::uint64_t address = function.symbol->address + offset;
  return Probe{.id = 0,
               .provider = fmt::format("pid{}", function.process),
               .module = function.object->name,
               .function = function.symbol->name,
               .name = std::move(name),
               .site = UserInstruction{.process = function.process,
                                       .kind = kind,
                                       .address = address + function.bias,
                                       .file = function.object->openable,
                                       .file_offset =
                                           function.elf->offset_of(address).value_or(0),
                                       .exits = {}},
               .key = 0};
}

// Code as the file has it, so without anybody's breakpoints; no more than the file has,
// whatever its symbols say.
Result<std::vector<std::byte>> read_code(const UserFunction& function,
                                         std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t largest_function = 16U << 20U;
  std::vector<std::byte> text =
      user::read_at_address(function.object->openable, *function.elf, address,
                            std::min(bytes, largest_function));
  if (text.empty() && bytes != 0) {
    return error("cannot read {}: it has no such part", function.object->path);
  }
  return text;
}

Result<std::vector<FunctionPlace>> places_of(const UserFunction& function) {
  const std::vector<std::byte> text = KINST_TRY(
      read_code(function, function.symbol->address, function.symbol->size_bytes));
  return function.code->places(*function.symbol, text,
                               function.symbol->address + function.bias);
}

// Why no instruction begins at the offset.
std::string why_no_instruction(const UserFunction& function,
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
Result<Match> match_offset(const UserFunction& function, std::uint64_t offset,
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

void add_instructions(const UserFunction& function, const std::string& pattern,
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

std::string name_of(const UserFunction& function, std::string_view name) {
  return fmt::format("pid{}:{}:{}:{}", function.process, function.object->name,
                     function.symbol->name, name);
}

// The entry is at the first instruction.
Result<void> add_entry(const UserFunction& function, const isa::Isa& isa,
                       Match& found) {
  std::string why_not;
  const auto text =
      read_code(function, function.symbol->address, isa.longest_instruction_bytes);
  if (!text) {
    why_not = text.error().message;
  } else if (const auto code = isa.decode(
                 *text, KernelAddress{function.symbol->address + function.bias});
             !code.empty()) {
    why_not = isa.why_no_uprobe(code.front().encoding());
    if (isa.may_become_a_call(code.front().encoding())) {
      const auto places = KINST_TRY(places_of(function));
      why_not = places.empty() ? why_not : places.front().why_not;
    }
  }
  if (why_not.empty()) {
    found.probes.push_back(probe_at(function, UserPlaceKind::Entry, 0, "entry"));
  } else {
    found.skipped.push_back({.probe = name_of(function, "entry"),
                             .reason = "at its first instruction, " + why_not});
  }
  return {};
}

// Why one of the exits may not be probed: it may be no instruction at all but a table
// among them.
Result<std::string> why_no_exit(const UserFunction& function, const CodeExits& code) {
  const auto places = KINST_TRY(places_of(function));
  for (const CodeExit& one : code.exits) {
    const std::uint64_t offset = one.address - function.symbol->address;
    const auto place = std::ranges::find_if(places, [&](const FunctionPlace& there) {
      return number(there.instruction.offset) == offset;
    });
    if (place != places.end() && !place->why_not.empty()) {
      return fmt::format("it seems to return at {}+{:#x}: {}", function.symbol->name,
                         offset, place->why_not);
    }
  }
  return std::string();
}

// The return is at all instructions by which the function is left.
Result<void> add_return(const UserFunction& function, Match& found) {
  CodeExits code{.exits = {}, .why_none = "nothing tells where it ends"};
  if (function.symbol->size_bytes != 0) {
    code = function.exits->find(*function.symbol,
                                [&](std::uint64_t address, std::uint64_t bytes) {
                                  return read_code(function, address, bytes);
                                });
  }
  if (!code.exits.empty()) {
    code.why_none = KINST_TRY(why_no_exit(function, code));
  }
  if (!code.why_none.empty()) {
    found.skipped.push_back(
        {.probe = name_of(function, "return"), .reason = code.why_none});
    return {};
  }
  Probe probe = probe_at(function, UserPlaceKind::Return, 0, "return");
  auto& site = std::get<UserInstruction>(probe.site);
  for (const CodeExit& one : code.exits) {
    const auto offset =
        static_cast<std::int64_t>(one.address - function.symbol->address);
    site.exits.push_back(
        {.file_offset = function.elf->offset_of(one.address).value_or(0),
         .offset = static_cast<std::int32_t>(offset),
         .has_result = one.has_result});
  }
  found.probes.push_back(std::move(probe));
  return {};
}

Result<void> add_edges(const UserFunction& function, const std::string& pattern,
                       const isa::Isa& isa, Match& found) {
  if (name_covers(pattern, "entry")) {
    KINST_CHECK(add_entry(function, isa, found));
  }
  if (name_covers(pattern, "return")) {
    KINST_CHECK(add_return(function, found));
  }
  if (found.probes.empty() && !found.skipped.empty()) {
    found.why_none = found.skipped.front().reason;
  }
  return {};
}

Result<Match> match_function(const UserFunction& function, const std::string& name,
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

// What is known of the code of one file.
struct FileCode {
  ReachableCode reachable;
  ExitFinder exits;
};

// The code of files, each of which stays where it is.
class FilesOfCode {
 public:
  FilesOfCode(const isa::Isa& isa, std::function<bool()> nops_stay)
      : isa_(&isa), nops_stay_(std::move(nops_stay)) {}
  FileCode& of(const user::ObjectFile& file, const std::string& openable) {
    files_.push_back({.reachable = ReachableCode(file, openable, *isa_, nops_stay_),
                      .exits = ExitFinder(file, openable, *isa_)});
    return files_.back();
  }

 private:
  const isa::Isa* isa_;
  std::function<bool()> nops_stay_;
  std::deque<FileCode> files_;
};

// Why nothing can be known of a process.
std::string why_no_process(pid_t process) {
  if (access(fmt::format("/proc/{}", process).c_str(), F_OK) == 0 &&
      access(fmt::format("/proc/{}/exe", process).c_str(), R_OK) != 0 &&
      errno == EACCES) {
    return fmt::format(
        "process {} is another user's and may not be looked at: run as root", process);
  }
  return fmt::format("there is no process {} with a program", process);
}

std::string object_names(const user::Process& process) {
  std::vector<std::string> names;
  for (const user::LoadedObject& object : process.objects()) {
    names.push_back(object.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// Adds the function; or, of one that is chosen when the program starts, what stands for
// it.
void add_function(const UserFunction& function, IndirectFunctions& indirect,
                  std::vector<UserFunction>& functions, std::vector<Skipped>& skipped) {
  if (!function.symbol->is_resolver) {
    functions.push_back(function);
    return;
  }
  const auto chosen =
      indirect.implementations(*function.object, *function.symbol,
                               [&](std::uint64_t address, std::uint64_t bytes) {
                                 return read_code(function, address, bytes);
                               });
  for (const user::ElfSymbol* symbol : chosen) {
    functions.push_back(function);
    functions.back().symbol = symbol;
  }
  if (chosen.empty()) {
    skipped.push_back({.probe = name_of(function, ""),
                       .reason = "it is chosen when the program starts (an IFUNC), and "
                                 "what it is chosen from cannot be told"});
  }
}

// What is found out about functions for one description.
struct Finders {
  FilesOfCode& files;
  IndirectFunctions& indirect;
};

// The functions of those objects that the pattern means. `skipped` gets objects whose
// functions are not known.
std::vector<UserFunction> functions_of(
    user::Process& process, const std::vector<const user::LoadedObject*>& objects,
    const std::string& pattern, const Finders& finders, std::vector<Skipped>& skipped) {
  std::vector<UserFunction> functions;
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
    FileCode& code = finders.files.of(*file, object->openable);
    for (const user::ElfSymbol* symbol : file->symbols.functions(pattern)) {
      if (std::string why_not = code.reachable.why_no_function(*symbol);
          !why_not.empty()) {
        skipped.push_back({.probe = fmt::format("pid{}:{}:{}:", process.id(),
                                                object->name, symbol->name),
                           .reason = std::move(why_not)});
      } else if (file->elf.offset_of(symbol->address)) {
        add_function({.process = process.id(),
                      .object = object,
                      .elf = &file->elf,
                      .symbol = symbol,
                      .bias = *bias,
                      .code = &code.reachable,
                      .exits = &code.exits},
                     finders.indirect, functions, skipped);
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
    why =
        fmt::format("there is no function '{}' in {}", wanted, fmt::join(names, ", "));
  }
  return why;
}

Result<Match> match_process(const d::Description& description, user::Process& process,
                            const std::vector<const user::LoadedObject*>& objects,
                            const isa::Isa& isa, FilesOfCode& files, std::size_t most) {
  if (objects.empty()) {
    return none("", fmt::format("process {} has no '{}' loaded, but {}", process.id(),
                                description.module, object_names(process)));
  }
  if (const user::LoadedObject* program = process.program()) {
    const auto& file = process.file(*program);
    if (file && !file->elf.is_for(isa.elf_machine)) {
      return none("", fmt::format("process {} is a program of another kind of machine "
                                  "or a 32-bit one, whose instructions are not known",
                                  process.id()));
    }
  }
  Match found;
  IndirectFunctions indirect(process, isa);
  const auto functions =
      functions_of(process, objects, description.function,
                   {.files = files, .indirect = indirect}, found.skipped);
  if (functions.empty()) {
    found.tag = is_everything(description.function) ? "" : "D_PROC_FUNC";
    found.why_none = found.skipped.empty()
                         ? why_no_function(process, objects, description.function)
                         : found.skipped.front().reason;
    return found;
  }
  for (const UserFunction& function : functions) {
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
    return none("D_PROC_BADPID", why_no_process(*number));
  }
  process->refresh();
  FilesOfCode files(*isa_, [this] {
    if (!nops_stay_) {
      nops_stay_ = nops_stay_when_probed(*isa_);
    }
    return *nops_stay_;
  });
  auto objects = process->find(description.module);
  std::erase_if(objects, [&](const user::LoadedObject* object) {
    return left_out_.contains(user::key_of(*object));
  });
  return match_process(description, *process, objects, *isa_, files, most_);
}

std::vector<Probe> PidProvider::awaited(const d::Description& description) const {
  const auto process = process_of(description.provider);
  std::vector<Probe> probes;
  if (!process || processes_->find(*process) == nullptr || refuse_names(description)) {
    return probes;
  }
  const auto add = [&](UserPlaceKind kind, std::string name) {
    probes.push_back({.id = 0,
                      .provider = fmt::format("pid{}", *process),
                      .module = description.module,
                      .function = description.function,
                      .name = std::move(name),
                      .site = UserInstruction{.process = *process,
                                              .kind = kind,
                                              .address = 0,
                                              .file = {},
                                              .file_offset = 0,
                                              .exits = {}},
                      .key = 0});
  };
  if (name_covers(description.name, "entry")) {
    add(UserPlaceKind::Entry, "entry");
  }
  if (name_covers(description.name, "return")) {
    add(UserPlaceKind::Return, "return");
    // One without a result may come, too.
    std::get<UserInstruction>(probes.back().site).exits = {{.has_result = false}};
  }
  if (description.name != "entry" && description.name != "return") {
    add(UserPlaceKind::Instruction, description.name);
  }
  return probes;
}

}  // namespace kinst::provider
