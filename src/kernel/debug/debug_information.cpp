// libdwfl finds files, takes care of their relocation and of where the kernel's and a
// module's sections were loaded; here is which file, and what is asked of it.
#include "kernel/debug/debug_information.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <unordered_map>

#include "base/system/file_descriptor.h"
#include "base/system/read_file.h"
#include "kernel/debug/debug_information_handle.h"
#include "kernel/memory/release.h"

namespace kinst::kernel {
namespace {

// The build-id in a note section's contents: name size, id size, type, "GNU", id.
// Source: elf(5), NT_GNU_BUILD_ID.
std::string build_id_in(std::string_view notes) {
  struct Note {
    std::uint32_t name_bytes = 0;
    std::uint32_t id_bytes = 0;
    std::uint32_t type = 0;
  };
  const auto padded = [](std::uint32_t size) {
    return (std::size_t{size} + 3) / 4 * 4;
  };
  while (notes.size() >= sizeof(Note)) {
    Note note;
    std::memcpy(&note, notes.data(), sizeof(note));
    notes.remove_prefix(sizeof(note));
    const std::size_t name_bytes = padded(note.name_bytes);
    if (notes.size() < name_bytes + note.id_bytes) {
      break;
    }
    if (note.type == 3 &&
        notes.substr(0, note.name_bytes) == std::string_view("GNU\0", 4)) {
      return std::string(notes.substr(name_bytes, note.id_bytes));
    }
    notes.remove_prefix(std::min(notes.size(), name_bytes + padded(note.id_bytes)));
  }
  return {};
}

bool is_module_file(const std::string& file_name, std::string_view module) {
  const std::size_t end = file_name.find(".ko");
  std::string stem = file_name.substr(0, end);
  std::ranges::replace(stem, '-', '_');
  return end != std::string::npos && stem == module;
}

// The module's file below /lib/modules; empty if it is not there.
std::string find_module_file(std::string_view module) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const fs::path root = "/lib/modules/" + running_release();
  for (fs::recursive_directory_iterator at(root, problem), end; !problem && at != end;
       at.increment(problem)) {
    if (is_module_file(at->path().filename().string(), module)) {
      return at->path().string();
    }
  }
  return {};
}

// libdwfl asks for the module's main file; the caller owns the descriptor.
// The parameters are libdwfl's choice. NOLINTNEXTLINE(readability-function-size)
int find_elf(Dwfl_Module* module, void** user_data, const char* name, Dwarf_Addr base,
             char** file_name, Elf** elf) {
  const auto* file = static_cast<const std::string*>(*user_data);
  if (file->empty()) {
    return dwfl_build_id_find_elf(module, user_data, name, base, file_name, elf);
  }
  FileDescriptor opened(::open(file->c_str(), O_RDONLY | O_CLOEXEC));
  *file_name = opened ? ::strdup(file->c_str()) : nullptr;
  return opened.release();
}

// Where a section of a module was loaded. libdwfl's own answer to this question takes
// sections that the loader drops, such as __versions, for an error.
// The parameters are libdwfl's choice. NOLINTNEXTLINE(readability-function-size)
int section_address(Dwfl_Module* /*module*/, void** /*user_data*/,
                    const char* module_name, Dwarf_Addr /*base*/, const char* name,
                    GElf_Word /*index*/, const GElf_Shdr* /*header*/,
                    Dwarf_Addr* address) {
  const auto text =
      read_file(fmt::format("/sys/module/{}/sections/{}", module_name, name));
  *address = text ? std::strtoull(text->c_str(), nullptr, 16)
                  : std::numeric_limits<Dwarf_Addr>::max();
  return DWARF_CB_OK;
}

// From the first of a module's symbols to the last.
AddressRange extent(const Symbols& symbols, std::string_view module) {
  if (module == kernel_module) {
    return {.begin = symbols.address_of("_text").value_or(KernelAddress{}),
            .end = symbols.address_of("_end").value_or(KernelAddress{})};
  }
  AddressRange out;
  symbols.for_each(module, [&](const Symbol& symbol) {
    out.begin = out.begin == KernelAddress{} ? symbol.address : out.begin;
    out.end = symbol.address + FunctionOffset{symbol.size_bytes};
  });
  return out;
}

// `file`: what was found, empty if nothing was. libdwfl's word on a missing file is
// that a callback failed, which helps nobody.
std::string why_none(std::string_view module, const std::string& file,
                     std::string_view words) {
  const std::string release = running_release();
  const std::string found =
      !file.empty() ? fmt::format("{} has none ({})", file, words)
      : module == kernel_module
          ? fmt::format(
                "there is no /usr/lib/debug/boot/vmlinux-{0} and no "
                "/lib/modules/{0}/build/vmlinux",
                release)
          : fmt::format("its file is not in /lib/modules/{}", release);
  return fmt::format(
      "there is no debug information of '{}' as it runs: {}; the kernel's debug "
      "package "
      "has it (Debian: linux-image-{}-dbg)",
      module, found, release);
}

// Depth first over a unit's DIEs.
template <typename Visit>
void walk(Dwarf_Die* die, const Visit& visit) {
  Dwarf_Die child{};
  if (dwarf_child(die, &child) != 0) {
    return;
  }
  do {
    visit(&child);
    walk(&child, visit);
  } while (dwarf_siblingof(&child, &child) == 0);
}

// Adds what one unit has.
void find_line_in(Dwarf_Die* unit,
                  const std::function<bool(std::string_view path)>& is_meant,
                  std::uint32_t wanted, FoundLine& found) {
  std::size_t count = 0;
  if (dwfl_getsrclines(unit, &count) != 0) {
    return;
  }
  std::unordered_map<const char*, bool> files;  // a unit's have one pointer each
  for (std::size_t i = 0; i < count; ++i) {
    Dwfl_Line* line = dwfl_onesrcline(unit, i);
    Dwarf_Addr address = 0;
    int at = 0;
    const char* file = dwfl_lineinfo(line, &address, &at, nullptr, nullptr, nullptr);
    const auto number = static_cast<std::uint32_t>(at);
    Dwarf_Addr bias = 0;
    Dwarf_Line* raw = dwfl_dwarf_line(line, &bias);
    bool ends_sequence = false;
    if (file == nullptr || at == 0 || raw == nullptr ||
        dwarf_lineendsequence(raw, &ends_sequence) != 0 || ends_sequence) {
      continue;
    }
    const auto [known, is_new] = files.try_emplace(file, false);
    if (is_new) {
      known->second = is_meant(file);
    }
    if (!known->second) {
      continue;
    }
    found.has_file = true;
    if (number == wanted) {
      found.addresses.push_back(KernelAddress{address});
    } else if (number < wanted) {
      found.below = std::max(found.below.value_or(0), number);
    } else {
      found.above = std::min(found.above.value_or(number), number);
    }
  }
}

InlinedCopy copy_at(Dwarf_Die* die, Dwarf_Addr bias) {
  InlinedCopy out{.ranges = die_ranges(die, bias)};
  Dwarf_Addr entry = 0;
  if (dwarf_entrypc(die, &entry) == 0) {
    out.entry = KernelAddress{entry + bias};
  } else if (!out.ranges.empty()) {
    out.entry = out.ranges.front().begin;
  }
  return out;
}

}  // namespace

std::string running_build_id(std::string_view module) {
  const auto notes =
      read_file(module == kernel_module
                    ? std::string("/sys/kernel/notes")
                    : fmt::format("/sys/module/{}/notes/.note.gnu.build-id", module));
  return notes ? build_id_in(*notes) : std::string();
}

std::string find_kernel_file() {
  const std::string release = running_release();
  for (const std::string& path :
       {"/usr/lib/debug/boot/vmlinux-" + release,
        "/usr/lib/debug/lib/modules/" + release + "/vmlinux",
        "/lib/modules/" + release + "/build/vmlinux",
        "/lib/modules/" + release + "/vmlinux", "/boot/vmlinux-" + release}) {
    if (::access(path.c_str(), R_OK) == 0) {
      return path;
    }
  }
  return {};
}

std::string file_build_id(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  elf_version(EV_CURRENT);
  Elf* elf = file ? elf_begin(file.get(), ELF_C_READ, nullptr) : nullptr;
  const void* id = nullptr;
  const ssize_t size = elf == nullptr ? -1 : dwelf_elf_gnu_build_id(elf, &id);
  std::string out;
  if (size > 0) {
    out.assign(static_cast<const char*>(id), static_cast<std::size_t>(size));
  }
  elf_end(elf);
  return out;
}

std::optional<Unit> unit_at(Dwfl_Module* module, KernelAddress address) {
  Unit out;
  out.die = dwfl_module_addrdie(module, number(address), &out.bias);
  if (out.die == nullptr) {
    return std::nullopt;
  }
  return out;
}

std::string die_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute{};
  const char* name =
      dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
  return name == nullptr ? std::string() : std::string(name);
}

std::vector<AddressRange> die_ranges(Dwarf_Die* die, Dwarf_Addr bias) {
  std::vector<AddressRange> out;
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  std::ptrdiff_t next = 0;
  while ((next = dwarf_ranges(die, next, &base, &begin, &end)) > 0) {
    if (begin < end) {
      out.push_back({KernelAddress{begin + bias}, KernelAddress{end + bias}});
    }
  }
  std::ranges::sort(out, {}, &AddressRange::begin);
  return out;
}

DebugInformation::DebugInformation(std::unique_ptr<DwflHandle> handle)
    : handle_(std::move(handle)) {}

DebugInformation::~DebugInformation() = default;

Result<std::unique_ptr<DebugInformation>> DebugInformation::open(
    std::string_view module, const Symbols& symbols, const isa::Isa& isa) {
  auto handle = std::make_unique<DwflHandle>();
  handle->isa = &isa;
  handle->callbacks = {
      .find_elf = find_elf,
      .find_debuginfo = dwfl_standard_find_debuginfo,
      .section_address = section_address,
      .debuginfo_path = nullptr,
  };
  handle->file =
      module == kernel_module ? find_kernel_file() : find_module_file(module);
  handle->dwfl.reset(dwfl_begin(&handle->callbacks));
  const AddressRange range = extent(symbols, module);
  const std::string build_id = running_build_id(module);
  handle->module = dwfl_report_module(handle->dwfl.get(), std::string(module).c_str(),
                                      number(range.begin), number(range.end));
  if (handle->module == nullptr) {
    return error("cannot find where '{}' is in memory", module);
  }
  void** user_data = nullptr;
  dwfl_module_info(handle->module, &user_data, nullptr, nullptr, nullptr, nullptr,
                   nullptr, nullptr);
  *user_data = &handle->file;
  if (!build_id.empty()) {
    // libdwfl compares a file's build-id with this one and refuses another build's.
    dwfl_module_report_build_id(handle->module,
                                reinterpret_cast<const unsigned char*>(build_id.data()),
                                build_id.size(), 0);
  }
  dwfl_report_end(handle->dwfl.get(), nullptr, nullptr);
  Dwarf_Addr bias = 0;
  if (dwfl_module_getdwarf(handle->module, &bias) == nullptr) {
    return tl::unexpected(Error{why_none(module, handle->file, dwfl_errmsg(-1))});
  }
  return std::unique_ptr<DebugInformation>(new DebugInformation(std::move(handle)));
}

Result<std::unique_ptr<DebugInformation>> DebugInformation::open_file(
    const std::string& path, KernelAddress address, const isa::Isa& isa) {
  auto handle = std::make_unique<DwflHandle>();
  handle->isa = &isa;
  handle->callbacks = {
      .find_elf = find_elf,
      .find_debuginfo = dwfl_standard_find_debuginfo,
      .section_address = dwfl_offline_section_address,
      .debuginfo_path = nullptr,
  };
  handle->dwfl.reset(dwfl_begin(&handle->callbacks));
  handle->module = dwfl_report_elf(handle->dwfl.get(), path.c_str(), path.c_str(), -1,
                                   number(address), false);
  Dwarf_Addr bias = 0;
  if (handle->module == nullptr ||
      dwfl_module_getdwarf(handle->module, &bias) == nullptr) {
    return error("cannot read debug information from {}: {}", path, dwfl_errmsg(-1));
  }
  dwfl_report_end(handle->dwfl.get(), nullptr, nullptr);
  return std::unique_ptr<DebugInformation>(new DebugInformation(std::move(handle)));
}

std::vector<LineRow> DebugInformation::lines(AddressRange range) const {
  std::vector<LineRow> out;
  const auto unit = unit_at(handle_->module, range.begin);
  std::size_t count = 0;
  if (!unit || dwfl_getsrclines(unit->die, &count) != 0) {
    return out;
  }
  std::optional<LineRow> before;
  for (std::size_t i = 0; i < count; ++i) {
    Dwfl_Line* line = dwfl_onesrcline(unit->die, i);
    Dwarf_Addr address = 0;
    int number_of_line = 0;
    const char* file =
        dwfl_lineinfo(line, &address, &number_of_line, nullptr, nullptr, nullptr);
    Dwarf_Addr bias = 0;
    Dwarf_Line* raw = dwfl_dwarf_line(line, &bias);
    bool ends_sequence = false;
    bool begins_statement = false;
    if (file == nullptr || raw == nullptr ||
        dwarf_lineendsequence(raw, &ends_sequence) != 0 ||
        dwarf_linebeginstatement(raw, &begins_statement) != 0) {
      continue;
    }
    LineRow row{.address = KernelAddress{address},
                .file = file,
                .line = static_cast<std::uint32_t>(number_of_line),
                .begins_statement = begins_statement};
    if (row.address < range.begin) {
      before = ends_sequence ? std::nullopt : std::optional(row);
    } else if (range.contains(row.address) && !ends_sequence) {
      out.push_back(std::move(row));
    }
  }
  std::ranges::stable_sort(out, {}, &LineRow::address);
  if (before && (out.empty() || range.begin < out.front().address)) {
    out.insert(out.begin(), *before);
  }
  return out;
}

std::vector<InlinedCopy> DebugInformation::inlined_copies(std::string_view name) const {
  std::vector<InlinedCopy> out;
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = dwfl_module_nextcu(handle_->module, nullptr, &bias);
       unit != nullptr; unit = dwfl_module_nextcu(handle_->module, unit, &bias)) {
    walk(unit, [&](Dwarf_Die* die) {
      if (dwarf_tag(die) == DW_TAG_inlined_subroutine && die_name(die) == name) {
        out.push_back(copy_at(die, bias));
      }
    });
  }
  std::erase_if(out, [](const InlinedCopy& copy) { return copy.ranges.empty(); });
  std::ranges::sort(out, {}, &InlinedCopy::entry);
  return out;
}

FoundLine DebugInformation::find_line(
    const std::function<bool(std::string_view path)>& is_meant,
    std::uint32_t line) const {
  FoundLine found;
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = dwfl_module_nextcu(handle_->module, nullptr, &bias);
       unit != nullptr; unit = dwfl_module_nextcu(handle_->module, unit, &bias)) {
    find_line_in(unit, is_meant, line, found);
  }
  std::ranges::sort(found.addresses);
  return found;
}

DebugInformation::NearCopies DebugInformation::copies_beside(
    KernelAddress address, std::string_view name) const {
  NearCopies found;
  const auto unit = unit_at(handle_->module, address);
  if (!unit) {
    return found;
  }
  const std::string of_unit = die_name(unit->die);
  walk(unit->die, [&](Dwarf_Die* die) {
    const int tag = dwarf_tag(die);
    if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) ||
        die_name(die) != name) {
      return;
    }
    found.count += tag == DW_TAG_inlined_subroutine && !die_ranges(die, 0).empty();
    const char* declared_in = tag == DW_TAG_subprogram ? dwarf_decl_file(die) : nullptr;
    found.may_be_more = found.may_be_more || (declared_in != nullptr &&
                                              !is_end_of_path(of_unit, declared_in) &&
                                              !is_end_of_path(declared_in, of_unit));
  });
  return found;
}

bool is_end_of_path(std::string_view end, std::string_view path) {
  return path == end || (path.size() > end.size() && path.ends_with(end) &&
                         path[path.size() - end.size() - 1] == '/');
}

const LineRow* line_at(std::span<const LineRow> rows, KernelAddress address) {
  const auto above = std::ranges::upper_bound(rows, address, {}, &LineRow::address);
  return above == rows.begin() ? nullptr : &*std::prev(above);
}

}  // namespace kinst::kernel
