// libdw answers for one address at a time, and reads a section only where it stands in
// an ELF file. So the section is put into the smallest such file, and each function is
// asked for row after row, from its first address on. Each question carries out the
// function's instructions from their beginning.
#include "unwind/libdw_rows.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <libelf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "unwind/frame_entries.h"

namespace kinst::user {
namespace {

struct Release {
  void operator()(Elf* elf) const { elf_end(elf); }
  void operator()(Dwarf_CFI* frames) const { dwarf_cfi_end(frames); }
  void operator()(Dwarf_Frame* frame) const { std::free(frame); }
};

struct Function {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// What stands before the section in a file that has nothing else.
struct Head {
  Elf64_Ehdr header{};
  std::array<Elf64_Shdr, 3> sections{};
  std::array<char, 24> names{"\0.eh_frame\0.shstrtab"};
};

// A file with the section .eh_frame, which is its section 1.
std::vector<std::byte> elf_with(const CallFrameSection& section,
                                std::uint16_t machine) {
  Head head;
  std::memcpy(head.header.e_ident, ELFMAG, SELFMAG);
  head.header.e_ident[EI_CLASS] = ELFCLASS64;
  head.header.e_ident[EI_DATA] = ELFDATA2LSB;
  head.header.e_ident[EI_VERSION] = EV_CURRENT;
  head.header.e_type = ET_DYN;
  head.header.e_machine = machine;
  head.header.e_version = EV_CURRENT;
  head.header.e_shoff = offsetof(Head, sections);
  head.header.e_ehsize = sizeof head.header;
  head.header.e_shentsize = sizeof(Elf64_Shdr);
  head.header.e_shnum = 3;
  head.header.e_shstrndx = 2;
  head.sections[1] = {.sh_name = 1,
                      .sh_type = SHT_PROGBITS,
                      .sh_flags = SHF_ALLOC,
                      .sh_addr = section.address,
                      .sh_offset = sizeof head,
                      .sh_size = section.bytes.size(),
                      .sh_addralign = 1};
  head.sections[2] = {.sh_name = 11,
                      .sh_type = SHT_STRTAB,
                      .sh_offset = offsetof(Head, names),
                      .sh_size = sizeof head.names,
                      .sh_addralign = 1};
  const auto bytes = std::as_bytes(std::span(&head, 1));
  std::vector<std::byte> image(bytes.begin(), bytes.end());
  image.insert(image.end(), section.bytes.begin(), section.bytes.end());
  return image;
}

// How a CIE says that pointers are written. libdw knows, but tells nobody.
std::uint8_t pointer_encoding(const Dwarf_CIE& common) {
  const std::string_view letters(common.augmentation);
  FrameCursor data(
      std::as_bytes(std::span(common.augmentation_data, common.augmentation_data_size)),
      0);
  for (const char letter : letters.substr(letters.starts_with('z') ? 1 : 0)) {
    if (letter == 'R') {
      return data.take<std::uint8_t>();
    }
    if (letter == 'P') {
      const auto encoding = data.take<std::uint8_t>();
      take_pointer(data, encoding);
    } else if (letter == 'L') {
      data.take<std::uint8_t>();
    } else if (letter != 'S') {
      break;
    }
  }
  return DW_EH_PE_absptr;
}

// In the order of their addresses.
std::vector<Function> functions_of(Elf& elf, std::uint64_t address) {
  std::vector<Function> functions;
  Elf_Data* data = elf_getdata(elf_getscn(&elf, 1), nullptr);
  const auto* ident = static_cast<const unsigned char*>(
      static_cast<void*>(elf_getident(&elf, nullptr)));
  if (data == nullptr || ident == nullptr) {
    return functions;
  }
  const auto* first = static_cast<const std::uint8_t*>(data->d_buf);
  Dwarf_CFI_Entry entry;
  Dwarf_CFI_Entry common;
  Dwarf_Off ignored = 0;
  for (Dwarf_Off at = 0, next = 0;; at = next) {
    const int result = dwarf_next_cfi(ident, data, true, at, &next, &entry);
    if (result > 0 || next == at) {
      break;
    }
    if (result < 0 || dwarf_cfi_cie_p(&entry) ||
        dwarf_next_cfi(ident, data, true, entry.fde.CIE_pointer, &ignored, &common) !=
            0 ||
        !dwarf_cfi_cie_p(&common)) {
      continue;
    }
    FrameCursor cursor(std::as_bytes(std::span(entry.fde.start, entry.fde.end)),
                       address + static_cast<std::uint64_t>(entry.fde.start - first));
    const std::uint8_t encoding = pointer_encoding(common.cie);
    const std::uint64_t begin = take_pointer(cursor, encoding);
    const std::uint64_t end = begin + take_form(cursor, encoding);
    if (cursor.is_good() && begin < end) {
      functions.push_back({begin, end});
    }
  }
  std::ranges::stable_sort(functions, {}, &Function::begin);
  return functions;
}

// What linkers write for the procedure linkage table.
std::optional<FrameRule> stub_cfa(std::span<const Dwarf_Op> operations) {
  constexpr std::array<std::uint8_t, 8> form = {
      DW_OP_breg7, DW_OP_breg16, DW_OP_lit15, DW_OP_and,
      0,           DW_OP_ge,     DW_OP_lit3,  DW_OP_shl};
  if (operations.size() != form.size() + 1 || operations[8].atom != DW_OP_plus ||
      operations[0].number != 8 || operations[1].number != 0 ||
      operations[4].atom < DW_OP_lit0 || operations[4].atom > DW_OP_lit15) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (i != 4 && operations[i].atom != form[i]) {
      return std::nullopt;
    }
  }
  return FrameRule{.kind = FrameRule::Kind::LinkageStub,
                   .offset = operations[4].atom - DW_OP_lit0};
}

FrameRule cfa_rule(std::span<const Dwarf_Op> operations,
                   const FrameRegisters& registers) {
  using Kind = FrameRule::Kind;
  if (operations.empty()) {
    return {};
  }
  const Dwarf_Op& base = operations.front();
  if (operations.size() == 1 && base.atom == DW_OP_bregx) {
    const auto kind = base.number == registers.stack_pointer   ? Kind::FromStackPointer
                      : base.number == registers.frame_pointer ? Kind::FromFramePointer
                                                               : Kind::Unknown;
    return kind == Kind::Unknown
               ? FrameRule{}
               : FrameRule{.kind = kind,
                           .offset = static_cast<std::int64_t>(base.number2)};
  }
  const bool by_stack = base.atom == DW_OP_breg0 + registers.stack_pointer;
  if ((by_stack || base.atom == DW_OP_breg0 + registers.frame_pointer) &&
      (operations.size() == 2 ||
       (operations.size() == 3 && operations[2].atom == DW_OP_plus_uconst)) &&
      operations[1].atom == DW_OP_deref) {
    return {.kind = by_stack ? Kind::SavedByStackPointer : Kind::SavedByFramePointer,
            .offset = operations.size() == 3
                          ? static_cast<std::int64_t>(operations[2].number)
                          : 0,
            .place = static_cast<std::int64_t>(base.number)};
  }
  return stub_cfa(operations).value_or(FrameRule{});
}

// False if where the frame pointer is is not understood.
bool add_frame_pointer(Dwarf_Frame& frame, const FrameRegisters& registers,
                       FrameRule& rule) {
  std::array<Dwarf_Op, 3> memory{};
  Dwarf_Op* found = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_register(&frame, static_cast<int>(registers.frame_pointer),
                           memory.data(), &found, &count) != 0) {
    return false;
  }
  if (count == 0) {
    return true;  // the same value, or nobody's
  }
  const std::span<const Dwarf_Op> operations(found, count);
  if (operations[0].atom != DW_OP_call_frame_cfa || count > 2) {
    return false;
  }
  if (count == 2 && operations[1].atom == DW_OP_breg0 + registers.frame_pointer &&
      operations[1].number == 0) {
    rule.frame_pointer = FrameRule::FramePointer::PointedTo;
    return true;
  }
  if (count == 2 && operations[1].atom != DW_OP_plus_uconst) {
    return false;
  }
  rule.frame_pointer = FrameRule::FramePointer::BelowCfa;
  rule.saved_below =
      count == 2 ? static_cast<std::int64_t>(0 - operations[1].number) : 0;
  return true;
}

// False if there is no return address, or none where a walk finds it.
bool add_return_address(Dwarf_Frame& frame, int return_register, FrameRule& rule) {
  std::array<Dwarf_Op, 3> memory{};
  Dwarf_Op* found = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_register(&frame, return_register, memory.data(), &found, &count) !=
      0) {
    return false;
  }
  if (count == 0) {
    rule.return_address = FrameRule::ReturnAddress::InLink;
    return found == nullptr;  // the same value, or nobody's
  }
  const std::span<const Dwarf_Op> operations(found, count);
  if (operations[0].atom != DW_OP_call_frame_cfa || count > 2 ||
      (count == 2 && operations[1].atom != DW_OP_plus_uconst)) {
    return false;
  }
  rule.return_below =
      count == 2 ? static_cast<std::int64_t>(0 - operations[1].number) : 0;
  return true;
}

FrameRule rule_of(Dwarf_Frame& frame, int return_register, bool is_signal_frame,
                  const FrameRegisters& registers) {
  if (is_signal_frame) {
    return {.kind = FrameRule::Kind::SignalReturn};
  }
  FrameRule found;
  if (!add_return_address(frame, return_register, found)) {
    return {.kind = FrameRule::Kind::Outermost};
  }
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_cfa(&frame, &operations, &count) != 0) {
    return {};
  }
  FrameRule rule = cfa_rule({operations, count}, registers);
  rule.return_address = found.return_address;
  rule.return_below = found.return_below;
  return rule.kind != FrameRule::Kind::Unknown &&
                 add_frame_pointer(frame, registers, rule)
             ? rule
             : FrameRule{};
}

void add_row(std::vector<FrameRow>& rows, const FrameRow& row) {
  if (!rows.empty() && rows.back().address == row.address) {
    rows.pop_back();
  }
  if (rows.empty() || rows.back().rule != row.rule) {
    rows.push_back(row);
  }
}

void add_function(Dwarf_CFI& frames, const Function& function,
                  const FrameRegisters& registers, std::vector<FrameRow>& rows) {
  std::uint64_t address = function.begin;
  while (address < function.end) {
    Dwarf_Frame* found = nullptr;
    if (dwarf_cfi_addrframe(&frames, address, &found) != 0) {
      add_row(rows, {address, {}});
      break;
    }
    const std::unique_ptr<Dwarf_Frame, Release> frame(found);
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    bool is_signal_frame = false;
    const int return_register = dwarf_frame_info(found, &begin, &end, &is_signal_frame);
    add_row(rows,
            {address, rule_of(*found, return_register, is_signal_frame, registers)});
    if (end <= address) {
      break;
    }
    address = end;
  }
  add_row(rows, {function.end, {}});
}

}  // namespace

std::vector<FrameRow> rows_by_libdw(const CallFrameSection& section,
                                    const FrameRegisters& registers) {
  std::vector<FrameRow> rows;
  std::vector<std::byte> image =
      elf_with(section, registers.link ? EM_AARCH64 : EM_X86_64);
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, Release> elf(
      elf_memory(static_cast<char*>(static_cast<void*>(image.data())), image.size()));
  const std::unique_ptr<Dwarf_CFI, Release> frames(elf ? dwarf_getcfi_elf(elf.get())
                                                       : nullptr);
  if (!frames) {
    return rows;
  }
  rows.reserve(section.bytes.size() / 4);  // an entry has one for each five bytes or so
  std::uint64_t covered_to = 0;
  for (const Function& function : functions_of(*elf, section.address)) {
    if (function.begin < covered_to) {
      continue;  // a second entry for the same code
    }
    add_function(*frames, function, registers, rows);
    covered_to = function.end;
  }
  return rows;
}

}  // namespace kinst::user
