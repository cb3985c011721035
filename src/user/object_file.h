// A program or library with the best symbols that can be found for it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "user/elf_file.h"
#include "user/symbol_table.h"

namespace kinst::user {

struct ObjectFile {
  ElfFile elf;  ///< its own symbols are in `symbols`
  SymbolTable symbols;
  std::string debug_file;  ///< where most symbols are from, if not the file itself
};

/// Reads the file at `openable`, and its debug file where it has been stripped: by its
/// build id below /usr/lib/debug/.build-id, else by the name in .gnu_debuglink. A debug
/// file is used only if its build id is the same.
/// path: what the file is called where it was loaded; for debug files beside it.
/// root: prefix under which that path's file system is seen here, "/proc/17/root".
/// Errors: those of read_elf.
Result<ObjectFile> read_object(const std::string& openable, const std::string& path,
                               const std::string& root);

}  // namespace kinst::user
