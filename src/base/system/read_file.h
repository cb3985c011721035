// Whole files, also those of /proc and /sys, whose size is not known beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kinst {

/// Everything that can be read from the file at `path`. Errors: more than `most_bytes`,
/// as a device may have.
Result<std::string> read_file(const std::string& path,
                              std::size_t most_bytes = SIZE_MAX);

/// The rest of an open file, from its current position on.
/// what: names the file in errors. Errors: more than `most_bytes`.
Result<std::string> read_all(int file, std::string_view what,
                             std::size_t most_bytes = SIZE_MAX);

/// Reads into `out` from `offset` on, up to the end of the file. Returns the number of
/// bytes.
/// what: names the file in errors.
Result<std::size_t> read_at(int file, std::uint64_t offset, std::span<std::byte> out,
                            std::string_view what);

}  // namespace kinst
