// A program or library with the best symbols that can be found for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "unwind/call_frames.h"
#include "user/elf_file.h"
#include "user/symbol_table.h"

namespace kinst::user {

struct ObjectFile {
  ElfFile elf;  ///< its own symbols are in `symbols`
  SymbolTable symbols;
  std::string debug_file;  ///< where most symbols are from, if not the file itself
};

/// Where an object was loaded, which is where its debug file may be.
struct ObjectPlace {
  std::string path;  ///< as the process's mount namespace names it
  /// Where that namespace's root is seen here, "/proc/17/root"; empty if it is ours.
  std::string root;
};

/// Reads an object, and its debug file where it has been stripped: by its build id
/// below /usr/lib/debug/.build-id, else by the name in .gnu_debuglink. A debug file is
/// used only if its build id is the same. Errors: those of read_elf.
Result<ObjectFile> read_object(const ObjectBytes& bytes, const ObjectPlace& place);

/// Up to `bytes` bytes of a file from `address` on, which is one of the file's own
/// addresses; empty if they cannot be read. openable: a path by which the file can be
/// opened.
std::vector<std::byte> read_at_address(const std::string& openable, const ElfFile& elf,
                                       std::uint64_t address, std::uint64_t bytes);
/// The file's .eh_frame; without bytes if it has none, if it is larger than anything
/// that is sound, or if it cannot be read. openable: as above.
CallFrameSection read_call_frame_section(const std::string& openable,
                                         const ElfFile& elf);

}  // namespace kinst::user
