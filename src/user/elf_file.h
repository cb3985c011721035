// Reads what kinst needs of programs and libraries: where their functions are, and how
// they are laid out in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "user/object_bytes.h"

namespace kinst::user {

/// A function or an object of a file. Addresses are the file's own, before it is
/// loaded anywhere.
struct ElfSymbol {
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;  ///< 0 where the file does not say
  std::string name;
  bool is_function = false;
  /// Whether the file gives the symbol's type, function or object. Otherwise the file
  /// gives only its address.
  bool is_typed = true;
  enum class Binding : std::uint8_t { Local, Weak, Global } binding = Binding::Local;
  /// The symbol is a resolver, which chooses the real function when the program starts:
  /// STT_GNU_IFUNC.
  bool is_resolver = false;

  bool operator==(const ElfSymbol&) const = default;
};

/// A section of instructions. What lies between these sections, or behind the last one,
/// belongs to no function.
struct CodeSection {
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;

  bool operator==(const CodeSection&) const = default;
};

/// A part of the file that is loaded.
struct ElfSegment {
  std::uint64_t address = 0;
  std::uint64_t file_offset = 0;
  std::uint64_t file_bytes = 0;
  bool is_executable = false;

  bool operator==(const ElfSegment&) const = default;
};

/// The place of a section whose contents have not been read.
struct ElfSectionPlace {
  std::uint64_t address = 0;
  std::uint64_t file_offset = 0;
  std::uint64_t size_bytes = 0;

  bool operator==(const ElfSectionPlace&) const = default;
};

/// The two classes of ELF files that are understood. They differ only in the program's
/// width.
enum class ElfClass : std::uint8_t { Bits32, Bits64 };

/// Everything read from one file; the file is not kept open.
struct ElfFile {
  ElfClass width = ElfClass::Bits64;
  std::uint16_t machine = 0;  ///< whose instructions it has: EM_* of <elf.h>
  std::uint64_t entry = 0;    ///< address of its first instruction
  std::vector<ElfSegment> segments;
  std::vector<CodeSection> code_sections;  ///< empty where the file has no sections
  /// Defined functions and objects of .symtab and .dynsym, each once, not sorted.
  std::vector<ElfSymbol> symbols;
  bool has_full_symbols = false;  ///< .symtab, which strip(1) removes
  std::string build_id;           ///< in hexadecimal; empty if it has none
  /// .gnu_debuglink's file name, a name without folders; empty if there is none.
  std::string debug_link;
  ElfSectionPlace call_frames;  ///< .eh_frame; without bytes if it has none

  /// Whether its instructions are those of a machine of 64 bits. elf_machine: the
  /// machine's number in ELF files.
  [[nodiscard]] bool is_for(std::uint16_t elf_machine) const {
    return width == ElfClass::Bits64 && machine == elf_machine;
  }
  /// Where in the file the byte at `address` is.
  [[nodiscard]] std::optional<std::uint64_t> offset_of(std::uint64_t address) const;
  /// The address of the byte at `offset` of the file.
  [[nodiscard]] std::optional<std::uint64_t> address_of(std::uint64_t offset) const;
};

/// Limits on what is read of one file, because any user may have written it. What
/// exceeds a limit is left out.
struct ElfLimits {
  static constexpr std::uint64_t segments = 256;
  static constexpr std::uint64_t sections = 65536;
  static constexpr std::uint64_t code_sections = 256;
  static constexpr std::uint64_t section_name_bytes = 1U << 20U;
  static constexpr std::uint64_t symbols = 1U << 21U;     ///< of a table
  static constexpr std::uint64_t name_bytes = 1U << 27U;  ///< of a table's symbols
  static constexpr std::uint64_t longest_name = 1U << 16U;
  static constexpr std::uint64_t note_bytes = 1U << 16U;
  static constexpr std::uint64_t build_id_bytes = 64;
};

/// Errors: it is no ELF file, or one of the other byte order. Parts that are damaged,
/// or lie outside of the file, are left out.
Result<ElfFile> read_elf(const ObjectBytes& bytes);

}  // namespace kinst::user
